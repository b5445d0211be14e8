// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/say_something.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

std::vector<io::Field> samplingFields(SamplingOptions& o) {
  using io::IntegerSlot;
  using io::RealSlot;
  constexpr std::int64_t kMostTokens = 100'000;
  return {
      {"temperature", "Below 1 the likely tokens are preferred, 0 takes the most probable",
       RealSlot{&o.temperature, 0.0, 100.0}},
      {"top_k", "Only this many most probable tokens may be drawn; 0 for all",
       IntegerSlot{&o.top_k, 0, kMostTokens}},
      {"top_p", "Only the most probable tokens that share this probability; 1 for all",
       RealSlot{&o.top_p, 1e-6, 1.0000001}},
      {"most_tokens", "Tokens to write", IntegerSlot{&o.most_tokens, 1, kMostTokens}},
  };
}

}  // namespace

SaySomething::SaySomething(const Style& style, ModelDocument& document, QWidget* parent)
    : QWidget(parent),
      style_(style),
      document_(document),
      input_(new QLineEdit),
      problem_(wrappedLabel("bad")),
      sampling_(new FieldForm(style, samplingFields(options_), FieldForm::Commit::EachKey)),
      write_(new QPushButton(tr("Write"))),
      stop_(new QPushButton(tr("Stop"))),
      progress_(new QProgressBar),
      writing_(makeWriting()),
      answer_(new TokenLine(style)),
      column_(new QVBoxLayout(this)) {
  problem_->setTextFormat(Qt::PlainText);
  input_->setAccessibleName(tr("Say something"));
  answer_->setTitle(tr("Answer"));
  column_->setContentsMargins(0, 0, 0, 0);
  for (QWidget* part : {static_cast<QWidget*>(input_), static_cast<QWidget*>(problem_), writing_,
                        static_cast<QWidget*>(answer_)})
    column_->addWidget(part);

  connect(input_, &QLineEdit::textEdited, this, [this](const QString& text) {
    if (document_.isOpen()) document_.setQuestion(text);
  });
  connect(input_, &QLineEdit::returnPressed, this, [this] {
    if (document_.isOpen() && writesText()) write();
  });
  connect(&document_, &ModelDocument::replaced, this, &SaySomething::showModel);
  connect(&document_, &ModelDocument::questionChanged, this, &SaySomething::showProblem);
  connect(&document_, &ModelDocument::snapshotChanged, this, &SaySomething::showLiveAnswer);
  connect(&document_, &ModelDocument::answering, this, &SaySomething::showWriting);
  connect(&document_, &ModelDocument::askFailed, this, [this](const Error& problem) {
    endWriting();
    problem_->setText(QString::fromStdString(problem.what()));
    problem_->show();
  });
  connect(&style_, &Style::changed, this, &SaySomething::updateSizes);
  updateSizes();
  showModel();
}

QWidget* SaySomething::makeWriting() {
  auto* group = new QWidget;
  auto* column = new QVBoxLayout(group);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(sampling_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(write_, 1);
  buttons->addWidget(stop_);
  column->addLayout(buttons);
  column->addWidget(progress_);
  write_->setToolTip(tr("Let the model write on from this text (Return)"));
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Tokens written"));
  connect(write_, &QPushButton::clicked, this, &SaySomething::write);
  connect(stop_, &QPushButton::clicked, &document_, &ModelDocument::stopAnswer);
  connect(sampling_, &FieldForm::validityChanged, write_, &QWidget::setEnabled);
  endWriting();
  return group;
}

bool SaySomething::writesText() const { return document_.task().form() == data::TaskForm::Text; }

void SaySomething::showModel() {
  setEnabled(document_.isOpen());
  writing_->setVisible(document_.isOpen() && writesText());
  clearAnswer();
  if (!document_.isOpen()) return;
  endWriting();
  showProblem();
  sendWants();
}

void SaySomething::showProblem() {
  if (input_->text() != document_.question()) input_->setText(document_.question());
  const std::optional<Error> problem = document_.questionProblem();
  problem_->setText(problem ? QString::fromStdString(problem->what()) : QString());
  problem_->setVisible(problem.has_value());
  input_->setAccessibleDescription(problem_->text());
  write_->setEnabled(!problem && sampling_->isValid());
  if (problem) clearAnswer();
}

void SaySomething::showLiveAnswer() {
  if (!document_.snapshot() || writesText()) return;
  const auto& samples = document_.snapshot()->samples;
  const std::string question = document_.question().toStdString();
  const auto asked = [&](const train::AnsweredQuestion& a) { return a.question == question; };
  const auto found = std::find_if(samples.begin(), samples.end(), asked);
  if (found != samples.end()) showAnswer(*found);
}

void SaySomething::showAnswer(const train::AnsweredQuestion& answer) {
  std::vector<ShadedToken> tokens;
  for (const train::AnswerToken& token : answer.tokens)
    tokens.push_back({QString::fromStdString(token.text), double(token.probability)});
  answer_->setVisible(!tokens.empty());
  answer_->setTokens(std::move(tokens));
  answer_->setTitle(tr("Answer: %1").arg(QString::fromStdString(answer.answer)));
}

void SaySomething::clearAnswer() {
  answer_->setTokens({});
  answer_->hide();
}

void SaySomething::write() {
  if (!write_->isEnabled()) return;
  ++options_.seed;  // another text each time
  clearAnswer();
  progress_->setRange(0, int(options_.most_tokens));
  progress_->setValue(0);
  progress_->show();
  stop_->show();
  document_.ask(document_.question(), options_);
}

void SaySomething::showWriting(const train::AnsweredQuestion& answer, bool finished) {
  showAnswer(answer);
  progress_->setValue(int(answer.tokens.size()));
  if (finished) endWriting();
}

void SaySomething::endWriting() {
  progress_->hide();
  stop_->hide();
}

void SaySomething::sendWants() {
  Wants wants;
  wants.answer = isVisible() && document_.isOpen() && !writesText();
  document_.setWants(this, wants);
}

void SaySomething::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  sendWants();
}

void SaySomething::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  sendWants();
}

void SaySomething::updateSizes() {
  column_->setSpacing(style_.px(8));
  input_->setFont(style_.numberFont());
  problem_->setFont(style_.textFont(12));
}

}  // namespace tfm::ui
