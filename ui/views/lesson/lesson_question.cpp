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
namespace {

constexpr double kChoiceWidth = 225;
constexpr const char* kChoice = "choice";  ///< a property: the choice as it was written

/// With line breaks, as buttons have no word wrap.
QString inLines(const QString& text, const QFontMetrics& font, int width) {
  QString lines, line;
  for (const QString& word : text.split(u' ')) {
    const QString longer = line.isEmpty() ? word : line + u' ' + word;
    if (!line.isEmpty() && font.horizontalAdvance(longer) > width) {
      lines += line + u'\n';
      line = word;
    } else {
      line = longer;
    }
  }
  return lines + line;
}

}  // namespace

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
  ask_->setTextFormat(Qt::MarkdownText);
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
    breakChoices();
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
  number_->setAccessibleName(QString::fromStdString(question->ask));
  choices_->setVisible(!question->choices.empty());
  number_->setVisible(question->choices.empty());
  for (const std::string& choice : question->choices) {
    auto* button = new QRadioButton;
    button->setProperty(kChoice, QString::fromStdString(choice));
    button->setAccessibleName(QString::fromStdString(choice));
    button->setFocusPolicy(Qt::TabFocus);
    group_->addButton(button);
    rows_->addWidget(button);
  }
  breakChoices();
  setOpen(true);
}

void LessonQuestion::breakChoices() {
  for (QAbstractButton* button : group_->buttons()) {
    button->ensurePolished();
    QString choice = button->property(kChoice).toString().replace(u'&', "&&");
    button->setText(inLines(choice, button->fontMetrics(), style_.px(kChoiceWidth)));
  }
}

void LessonQuestion::setAsk(const QString& markdown) {
  if (ask_->text() != markdown) ask_->setText(markdown);
}

void LessonQuestion::showAnswer(const QString& answer) {
  number_->setText(answer);
  for (QAbstractButton* button : group_->buttons())
    if (button->property(kChoice) == answer) button->setChecked(true);
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
  return chosen == nullptr ? QString() : chosen->property(kChoice).toString();
}

void LessonQuestion::updateButton() { commit_->setEnabled(open_ && !given().isEmpty()); }

void LessonQuestion::commit() {
  if (open_ && !given().isEmpty()) emit answered(given());
}

}  // namespace tfm::ui
