// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/say_something.h"

#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/prompt_field.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {

SaySomething::SaySomething(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      document_(document),
      input_(new PromptField(tr("Say something"))),
      problem_(wrappedLabel("bad")),
      write_(pushButton(tr("Write"), tr("Let the model continue this text (Return)"))),
      answer_(new TokenLine(style)) {
  answer_->setTitle(tr("Answer"));
  setLayout(columnOf(style, 8, {input_, problem_, write_, answer_}));

  connect(input_, &PromptField::textEdited, this, [this](const QString& text) {
    if (document_.isOpen()) document_.observing().setQuestion(text);
  });
  connect(input_, &PromptField::returnPressed, this, [this] {
    window()->setFocus();  // keys are commands again
    if (document_.isOpen() && writesText() && write_->isEnabled()) emit writeRequested();
  });
  connect(write_, &QPushButton::clicked, this, &SaySomething::writeRequested);
  connect(&document_, &ModelDocument::replaced, this, &SaySomething::showModel);
  connect(&document_.observing(), &Observing::questionChanged, this, &SaySomething::showProblem);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &SaySomething::showLiveAnswer);
  style.follow(this, [this, &style] {
    input_->setFont(style.numberFont());
    problem_->setFont(style.textFont(12));
  });
  showModel();
}

bool SaySomething::writesText() const { return document_.codec().form() == data::TaskForm::Text; }

void SaySomething::showModel() {
  setEnabled(document_.isOpen());
  write_->setVisible(document_.isOpen() && writesText());
  clearAnswer();
  if (!document_.isOpen()) return;
  showProblem();
  updateNeed();
}

void SaySomething::showProblem() {
  if (input_->text() != document_.observing().question())
    input_->setText(document_.observing().question());
  const std::optional<Error> problem = document_.observing().questionProblem();
  const data::TextCodec& codec = document_.codec();
  std::string words = problem ? problem->what() : "";
  if (!problem)  // what of it the model does not see
    words = codec.inputNotice(document_.observing().question().toStdString());
  setRole(*problem_, problem ? "bad" : "muted");
  setOrHide(*problem_, QString::fromStdString(words));
  input_->setAccessibleDescription(problem_->text());
  write_->setEnabled(!problem);
  if (problem) clearAnswer();
}

void SaySomething::showLiveAnswer() {
  if (!document_.observing().snapshot() || writesText()) return;
  const auto& samples = document_.observing().snapshot()->samples;
  const std::string question = document_.observing().question().toStdString();
  const auto asked = [&](const train::AnsweredQuestion& a) { return a.question == question; };
  const auto found = std::find_if(samples.begin(), samples.end(), asked);
  if (found == samples.end()) return;
  std::vector<ShadedToken> tokens;
  for (const train::AnswerToken& token : found->tokens)
    tokens.push_back({QString::fromStdString(token.text), double(token.probability)});
  answer_->setVisible(!tokens.empty());
  answer_->setTokens(std::move(tokens));
  answer_->setTitle(tr("Answer: %1").arg(QString::fromStdString(found->answer)));
}

void SaySomething::clearAnswer() {
  answer_->setTokens({});
  answer_->hide();
}

Need SaySomething::need() const { return {.answer = document_.isOpen() && !writesText()}; }

}  // namespace tfm::ui
