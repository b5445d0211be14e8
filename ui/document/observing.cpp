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
std::string anyQuestion(const data::TextCodec& codec, std::uint64_t index) {
  constexpr std::int64_t kLongest = 8;
  return codec.inputText(data::randomExample(codec, index, kLongest).source);
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

void Observing::open(const AskedTexts& texts) {
  snapshot_.reset();
  samples_.clear();
  if (run_.task) samples_ = sampleQuestions(*run_.task);
  texts_ = texts;
  if (texts_ == AskedTexts{}) texts_.all.front() = exampleBeside({});
}

void Observing::take(std::shared_ptr<const train::Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  moments_.readBeside(snapshot_->probe);
  emit snapshotChanged();
}

QString Observing::exampleBeside(const QStringList& texts) const {
  if (samples_.empty())
    return QString::fromStdString(anyQuestion(*run_.codec, std::uint64_t(texts.size())));
  QString example;
  for (const data::Sample& sample : samples_) {
    const QString one = QString::fromStdString(sample.source);
    if (texts.contains(one)) continue;
    if (texts.isEmpty() || one.size() == texts.front().size()) return one;
    if (example.isEmpty()) example = one;
  }
  return example;
}

void Observing::setTexts(AskedTexts texts) {
  if (texts == texts_) return;
  const bool other = texts.question() != question();
  texts_ = std::move(texts);
  if (other) emit questionChanged(question());
  emit textsChanged();
  sendWatch();
}

void Observing::addText() {
  if (texts_.all.size() >= kMostTexts) return;
  AskedTexts texts = texts_;
  texts.all << exampleBeside(texts.all);
  texts.shown = int(texts.all.size()) - 1;
  setTexts(std::move(texts));
}

void Observing::removeText(int text) {
  if (texts_.all.size() < 2) return;
  AskedTexts texts = texts_;
  texts.all.removeAt(text);
  if (texts.shown > text || texts.shown == texts.all.size()) --texts.shown;
  setTexts(std::move(texts));
}

void Observing::setText(int text, const QString& words) {
  AskedTexts texts = texts_;
  texts.all[text] = words;
  setTexts(std::move(texts));
}

void Observing::showText(int text) {
  AskedTexts texts = texts_;
  texts.shown = text;
  setTexts(std::move(texts));
}

std::optional<Error> Observing::textProblem(int text) const {
  return problemOf([&] { run_.codec->encodeInput(texts_.all[text].toStdString()); });
}

const train::ProbeInput* Observing::inputOf(int text) const {
  if (!snapshot_) return nullptr;
  const std::string words = texts_.all.value(text).toStdString();
  if (snapshot_->probe.question == words) return &snapshot_->probe;
  for (const train::SeenText& other : snapshot_->others)
    if (other.probe.question == words) return &other.probe;
  return nullptr;
}

QString Observing::noComparison(const ComparedTexts& pair) const {
  const train::ProbeInput* first = inputOf(pair.first);
  const train::ProbeInput* second = inputOf(pair.second);
  if (first == nullptr || second == nullptr) return tr("The model has not read both texts");
  const auto differ = [&](std::int64_t one, std::int64_t other, const QString& sentence) {
    return one == other ? QString()
                        : sentence.arg(pair.first + 1).arg(one).arg(pair.second + 1).arg(other);
  };
  const QString read = differ(first->batch.source_length - first->source_pads,
                              second->batch.source_length - second->source_pads,
                              tr("No difference: text %1 has %2 tokens, text %3 has %4"));
  if (!read.isEmpty()) return read;
  return differ(first->batch.target_length - first->decoder_pads,
                second->batch.target_length - second->decoder_pads,
                tr("No difference: the decoder reads %2 tokens of text %1, and %4 of text %3"));
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
  bool samples = false, answer = false, beside_pin = false, texts = false;
  for (const auto& [view, wants] : wants_) {
    watch.parameters = watch.parameters || wants.parameters;
    watch.moments = watch.moments || wants.moments;
    watch.norms = watch.norms || wants.norms;
    samples = samples || wants.samples;
    watch.logits = watch.logits || wants.logits;
    answer = answer || wants.answer;
    beside_pin = beside_pin || wants.beside_pin;
    if (wants.pattern.empty()) continue;
    watch.pattern += (watch.pattern.empty() ? "" : ",") + wants.pattern;
    watch.question = question().toStdString();
    texts = texts || wants.texts;
  }
  for (int text = 0; texts && text < texts_.all.size(); ++text)
    if (text != texts_.shown && !texts_.all[text].isEmpty() && !textProblem(text))
      watch.others.push_back(texts_.all[text].toStdString());
  if (samples)
    for (const data::Sample& sample : samples_) watch.samples.push_back(sample.source);
  if (answer && !questionProblem()) watch.samples.push_back(question().toStdString());
  watch.interventions = sent_ = interventions_.inForce();
  beside_pin = beside_pin && moments_.pinned(Pin::A);
  if (beside_pin) watch.read = train::ReadAnswer::Right;
  moments_.setWatch(watch, beside_pin);
  showed_now_ = moments_.showsNow();
  run_.loop->watch(showed_now_ ? watch : train::Watch{}, kSnapshotsASecond);
}

}  // namespace tfm::ui
