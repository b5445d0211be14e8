// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/question_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "ui/document/observing.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"

namespace tfm::ui {

QuestionField::QuestionField(const Style& style, Observing& observing, QWidget* parent)
    : QWidget(parent),
      style_(style),
      observing_(observing),
      name_(new QLabel(tr("&Say something"))),
      field_(new QLineEdit(observing.question())),
      answer_(new QLabel),
      problem_(wrappedLabel("")),
      row_(new QHBoxLayout(this)) {
  setRole(*name_, "muted");
  setRole(*answer_, "number");
  setRole(*problem_, "bad");
  name_->setBuddy(field_);
  setFocusProxy(field_);
  field_->setAccessibleName(tr("Say something"));
  field_->setToolTip(tr("The text whose attention is shown (Alt+S)"));
  answer_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  answer_->setTextFormat(Qt::PlainText);
  problem_->setTextFormat(Qt::PlainText);
  row_->setContentsMargins(0, 0, 0, 0);
  row_->addWidget(name_);
  row_->addWidget(field_);
  row_->addWidget(answer_);
  row_->addWidget(problem_, 1);
  row_->addStretch(0);

  connect(field_, &QLineEdit::textEdited, &observing_, &Observing::setQuestion);
  // After Return, keys are commands again.
  connect(field_, &QLineEdit::returnPressed, this, [this] { window()->setFocus(); });
  connect(&observing_, &Observing::questionChanged, this, [this](const QString& question) {
    if (field_->text() != question) field_->setText(question);
    showAnswer();
  });
  connect(&observing_, &Observing::snapshotChanged, this, &QuestionField::showAnswer);
  connect(&style_, &Style::changed, this, &QuestionField::updateSizes);
  updateSizes();
  showAnswer();
}

void QuestionField::showAnswer() {
  const auto& snapshot = observing_.snapshot();
  QString problem;
  QString answer;
  if (observing_.question().isEmpty()) {
    problem = tr("Type something to look at.");
  } else if (snapshot && !snapshot->problem.empty()) {
    problem = QString::fromStdString(snapshot->problem).simplified();
  } else if (snapshot && !snapshot->probe.answer.empty()) {
    answer = tr("→ %1").arg(QString::fromStdString(snapshot->probe.answer));
  }
  answer_->setText(answer);
  answer_->setAccessibleName(tr("Answer: %1").arg(answer));
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  field_->setAccessibleDescription(problem);
}

void QuestionField::updateSizes() {
  field_->setFont(style_.numberFont());
  // A reparented widget loses the size of its own font.
  field_->setStyleSheet(QStringLiteral("font-size: %1px").arg(style_.px(13)));
  field_->setMaximumWidth(style_.px(280));
  row_->setSpacing(style_.px(8));
}

}  // namespace tfm::ui
