// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/observing.h"

#include <algorithm>
#include <array>
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

/// Where a word depends on another one, which attention shows.
constexpr std::array kSentences{"The cat sat on the mat because it was tired.",
                                "The capital of France is",
                                "She poured water from the bottle into the cup until it was full.",
                                "My brother lives in London, and he likes it there."};

/// A short text that a model without a task can read: a sentence if it knows all of it.
std::string anyQuestion(const data::TextCodec& codec, std::uint64_t index) {
  constexpr std::int64_t kLongest = 8;
  const std::string sentence = kSentences[index % kSentences.size()];
  if (!codec.tokenizerName().empty() && codec.canRead(sentence))
    if (const data::Reading reading = codec.readInput(sentence);
        reading.unknown == 0 && reading.tokens <= codec.longestInput())
      return sentence;
  return codec.inputText(data::randomExample(codec, index, kLongest).source);
}

}  // namespace

Observing::Observing(OpenRun& run, Moments& moments, const Interventions& interventions)
    : run_(run), moments_(moments), interventions_(interventions) {
  connect(&moments_, &Moments::shapeChanged, this, [this] { snapshot_.reset(); });
  connect(&moments_, &Moments::momentChanged, this, [this] {
    if (!moments_.showsNow()) looking_.reset();  // another moment of the same state is seen too
    look();
  });
  connect(&moments_, &Moments::pinsChanged, this, &Observing::look);
  connect(&interventions_, &Interventions::changed, this, &Observing::look);
}

void Observing::open(const AskedTexts& texts) {
  looking_.reset();
  snapshot_.reset();
  samples_.clear();
  if (run_.task) samples_ = sampleQuestions(*run_.task);
  texts_ = texts;
  if (texts_ == AskedTexts{}) texts_.all.front() = exampleBeside({});
}

void Observing::take(std::shared_ptr<const train::Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
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
  look();
}

void Observing::addText() {
  if (std::size_t(texts_.all.size()) >= kMostTexts) return;
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

void Observing::setNeed(const QObject* view, const Need& need) {
  if (need == Need{})
    needs_.erase(view);
  else
    needs_[view] = need;
  look();
}

train::Looking Observing::looking() const {
  train::Looking looking;
  bool samples = false, answer = false, beside_pin = false, reading = false, texts = false;
  for (const auto& [view, need] : needs_) {
    looking.parameters = looking.parameters || need.parameters;
    looking.moments = looking.moments || need.moments;
    looking.norms = looking.norms || need.norms;
    looking.logits = looking.logits || need.logits;
    samples = samples || need.samples;
    answer = answer || need.answer;
    beside_pin = beside_pin || need.beside_pin;
    reading = reading || need.reading || !need.pattern.empty();
    texts = texts || need.texts;
    if (!need.pattern.empty())
      looking.pattern += (looking.pattern.empty() ? "" : ",") + need.pattern;
  }
  if (reading) looking.question = question().toStdString();
  for (int text = 0; reading && texts && text < texts_.all.size(); ++text)
    if (text != texts_.shown && !texts_.all[text].isEmpty() && !textProblem(text))
      looking.others.push_back(texts_.all[text].toStdString());
  if (samples)
    for (const data::Sample& sample : samples_) looking.samples.push_back(sample.source);
  if (answer && !questionProblem()) looking.samples.push_back(question().toStdString());
  looking.interventions = interventions_.inForce();

  if (const train::Moment* moment = moments_.shown()) looking.state = moment->state;
  if (const train::Moment* earlier = moments_.subtracted())
    looking.minus = earlier->state;
  else if (const auto& pin = moments_.pinned(Pin::A); beside_pin && pin)
    looking.beside = pin->state;
  if (looking.minus || looking.beside) looking.read = train::ReadAnswer::Right;
  return looking;
}

void Observing::look() {
  if (!run_.loop) return;
  train::Looking next = looking();
  if (looking_ == next) return;
  if (snapshot_ && snapshot_->beside && (!looking_ || looking_->beside != next.beside)) {
    auto alone = std::make_shared<train::Snapshot>(*snapshot_);
    alone->beside.reset();
    snapshot_ = std::move(alone);
  }
  looking_ = std::move(next);
  run_.loop->look(*looking_, kSnapshotsASecond);
}

}  // namespace tfm::ui
