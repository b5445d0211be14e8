// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/question_field.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "ui/document/observing.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

/// The characters of `now` that are not those of `before`.
std::vector<int> changedPlaces(const QString& before, const QString& now) {
  const int common = int(std::min(before.size(), now.size()));
  int begin = 0, end = 0;
  while (begin < common && before[begin] == now[begin]) ++begin;
  while (end < common - begin && before[before.size() - 1 - end] == now[now.size() - 1 - end])
    ++end;
  std::vector<int> places;
  const bool aligned = before.size() == now.size();
  for (int i = begin; i < int(now.size()) - end; ++i)
    if (!aligned || before[i] != now[i]) places.push_back(i);
  return places;
}

}  // namespace

QuestionField::QuestionField(const Style& style, Observing& observing, Form form, QWidget* parent)
    : QWidget(parent),
      style_(style),
      observing_(observing),
      form_(form),
      name_(new QLabel(tr("&Say something"))),
      add_(pushButton(tr("Add a text"),
                      tr("Read another text in the same batch, and compare both"))),
      choice_(new QWidget),
      shown_(new Segmented(style, {tr("One text"), tr("Side by side"), tr("2 − 1")})),
      reason_(wrappedLabel("muted")),
      lines_(bareLayout<QVBoxLayout>()),
      whole_(new QBoxLayout(form == Form::Wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom,
                            this)) {
  setRole(*name_, "muted");
  shown_->setAccessibleName(tr("What is shown of the texts"));
  for (int text = 0; text < int(Observing::kMostTexts); ++text) rows_.push_back(makeRow(text));
  name_->setBuddy(rows_.front().field);
  name_->setVisible(form_ == Form::Wide);
  setFocusProxy(rows_.front().field);
  choice_->setLayout(rowOf({shown_, {reason_, 1}}));
  lines_->addWidget(choice_);
  whole_->setContentsMargins(0, 0, 0, 0);
  whole_->addWidget(name_, 0, Qt::AlignTop);
  whole_->addLayout(lines_, 1);
  whole_->addWidget(add_, 0, Qt::AlignTop | Qt::AlignLeft);

  connect(add_, &QPushButton::clicked, this, [this] {
    observing_.addText();
    QLineEdit* field = rows_[std::size_t(observing_.texts().shown)].field;
    field->setFocus();
    field->selectAll();
  });
  connect(shown_, &Segmented::currentChanged, this, [this] {
    showAnswers();
    emit shownChanged();
  });
  connect(&observing_, &Observing::textsChanged, this, &QuestionField::showTexts);
  connect(&observing_, &Observing::snapshotChanged, this, &QuestionField::showAnswers);
  connect(&style_, &Style::changed, this, &QuestionField::updateSizes);
  updateSizes();
  showTexts();
}

QuestionField::Row QuestionField::makeRow(int text) {
  const QString named = text == 0 ? tr("Say something") : tr("Text %1").arg(text + 1);
  Row row{new QWidget,         new QToolButton, new QLineEdit, new ElidedLabel("number", 1),
          wrappedLabel("bad"), new QToolButton};
  setRole(*row.number, "small");
  setRole(*row.remove, "small");
  row.number->setText(QString::number(text + 1));
  row.number->setCheckable(true);
  row.number->setToolTip(tr("Show text %1").arg(text + 1));
  row.number->setAccessibleName(row.number->toolTip());
  row.field->setAccessibleName(named);
  row.field->setToolTip(text == 0 ? tr("The text whose attention is shown (Alt+S)") : named);
  row.answer->setMinimumWidth(1);  // a long answer does not widen the window
  row.remove->setIcon(style_.icon(QStringLiteral("close")));
  row.remove->setToolTip(tr("Remove text %1").arg(text + 1));
  row.remove->setAccessibleName(row.remove->toolTip());
  const bool wide = form_ == Form::Wide;
  auto* line = rowOf({row.number,
                      {row.field, wide ? 0 : 1},
                      row.remove,
                      {row.answer, wide ? 1 : 0},
                      {row.problem, wide ? 1 : 0}});
  line->addStretch(0);
  row.line->setLayout(line);
  lines_->addWidget(row.line);

  connect(row.number, &QToolButton::clicked, this, [this, text] {
    observing_.showText(text);
    showTexts();  // a click on the shown one does not change it
  });
  connect(row.field, &QLineEdit::textEdited, this, [this, text](const QString& words) {
    observing_.showText(text);
    observing_.setText(text, words);
  });
  // After Return, keys are commands again.
  connect(row.field, &QLineEdit::returnPressed, this, [this] { window()->setFocus(); });
  connect(row.remove, &QToolButton::clicked, this, [this, text] { observing_.removeText(text); });
  return row;
}

TextsShown QuestionField::shown() const {
  return observing_.texts().all.size() < 2 ? TextsShown::One : TextsShown(shown_->current());
}

void QuestionField::show(TextsShown shown) { shown_->setCurrent(int(shown)); }

void QuestionField::showTexts() {
  const AskedTexts& texts = observing_.texts();
  const bool several = texts.all.size() > 1;
  for (int text = 0; text < int(rows_.size()); ++text) {
    const Row& row = rows_[std::size_t(text)];
    const bool used = text < texts.all.size();
    row.line->setVisible(used);
    row.number->setVisible(several);
    row.remove->setVisible(several);
    row.number->setChecked(text == texts.shown);
    if (used && row.field->text() != texts.all[text]) row.field->setText(texts.all[text]);
  }
  add_->setEnabled(texts.all.size() < qsizetype(Observing::kMostTexts));
  choice_->setVisible(several && form_ == Form::Wide);
  if (!several && shown_->current() != int(TextsShown::One)) {
    const QSignalBlocker quiet(shown_);
    shown_->setCurrent(int(TextsShown::One));
  }
  if (const auto pair = pairOf(texts)) {
    shown_->setChoiceText(int(TextsShown::Difference),
                          tr("%1 − %2").arg(pair->second + 1).arg(pair->first + 1));
    shown_->setChoiceToolTip(int(TextsShown::One), tr("The text whose number is chosen"));
    shown_->setChoiceToolTip(
        int(TextsShown::Beside),
        tr("Text %1 and text %2 beside each other").arg(pair->first + 1).arg(pair->second + 1));
    shown_->setChoiceToolTip(
        int(TextsShown::Difference),
        tr("Text %1 minus text %2, cell by cell").arg(pair->second + 1).arg(pair->first + 1));
  }
  showAnswers();
}

void QuestionField::showAnswers() {
  const AskedTexts& texts = observing_.texts();
  const auto& snapshot = observing_.snapshot();
  for (int text = 0; text < texts.all.size(); ++text) {
    Row& row = rows_[std::size_t(text)];
    const train::ProbeInput* input = observing_.inputOf(text);
    QString problem, answer;
    if (texts.all[text].isEmpty())
      problem = tr("Type something to look at.");
    else if (snapshot && text == texts.shown && !snapshot->problem.empty())
      problem = QString::fromStdString(snapshot->problem).simplified();
    else if (const auto wrong = text == texts.shown ? std::nullopt : observing_.textProblem(text))
      problem = QString::fromStdString(wrong->what()).simplified();
    else if (input != nullptr && !input->answer.empty())
      answer = tr("→ %1").arg(QString::fromStdString(input->answer).simplified());
    row.answer->setText(answer);
    if (snapshot)
      markChanges(row, {texts.all[text], answer, snapshot->step}, !snapshot->interventions.empty());
    row.answer->setAccessibleName(tr("Answer: %1").arg(answer));
    row.answer->setVisible(!answer.isEmpty() && form_ == Form::Wide);
    row.problem->setText(problem);
    row.problem->setVisible(!problem.isEmpty() && form_ == Form::Wide);
    row.field->setAccessibleDescription(problem);
  }
  const auto pair = pairOf(texts);
  const bool subtracts = pair && shown() == TextsShown::Difference;
  reason_->setText(subtracts && snapshot ? observing_.noComparison(*pair) : QString());
}

void QuestionField::markChanges(Row& row, const Answer& now, bool changed) {
  if (!changed) row.unchanged = now;
  const Answer& before = row.unchanged;
  const bool known = before.question == now.question && before.step == now.step;
  std::vector<int> places;
  if (known) places = changedPlaces(before.text, now.text);
  row.answer->setToolTip(places.empty() ? QString()
                                        : tr("Without the What-if changes: %1").arg(before.text));
  row.answer->setMarks(std::move(places), style_.palette().mark);
}

void QuestionField::updateSizes() {
  for (const Row& row : rows_) {
    row.field->setFont(style_.numberFont());
    // A reparented widget loses the size of its own font.
    row.field->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(13)));
    if (form_ == Form::Wide) {  // an answer of usual length beside it is whole
      row.field->setMinimumWidth(style_.px(100));
      row.field->setMaximumWidth(style_.px(280));
    }
    row.line->layout()->setSpacing(style_.px(6));
    row.number->setFixedWidth(style_.px(26));
    row.remove->setIcon(style_.icon(QStringLiteral("close")));
  }
  // The name stands at the height of the first text.
  name_->setFixedHeight(rows_.front().field->sizeHint().height());
  lines_->setSpacing(style_.px(4));
  whole_->setSpacing(style_.px(8));
  choice_->layout()->setSpacing(style_.px(8));
}

}  // namespace tfm::ui
