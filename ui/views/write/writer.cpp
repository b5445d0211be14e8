// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/write/writer.h"

#include <algorithm>
#include <utility>

#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

using train::AnsweredQuestion;

constexpr int kRevealMilliseconds = 45;      // per token, about reading speed
constexpr int kLookAgainMilliseconds = 400;  // during training, which changes what would come next
constexpr qint64 kBetweenTexts = 2000;       // milliseconds at least, during training
constexpr qint64 kTrainingShare = 19;        // times longer than writing, which it waits for

}  // namespace

Writer::Writer(ModelDocument& document, Kind kind, std::function<SamplingOptions()> options)
    : document_(document),
      answers_(kind == Kind::OnRequest ? document.answers() : document.liveAnswers()),
      kind_(kind),
      options_(std::move(options)),
      before_(text_.answer) {
  reveal_.setInterval(kRevealMilliseconds);
  look_again_.setInterval(kLookAgainMilliseconds);
  write_again_.setSingleShot(true);
  connect(&reveal_, &QTimer::timeout, this, &Writer::reveal);
  connect(&look_again_, &QTimer::timeout, this, &Writer::lookAgain);
  connect(&write_again_, &QTimer::timeout, this, &Writer::writeAgain);
  connect(&document_, &ModelDocument::replaced, this, &Writer::questionChanged);
  connect(&document_.observing(), &Observing::questionChanged, this, &Writer::questionChanged);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &Writer::takeSnapshot);
  connect(&document_.moments(), &Moments::momentChanged, this, &Writer::modelChanged);
  connect(&document_.interventions(), &Interventions::changed, this, &Writer::modelChanged);
  connect(&document_.training(), &Training::rewound, this, &Writer::modelChanged);
  connect(&document_.training(), &Training::measured, this, [this] {
    if (!document_.moments().showsNow()) return;
    outdated_ = true;
    writeAgain();
  });
  connect(&document_.training(), &Training::runningChanged, this, [this](bool running) {
    running ? look_again_.start() : look_again_.stop();
    if (!running) since_written_.invalidate();  // writing now costs no training
    lookAgain();
    writeAgain();
  });
  connect(&answers_, &Answers::answering, this, &Writer::take);
  connect(&answers_, &Answers::failed, this, [this](const Error& problem) {
    if (asked_ == Asked::Nothing) return;
    problem_ = QString::fromStdString(problem.what());
    end(text_);
  });
  questionChanged();
}

bool Writer::writesText() const {
  return document_.isOpen() && document_.codec().form() == data::TaskForm::Text;
}

void Writer::setVisible(bool visible) {
  visible_ = visible;
  if (!visible) return;
  takeSnapshot();
  lookAgain();
  writeAgain();
}

void Writer::setReading(bool reading) {
  reading_ = reading;
  writeAgain();
}

void Writer::setAtOnce(bool at_once) {
  at_once_ = at_once;
  reveal();
}

void Writer::questionChanged() {
  if (!document_.isOpen()) return;
  const std::optional<Error> problem = document_.observing().questionProblem();
  readable_ = !problem;
  problem_ = problem ? QString::fromStdString(problem->what()) : QString();
  if (asked_ != Asked::Nothing) answers_.forget();
  asked_ = Asked::Nothing;
  reveal_.stop();
  set({});
  modelChanged();
}

void Writer::modelChanged() {
  lookAgain();
  outdated_ = true;
  since_written_.invalidate();
  writeAgain();
}

void Writer::lookAgain() {
  if (kind_ == Kind::OnRequest && visible_ && canWrite() && asked_ == Asked::Nothing &&
      text_.answer->tokens.empty())
    ask(Asked::Look, 1);
}

void Writer::writeAgain() {
  if (kind_ == Kind::OnRequest || !outdated_ || asked_ != Asked::Nothing) return;
  if (!visible_ || reading_ || !canWrite()) return;
  const qint64 wait = since_written_.isValid()
                          ? std::max(kBetweenTexts, kTrainingShare * writing_milliseconds_) -
                                since_written_.elapsed()
                          : 0;
  if (wait > 0) return write_again_.start(int(wait));
  ask(Asked::Again, options_().max_tokens);
}

void Writer::write() {
  if (!canWrite()) return;
  ++seed_;  // another text each time
  set({});
  ask(Asked::Text, options_().max_tokens);
}

void Writer::writeOne() {
  if (!canWrite()) return;
  stop();
  ask(Asked::Text, 1);
}

void Writer::ask(Asked asked, std::int64_t tokens) {
  asked_ = asked;
  arriving_ = true;
  problem_.clear();
  before_ = asked == Asked::Again ? std::make_shared<const AnsweredQuestion>() : text_.answer;
  if (asked != Asked::Look) outdated_ = false;
  since_asked_.start();
  SamplingOptions options = options_();
  options.max_tokens = tokens;
  options.seed = seed_;
  options.keep_logits = true;
  data::Ids known;
  for (const auto& token : before_->tokens) known.push_back(token.id);
  answers_.ask(document_.observing().question(), options, known);
  if (asked != Asked::Text) return;
  reveal_.start();
  Written text = text_;
  text.wanted = std::int64_t(known.size()) + tokens;
  text.writing = true;
  set(std::move(text));
}

void Writer::take(const AnsweredQuestion& part, bool finished) {
  if (asked_ == Asked::Nothing || (asked_ == Asked::Again && !finished)) return;
  if (finished) writing_milliseconds_ = since_asked_.elapsed();
  AnsweredQuestion answer = *before_;
  answer.step = part.step;
  answer.logits.resize(answer.tokens.size());  // the model now knows better what would follow
  answer.logits.insert(answer.logits.end(), part.logits.begin(), part.logits.end());
  Written text = text_;
  if (asked_ == Asked::Look) {
    // One token was drawn only to show what it would be drawn from.
    answer.logits.resize(std::min<std::size_t>(answer.logits.size(), 1));
    text.answer = std::make_shared<const AnsweredQuestion>(std::move(answer));
    asked_ = Asked::Nothing;
    return set(std::move(text));
  }
  answer.tokens.insert(answer.tokens.end(), part.tokens.begin(), part.tokens.end());
  text.answer = std::make_shared<const AnsweredQuestion>(std::move(answer));
  if (asked_ == Asked::Again) {
    text.shown = text.answer->tokens.size();
    return end(std::move(text));
  }
  arriving_ = !finished;
  if (finished) text.wanted = std::int64_t(text.answer->tokens.size());
  text_ = std::move(text);
  if (at_once_ || finished) reveal();
}

void Writer::takeSnapshot() {
  if (!visible_ || !document_.isOpen() || !document_.observing().snapshot() || writesText()) return;
  const auto& samples = document_.observing().snapshot()->samples;
  const std::string question = document_.observing().question().toStdString();
  // The last one: a question that is also held out occurs twice, once possibly without logits.
  const auto found = std::find_if(samples.rbegin(), samples.rend(),
                                  [&](const auto& each) { return each.question == question; });
  if (found == samples.rend()) return;
  Written text;
  text.answer = std::make_shared<const AnsweredQuestion>(*found);
  text.shown = found->tokens.size();
  set(std::move(text));
}

void Writer::reveal() {
  if (asked_ != Asked::Text) return;
  Written text = text_;
  const std::size_t all = text.answer->tokens.size();
  text.shown = at_once_ ? all : std::min(text.shown + 1, all);
  if (!arriving_ && text.shown == all) return end(std::move(text));
  set(std::move(text));
}

void Writer::stop() {
  if (asked_ != Asked::Text) return;
  answers_.stop();
  AnsweredQuestion answer = *text_.answer;
  answer.tokens.resize(text_.shown);
  answer.logits.resize(std::min(answer.logits.size(), text_.shown + 1));
  Written text = text_;
  text.answer = std::make_shared<const AnsweredQuestion>(std::move(answer));
  end(std::move(text));
}

void Writer::end(Written text) {
  asked_ = Asked::Nothing;
  arriving_ = false;
  reveal_.stop();
  since_written_.start();
  text.writing = false;
  set(std::move(text));
  writeAgain();
}

void Writer::set(Written text) {
  const Written before = std::exchange(text_, std::move(text));
  emit changed(before);
}

}  // namespace tfm::ui
