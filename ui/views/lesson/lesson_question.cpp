// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_question.h"

#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

LessonQuestion::LessonQuestion(const Style& style, Form form)
    : style_(style),
      ask_(wrappedLabel("strong")),
      choices_(new QWidget),
      rows_(bareLayout<QVBoxLayout>(choices_)),
      group_(new QButtonGroup(this)),
      number_(new QLineEdit),
      commit_(pushButton(form == Form::Prediction ? tr("Predict") : tr("Check"), {}, "small")),
      verdict_(wrappedLabel("muted")) {
  setRole(*this, "card");
  number_->setPlaceholderText(tr("a number"));
  auto* label = new QLabel(form == Form::Prediction ? tr("Predict first") : tr("Question"));
  setRole(*label, "caption");
  auto* column =
      columnOf(style_, 6, {label, ask_, choices_, number_, {commit_, 0, Qt::AlignLeft}, verdict_});
  setLayout(column);
  style_.follow(this, [this, column] {
    const int edge = style_.px(10);
    column->setContentsMargins(edge, edge, edge, edge);
    rows_->setSpacing(style_.px(4));
  });
  connect(commit_, &QPushButton::clicked, this, &LessonQuestion::commit);
  connect(number_, &QLineEdit::returnPressed, this, &LessonQuestion::commit);
  connect(number_, &QLineEdit::textChanged, this, &LessonQuestion::updateButton);
  connect(group_, &QButtonGroup::buttonClicked, this, &LessonQuestion::updateButton);
}

void LessonQuestion::setQuestion(const std::optional<lesson::Question>& question) {
  setVisible(question.has_value());
  for (QAbstractButton* button : group_->buttons()) delete button;
  number_->clear();
  say({}, "muted");
  if (!question) return;
  ask_->setText(QString::fromStdString(question->ask));
  number_->setAccessibleName(ask_->text());
  choices_->setVisible(!question->choices.empty());
  number_->setVisible(question->choices.empty());
  for (const std::string& choice : question->choices) {
    auto* button = new QRadioButton(QString::fromStdString(choice).replace(u'&', "&&"));
    button->setFocusPolicy(Qt::TabFocus);
    group_->addButton(button);
    rows_->addWidget(button);
  }
  setOpen(true);
}

void LessonQuestion::showAnswer(const QString& answer) {
  number_->setText(answer);
  for (QAbstractButton* button : group_->buttons())
    if (button->text().replace("&&", "&") == answer) button->setChecked(true);
  updateButton();
}

void LessonQuestion::say(const QString& sentence, const char* tone) {
  setRole(*verdict_, tone);
  setOrHide(*verdict_, sentence);
}

void LessonQuestion::setOpen(bool open) {
  open_ = open;
  for (QAbstractButton* button : group_->buttons()) button->setEnabled(open);
  number_->setReadOnly(!open);
  commit_->setVisible(open);
  updateButton();
}

QString LessonQuestion::given() const {
  if (group_->buttons().isEmpty()) return number_->text().trimmed();
  const QAbstractButton* chosen = group_->checkedButton();
  return chosen == nullptr ? QString() : chosen->text().replace("&&", "&");
}

void LessonQuestion::updateButton() { commit_->setEnabled(open_ && !given().isEmpty()); }

void LessonQuestion::commit() {
  if (open_ && !given().isEmpty()) emit answered(given());
}

}  // namespace tfm::ui
