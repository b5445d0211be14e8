// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/submodel_explorer.h"

#include <algorithm>
#include <utility>

#include "core/document/extracted.h"
#include "core/document/history.h"
#include "core/matformer/mix_n_match.h"
#include "ui/document/latest_job.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kExamples = 2000;       // while training is paused
constexpr std::int64_t kMovingExamples = 400;  // while training runs
constexpr qint64 kRoundMilliseconds = 2000;    // between measurements during training
constexpr std::int64_t kMaxOfFront = 256;
constexpr std::int64_t kStudyExamples = 1000;

bool sameNumbers(const ModelState& a, const ModelState& b) {
  return a.step == b.step && a.seed == b.seed && a.config == b.config &&
         a.parameters == b.parameters;
}

Submodel wholeOf(const ModelConfig& config) { return {fullWidths(config), fullHeads(config)}; }

bool has(const ModelConfig& config, const Submodel& submodel) {
  return !problemOf([&] { validate(config, submodel); });
}

}  // namespace

SubmodelExplorer::SubmodelExplorer(ModelDocument& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document_, &ModelDocument::replaced, this, [this] {
    state_.reset();
    queue_.start({}, {});
    mixes_.clear();
    scores_.clear();
    answers_ = {};
    asking_.forget();
    choice_ = {};
    updateGranularities();
    study_.forget();
    look();
  });
  connect(&document_.observing(), &Observing::snapshotChanged, this, &SubmodelExplorer::look);
  connect(&document_.training(), &Training::runningChanged, this, &SubmodelExplorer::follow);
  connect(&document_.training(), &Training::configChanged, this, [this] {
    if (nesting_ == document_.training().config().nesting) return;
    updateGranularities();
    measureMissing();
    answer();
  });
  connect(&document_.observing(), &Observing::questionChanged, this, &SubmodelExplorer::answer);
  connect(&queue_, &SubmodelQueue::scored, this,
          [this](const train::SubmodelScore& score, bool complete) {
            scores_.take({score, queue_.subject().state->step, measured_moment_, complete});
            problem_.reset();
            emit scoresChanged();
          });
  connect(&queue_, &SubmodelQueue::failed, this, [this](const Error& problem) {
    problem_ = problem;
    emit scoresChanged();
  });
  connect(&queue_, &SubmodelQueue::emptied, this, [this] {
    asked_ = 0;
    emit scoresChanged();
    follow();
  });
}

SubmodelExplorer::~SubmodelExplorer() = default;

void SubmodelExplorer::setActive(bool active) {
  active_ = active;
  if (!active) {
    asked_ = 0;
    return queue_.start(queue_.subject(), {});
  }
  look();
  measureMissing();
}

void SubmodelExplorer::look() {
  const auto& snapshot = document_.observing().snapshot();
  if (!active_ || !snapshot || !snapshot->state || snapshot->is_difference) return;
  // A file of a submodel has the moments, too.
  if (snapshot->state->first_moment.empty()) return;
  if (state_ != snapshot->state && (!state_ || !sameNumbers(*state_, *snapshot->state)))
    takeState(snapshot->state);
  follow();
}

void SubmodelExplorer::takeState(std::shared_ptr<const ModelState> state) {
  const bool other = !state_ || !(state_->config == state->config);
  state_ = std::move(state);
  ++moment_;
  if (!other) return emit stateChanged();
  queue_.start({}, {});
  scores_.clear();
  asking_.forget();
  std::erase_if(mixes_, [&](const Submodel& mix) { return !has(state_->config, mix); });
  if (choice_.widths.empty() || !has(state_->config, choice_)) choice_ = wholeOf(state_->config);
  updateGranularities();
}

bool SubmodelExplorer::isNested() const {
  return !document_.training().config().nesting.widths.empty();
}

QString SubmodelExplorer::whyNotNestable() const {
  if (layerCount(document_.training().model()) == 0)
    return tr("This model has no feed-forward layers to nest.");
  if (matformer::defaultNesting(document_.training().model()).widths.size() < 2)
    return tr("The feed-forward layers have only one unit, so there is nothing to nest.");
  return {};
}

void SubmodelExplorer::updateGranularities() {
  nesting_ = document_.training().config().nesting;
  granularities_.clear();
  if (state_ && layerCount(state_->config) > 0)
    granularities_ = matformer::granularities(
        state_->config, isNested() ? nesting_ : matformer::defaultNesting(state_->config));
  emit modelChanged();
}

QString SubmodelExplorer::nameOf(const Submodel& submodel) const {
  return QString::fromStdString(matformer::nameOf(granularities_, submodel));
}

void SubmodelExplorer::choose(const Submodel& submodel) {
  if (!state_ || submodel == choice_ || submodel.widths.empty() || !has(state_->config, submodel))
    return;
  choice_ = submodel;
  if (choice_.heads.empty()) choice_.heads = fullHeads(state_->config);
  emit choiceChanged();
  if (!active_) return;
  if (queue_.subject().state && document_.task() != nullptr &&
      !scores_.isMeasured(choice_, measured_moment_))
    queue_.addFirst(choice_);
  asked_ = std::max(asked_, queue_.left());
  emit scoresChanged();
  answer();
}

void SubmodelExplorer::chooseWidths(const std::vector<std::int64_t>& widths) {
  if (!state_ || std::int64_t(widths.size()) != layerCount(state_->config)) return;
  Submodel submodel{widths, fullHeads(state_->config)};
  for (std::size_t layer = 0; layer < widths.size(); ++layer)
    for (const matformer::Granularity& one : granularities_)
      if (one.submodel.widths[layer] >= widths[layer]) {
        submodel.heads[layer] = one.submodel.heads[layer];
        break;
      }
  choose(submodel);
}

const TimedScore* SubmodelExplorer::wholeScore() const {
  return state_ ? score(wholeOf(state_->config)) : nullptr;
}

std::vector<Submodel> SubmodelExplorer::wanted() const {
  std::vector<Submodel> all;
  const auto want = [&](const Submodel& one) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  };
  if (!choice_.widths.empty()) want(choice_);
  for (const matformer::Granularity& one : granularities_) want(one.submodel);
  for (const Submodel& mix : mixes_) want(mix);
  return all;
}

void SubmodelExplorer::follow() {
  if (!active_ || !state_ || granularities_.empty()) return;
  const ScoringSubject& measured = queue_.subject();
  const bool first = measured.state == nullptr;
  const bool moving = document_.training().isRunning();
  if (measured.state == state_ && (moving || measured.examples == kExamples)) return;
  if (!first && moving && (queue_.left() > 0 || since_round_.elapsed() < kRoundMilliseconds))
    return;
  startRound();
}

void SubmodelExplorer::startRound() {
  since_round_.start();
  measured_moment_ = moment_;
  const std::vector<Submodel> wanted = this->wanted();
  scores_.keepOnly(wanted);
  const bool moving = document_.training().isRunning();
  if (document_.task() == nullptr) problem_ = document_.whyNoTask();
  queue_.start({document_.sharedTask(), state_, moving ? kMovingExamples : kExamples,
                moving ? 1 : document_.training().threads()},
               document_.task() != nullptr ? wanted : std::vector<Submodel>());
  asked_ = queue_.left();
  emit scoresChanged();
  answer();
}

void SubmodelExplorer::addMixes(std::vector<Submodel> mixes) {
  for (Submodel& mix : mixes) {
    const bool trained = std::ranges::any_of(
        granularities_, [&](const matformer::Granularity& one) { return one.submodel == mix; });
    if (!trained && std::ranges::find(mixes_, mix) == mixes_.end())
      mixes_.push_back(std::move(mix));
  }
  measureMissing();
}

void SubmodelExplorer::measureMissing() {
  if (!active_ || !queue_.subject().state || document_.task() == nullptr) return;
  std::vector<Submodel> missing = wanted();
  std::erase_if(missing, [this](const Submodel& submodel) {
    return scores_.isMeasured(submodel, measured_moment_);
  });
  queue_.add(missing);
  asked_ = std::max(asked_, queue_.left());
  emit scoresChanged();
}

void SubmodelExplorer::mixUniform() {
  if (granularities_.empty()) return;
  std::vector<Submodel> between;
  for (std::size_t i = 0; i + 1 < granularities_.size(); ++i) {
    Submodel middle = granularities_[i + 1].submodel;
    for (std::size_t layer = 0; layer < middle.widths.size(); ++layer)
      middle.widths[layer] =
          (granularities_[i].submodel.widths[layer] + middle.widths[layer] + 1) / 2;
    between.push_back(std::move(middle));
  }
  addMixes(std::move(between));
}

void SubmodelExplorer::mixBudget(std::int64_t parameters) {
  if (granularities_.empty()) return;
  const Submodel best = matformer::withinBudget(state_->config, granularities_, parameters);
  addMixes({best});
  choose(best);
}

void SubmodelExplorer::mixRandom(int count) {
  if (granularities_.empty()) return;
  addMixes(matformer::randomMixes(state_->config, granularities_, count, draws_++));
}

bool SubmodelExplorer::frontIsWhole() const {
  return !granularities_.empty() &&
         !matformer::everyMix(state_->config, granularities_, kMaxOfFront).empty();
}

void SubmodelExplorer::mixFront() {
  if (granularities_.empty()) return;
  std::vector<Submodel> mixes = matformer::everyMix(state_->config, granularities_, kMaxOfFront);
  if (mixes.empty()) mixes = matformer::slopes(state_->config, granularities_);
  addMixes(std::move(mixes));
}

void SubmodelExplorer::cancelMixes() {
  std::erase_if(mixes_, [this](const Submodel& mix) {
    if (scores_.find(mix) != nullptr && scores_.find(mix)->complete) return false;
    if (mix != choice_) queue_.remove(mix);
    return true;
  });
  asked_ = queue_.left();
  emit scoresChanged();
}

void SubmodelExplorer::forgetMixes() {
  for (const Submodel& mix : mixes_)
    if (mix != choice_) queue_.remove(mix);
  mixes_.clear();
  asked_ = queue_.left();
  emit scoresChanged();
}

void SubmodelExplorer::answer() {
  if (!active_ || !state_ || granularities_.empty() || document_.observing().question().isEmpty())
    return;
  ElasticQuestion question{state_, document_.sharedCodec(), document_.observing().question(), {}};
  for (const matformer::Granularity& one : granularities_)
    question.submodels.push_back({QString::fromStdString(one.name), one.submodel, {}});
  if (std::ranges::none_of(granularities_, [this](const matformer::Granularity& one) {
        return one.submodel == choice_;
      }))
    question.submodels.push_back({choiceName(), choice_, {}});
  asking_.start([question] { return answerBySubmodels(question); },
                [this](const ElasticAnswers& answers) {
                  answers_ = answers;
                  emit answersChanged();
                });
}

void SubmodelExplorer::train(const matformer::Nesting& nesting) {
  train::TrainConfig training = document_.training().config();
  training.nesting = nesting;
  document_.training().setConfig(training);
  document_.training().note(train::EventKind::Note, nesting.widths.empty()
                                                        ? tr("submodels no longer trained")
                                                        : tr("trained as MatFormer"));
}

void SubmodelExplorer::startStudy(std::int64_t steps, int seeds) {
  if (document_.task() == nullptr) return document_.training().wantTask();
  if (!isNested()) return;
  train::StudyConfig config = studyOf(document_);
  setRuns(config, steps, seeds);
  config.examples = kStudyExamples;
  study_.start(std::move(config));
}

void SubmodelExplorer::extract(const QString& path,
                               std::function<void(const std::optional<Error>&)> done) {
  if (!state_) return;
  auto whole = std::make_shared<train::Document>();
  document_.describeTask(*whole);
  whole->train = document_.training().config();
  whole->history = document_.training().history();
  const auto work = [whole, state = state_, choice = choice_, path = path.toStdString()] {
    return problemOf([&] {
      whole->state = *state;
      train::truncateAfter(whole->history, state->step);
      train::saveDocument(path, train::extracted(*whole, choice));
    });
  };
  inBackground<std::optional<Error>>(this, work, std::move(done));
}

}  // namespace tfm::ui
