// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/observing.h"

#include <algorithm>
#include <utility>

#include "core/data/random_examples.h"

namespace tfm::ui {
namespace {

constexpr double kSnapshotsASecond = 15.0;
constexpr std::size_t kSamples = 6;
constexpr std::size_t kTextSamples = 2;  // long answers are slow

/// Held-out questions whose answers are shown during training.
std::vector<data::Sample> sampleQuestions(const data::Task& task) {
  const std::size_t most = task.form() == data::TaskForm::Text ? kTextSamples : kSamples;
  std::vector<data::Sample> samples;
  for (std::uint64_t i = 0; samples.size() < most && i < 4 * most; ++i) {
    const data::Example example = task.example(data::Split::Evaluation, 0, i);
    data::Sample sample{task.questionText(data::Split::Evaluation, 0, i),
                        task.answerText(example.target)};
    const auto same = [&](const data::Sample& other) { return other.source == sample.source; };
    if (!sample.source.empty() && std::none_of(samples.begin(), samples.end(), same))
      samples.push_back(std::move(sample));
  }
  return samples;
}

/// A short text that a model without a task can read.
std::string anyQuestion(const data::TextCodec& codec) {
  constexpr std::int64_t kLongest = 8;
  return codec.inputText(data::randomExample(codec, 0, kLongest).source);
}

}  // namespace

Observing::Observing(OpenRun& run, Moments& moments, const Interventions& interventions)
    : run_(run), moments_(moments), interventions_(interventions) {
  connect(&moments_, &Moments::looked, this, &Observing::take);
  connect(&moments_, &Moments::shapeChanged, this, [this] { snapshot_.reset(); });
  connect(&moments_, &Moments::momentChanged, this, [this] {
    if (showed_now_ != moments_.showsNow()) sendWatch();
  });
  connect(&moments_, &Moments::pinsChanged, this, &Observing::sendWatch);
  connect(&interventions_, &Interventions::changed, this, [this] {
    if (sent_ != interventions_.inForce()) sendWatch();
  });
}

void Observing::open(const QString& question) {
  snapshot_.reset();
  samples_.clear();
  if (run_.task) samples_ = sampleQuestions(*run_.task);
  question_ = question;
  if (question_.isEmpty())
    question_ = QString::fromStdString(samples_.empty() ? anyQuestion(*run_.codec)
                                                        : samples_.front().source);
}

void Observing::take(std::shared_ptr<const train::Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  emit snapshotChanged();
}

void Observing::setQuestion(const QString& question) {
  if (question == question_) return;
  question_ = question;
  emit questionChanged(question_);
  sendWatch();
}

std::optional<Error> Observing::questionProblem() const {
  return problemOf([this] { run_.codec->encodeInput(question_.toStdString()); });
}

void Observing::setWants(const QObject* view, const Wants& wants) {
  if (wants == Wants{}) {
    if (wants_.erase(view) == 0) return;
  } else {
    const auto known = wants_.find(view);
    if (known != wants_.end() && known->second == wants) return;
    wants_[view] = wants;
  }
  sendWatch();
}

void Observing::sendWatch() {
  if (!run_.loop) return;
  train::Watch watch;
  bool samples = false, answer = false, beside_pin = false;
  for (const auto& [view, wants] : wants_) {
    watch.parameters = watch.parameters || wants.parameters;
    watch.norms = watch.norms || wants.norms;
    samples = samples || wants.samples;
    watch.logits = watch.logits || wants.logits;
    answer = answer || wants.answer;
    beside_pin = beside_pin || wants.beside_pin;
    if (wants.pattern.empty()) continue;
    watch.pattern += (watch.pattern.empty() ? "" : ",") + wants.pattern;
    watch.question = question_.toStdString();
  }
  if (samples)
    for (const data::Sample& sample : samples_) watch.samples.push_back(sample.source);
  if (answer && !questionProblem()) watch.samples.push_back(question_.toStdString());
  watch.interventions = sent_ = interventions_.inForce();
  beside_pin = beside_pin && moments_.pinned(Pin::A);
  if (beside_pin) watch.read = train::ReadAnswer::Right;
  moments_.setWatch(watch, beside_pin);
  showed_now_ = moments_.showsNow();
  run_.loop->watch(showed_now_ ? watch : train::Watch{}, kSnapshotsASecond);
}

}  // namespace tfm::ui
