// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/in_file.h"
#include "core/data/batches.h"
#include "core/expand/grow.h"
#include "core/program/ops/update_ops.h"
#include "core/train/counted_answers.h"
#include "core/train/counted_positions.h"
#include "core/train/fit_task.h"
#include "core/train/missed_steps.h"
#include "core/train/step_parts.h"
#include "core/train/update_rules.h"

namespace tfm::train {
namespace {

// Updates and norms run over fixed blocks, so that sums do not depend on the number of threads, of
// used entries, so that a submodel has no more blocks than on its own.
constexpr std::int64_t kBlock = 1 << 15;
// Steps between states kept for Diverged. Not fewer at the beginning: diverging weights still have
// finite losses for some steps.
constexpr std::int64_t kKeepEvery = 100;

/// The numbers in [first, end).
template <class Numbers>
auto part(Numbers& all, std::int64_t first, std::int64_t end) {
  return all.span().subspan(std::size_t(first), std::size_t(end - first));
}

/// Measures what is called during its life.
struct Measured {
  explicit Measured(TraceBackend<float>* trace) : trace(trace) { set(false); }
  ~Measured() { set(true); }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;
  void set(bool paused) const {
    if (trace != nullptr) trace->setPaused(paused);
  }
  TraceBackend<float>* trace;
};

template <class Work>
void overBlocks(WorkerPool& workers, std::span<const EntryRun> blocks, const Work& work) {
  const auto piece = [&](std::int64_t block, int) {
    const EntryRun& entries = blocks[std::size_t(block)];
    work(block, entries.first, entries.first + entries.count);
  };
  workers.run(std::int64_t(blocks.size()), piece);
}

}  // namespace

template <class Work>
auto Trainer::onDevice(const Work& work) const {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    if (backend_->memory().isHost()) throw;
    throw DeviceFull(backend_->name());
  }
}

Trainer::Trainer(std::shared_ptr<const data::Task> task, ModelState state, TrainConfig config,
                 int threads, std::unique_ptr<Backend<float>> backend)
    : task_(std::move(task)),
      config_((validate(config), std::move(config))),
      own_backend_(backend == nullptr),
      backend_(backend ? std::move(backend) : makeBackend<float>(config_.same_numbers)),
      workers_((requireFit(state.config, config_, threads), threads)) {
  beginWith(state.config);
  take(std::make_shared<const ModelState>(std::move(state)));
}

void Trainer::requireFit(const ModelConfig& model, const TrainConfig& config, int threads) const {
  if (!hasTask()) return;
  checkFit(model, *task_);
  // A device says by itself that it is full, before anything has changed.
  if (backend_->memory().isHost())
    requireMemory(model, *task_, config.batch_size, threads, config.nesting);
}

void Trainer::beginWith(const ModelConfig& model) {
  if (hasTask()) {
    framing_ = framingFor(model, *task_);
    makeEngine(model);
  }
  granularities_ = matformer::granularities(model, config_.nesting);
}

void Trainer::take(std::shared_ptr<const ModelState> state) {
  const ModelState& s = *state;
  const ModelState numberless{s.config,         s.layout,       {},     {},    {},
                              s.optimizer_step, s.missed_steps, s.step, s.seed};
  if (!hasTask()) {
    state_ = numberless;
    held_ = std::move(state);
    return;
  }
  // Allocate all memory before changing anything.
  const DeviceMemory& memory = backend_->memory();
  const auto moment = [&](const AlignedVector<float>& of) {
    return of.empty() ? Buffer<float>(memory, s.parameters.size()) : Buffer<float>(memory, of);
  };
  auto [parameters, gradients, first_moment, second_moment] = onDevice([&] {
    return std::array{Buffer<float>(memory, s.parameters),
                      Buffer<float>(memory, s.parameters.size()), moment(s.first_moment),
                      moment(s.second_moment)};
  });
  state_ = numberless;
  parameters_ = std::move(parameters);
  gradients_ = std::move(gradients);
  first_moment_ = std::move(first_moment);
  second_moment_ = std::move(second_moment);
}

LateState Trainer::lateState(bool moments) const {
  if (held_) return {{}, {}, {}, {}, held_};
  LateState late{state_, LateDownload(parameters_), {}, {}};
  if (!moments) return late;
  late.first_moment = LateDownload(first_moment_);
  late.second_moment = LateDownload(second_moment_);
  return late;
}

std::shared_ptr<const ModelState> LateState::take() {
  if (held) return std::move(held);
  state.parameters = parameters.take();
  state.first_moment = first_moment.take();
  state.second_moment = second_moment.take();
  return std::make_shared<const ModelState>(std::move(state));
}

std::shared_ptr<const ModelState> Trainer::sharedState() const {
  return held_ ? held_ : std::make_shared<const ModelState>(state());
}

ModelState Trainer::state() const {
  if (held_) return *held_;
  ModelState state = state_;
  state.parameters = parameters_.download();
  state.first_moment = first_moment_.download();
  state.second_moment = second_moment_.download();
  return state;
}

AlignedVector<float> Trainer::gradients() const {
  return used_.empty() ? AlignedVector<float>() : gradients_.download();
}

LateDownload<float> Trainer::lateGradients() const {
  return used_.empty() ? LateDownload<float>() : LateDownload(gradients_);
}

Trainer::Prepared Trainer::prepare(std::uint64_t step) const {
  return {state_.seed, step, config_.batch_size,
          data::trainingBatch(*task_, framing_, state_.seed, step, config_.batch_size)};
}

void Trainer::prepareNext(std::uint64_t step) {
  try {
    prepared_ = prepare(step);
  } catch (const std::exception&) {
    // This step is not to blame, and its update may have begun; that one tries it again.
  }
}

bool Trainer::growthIsDue() const {
  const bool done = state_.step == grown_step_ && state_.layout.total == grown_parameters_;
  return hasTask() && !done && !growthsAt(config_, state_.step).empty();
}

std::vector<std::string> Trainer::growIfScheduled() {
  std::vector<std::string> words;
  if (!growthIsDue()) return words;
  const expand::Grown grown = inFile("schedule, after step " + std::to_string(state_.step), [&] {
    return expand::grow(state(), growthsAt(config_, state_.step));
  });
  const auto good = last_good_;
  restore(grown.state);
  last_good_ = good;  // of this same training
  grown_step_ = state_.step;
  grown_parameters_ = state_.layout.total;
  for (const expand::Change& change : grown.changes)
    words.push_back(expand::describe(change.growth, change.before));
  return words;
}

StepMetrics Trainer::step() {
  // An update has all its memory before it changes anything.
  return onDevice([this] { return doStep(); });
}

StepMetrics Trainer::doStep() {
  if (!hasTask()) throw noTask();
  growIfScheduled();
  const Measured measured(trace_);
  const auto step = std::uint64_t(state_.step);
  const bool ready = prepared_.seed == state_.seed && prepared_.step == step &&
                     prepared_.size == config_.batch_size;
  if (!ready) prepared_ = prepare(step);
  const Batch batch = std::exchange(prepared_, {}).batch;
  const std::vector<WeightedPart> parts = partsOf(step);
  useOnly(engine_->usedBy(parts));
  const Update update = prepareUpdate();
  const bool keeps = last_good_ == nullptr || state_.step % kKeepEvery == 0;
  std::optional<LateState> before;
  if (keeps) before = lateState(true);
  const BatchResult result =
      engine_->gradient(parameters_.span(), batch, state_.seed, step, gradients_.span(),
                        [&] { prepareNext(step + 1); }, parts,
                        {[&](const float* loss) { runUpdate(update, loss); }, keyOf(update)});
  // The update has changed nothing if one of these is not finite.
  const double norm = gradientNorm();
  if (!std::isfinite(float(result.loss)) || !std::isfinite(norm))
    throw diverged(std::isfinite(float(result.loss)) ? "gradient" : "loss", state_.step + 1, batch);
  if (keeps) last_good_ = before->take();
  if (config_.optimizer.kind != OptimizerKind::Sgd)
    addMissedStep(state_.missed_steps, used_, state_.layout.total);
  ++state_.step;
  ++state_.optimizer_step;
  return {state_.step,
          result.loss,
          result.counts.sequenceAccuracy(),
          result.counts.positionAccuracy(),
          learningRate(config_.schedule, state_.step - 1),
          norm,
          0.0};
}

Diverged Trainer::diverged(const std::string& quantity, std::int64_t step, const Batch& batch) {
  std::string tensor = firstNonFinite(state_.layout, parameters_.download());
  if (tensor.empty())
    tensor = engine_->firstNonFinite(parameters_.span(), batch, std::uint64_t(state_.step));
  if (tensor.empty()) tensor = lastNonFinite(state_.layout, gradients_.download());
  return {quantity, tensor, step, state_, last_good_.get()};
}

double Trainer::gradientNorm() const {
  double sum = 0.0;
  const AlignedVector<double> squares = squares_.download();
  for (std::size_t i = 0; i < blocks_.size(); ++i) sum += squares[i];
  return std::sqrt(sum);
}

Trainer::Update Trainer::prepareUpdate() {
  const bool is_sgd = config_.optimizer.kind == OptimizerKind::Sgd;
  // What changes from step to step lies in the memory of the backend, so that the rest repeats: the
  // factor of clipping, then the numbers of the rule, by the steps that entries have missed.
  using Numbers = StepNumbers<float>;
  std::vector<Numbers> numbers{{1.0F}};
  std::map<std::int64_t, std::size_t> place_of;
  const auto add_numbers = [&](std::int64_t missed) {
    if (!place_of.try_emplace(missed, numbers.size()).second) return;
    numbers.push_back(is_sgd ? sgdRule(config_, state_.step).stepNumbers<float>()
                             : adamRule(config_, state_.step, state_.optimizer_step + 1 - missed)
                                   .stepNumbers<float>());
  };
  add_numbers(0);
  for (const MissedSteps& run : state_.missed_steps) add_numbers(run.steps);
  if (step_numbers_.size() < numbers.size()) step_numbers_ = {backend_->memory(), numbers.size()};
  step_numbers_.upload(numbers);

  Update update{config_.optimizer, config_.clip_norm, {}, used_, numbers.size(), {}};
  for (const Buffer<float>* all : {&parameters_, &gradients_, &first_moment_, &second_moment_})
    update.addresses.push_back(all->data());
  update.addresses.push_back(step_numbers_.data()->data());
  update.addresses.push_back(squares_.data());
  for (const MissedSteps& run : state_.missed_steps)
    update.missed.push_back({run.first, run.count, std::int64_t(place_of.at(run.steps)) - 1});
  return update;
}

std::uint64_t Trainer::keyOf(const Update& update) {
  constexpr std::size_t kMost = 8;  // as many as a recording is kept for
  const auto known = std::ranges::find(updates_, update, &std::pair<Update, std::uint64_t>::first);
  if (known != updates_.end()) return known->second;
  if (updates_.size() == kMost) updates_.erase(updates_.begin());
  updates_.emplace_back(update, ++update_keys_);
  return update_keys_;
}

void Trainer::runUpdate(const Update& update, const float* loss) {
  const bool is_sgd = config_.optimizer.kind == OptimizerKind::Sgd;
  const std::any rule = is_sgd ? std::any(sgdRule(config_, state_.step))
                               : std::any(adamRule(config_, state_.step, 1));
  const auto numbers_at = [&](std::size_t place) {
    return std::span<float>(step_numbers_.data()[place]);
  };
  overBlocks(workers_, blocks_, [&](std::int64_t block, std::int64_t first, std::int64_t end) {
    bool begins = true;
    forEachRunIn(used_, first, end, [&](std::int64_t from, std::int64_t length) {
      ops::addSquares(*backend_, part(gradients_, from, from + length), squares_.data() + block,
                      std::exchange(begins, false));
    });
  });
  ops::clipFactor(*backend_, loss, squares_.span().first(blocks_.size()), update.clip_norm,
                  {step_numbers_.data()->data(), update.numbers * numbers_at(0).size()});
  const auto update_run = [&](std::int64_t first, std::int64_t end, std::int64_t place) {
    const auto of = [&](Buffer<float>& all) { return part(all, first, end); };
    const std::span<const float> own = numbers_at(std::size_t(place) + 1);
    if (is_sgd)
      ops::sgd(*backend_, of(parameters_), of(gradients_), of(first_moment_), rule, own);
    else
      ops::adam(*backend_, of(parameters_), of(gradients_), of(first_moment_), of(second_moment_),
                rule, own);
  };
  overBlocks(workers_, blocks_, [&](std::int64_t, std::int64_t first, std::int64_t end) {
    if (update.clip_norm > 0.0)
      ops::scale(*backend_, part(gradients_, first, end), numbers_at(0).first(1));
    forEachRunIn(used_, first, end, [&](std::int64_t from, std::int64_t length) {
      forEachMissedRun(update.missed, from, from + length, update_run);
    });
  });
}

std::vector<WeightedPart> Trainer::partsOf(std::uint64_t step) const {
  const bool draws =
      !granularities_.empty() && config_.nesting.training == matformer::Training::Sampled;
  return stepParts(
      granularities_, config_.nesting.training,
      draws ? matformer::sampleGranularity(granularities_, state_.seed, step) : std::size_t(0));
}

void Trainer::useOnly(const std::vector<EntryRun>& used) {
  if (used == used_) return;
  for (const EntryRun& run : used_)
    ops::fill(*backend_, ops::rowOf(part(gradients_, run.first, run.first + run.count)), 0.0);
  used_ = used;
  blocks_ = stretches(
      used_, backend_->splitsWork() ? kBlock : std::max<std::int64_t>(1, state_.layout.total));
  if (squares_.size() < blocks_.size()) squares_ = {backend_->memory(), blocks_.size()};
}

Evaluation Trainer::evaluate(std::int64_t examples) {
  return onDevice([&] { return doEvaluate(examples); });
}

Evaluation Trainer::doEvaluate(std::int64_t examples) {
  check(examples > 0, "an evaluation has examples");
  if (!hasTask()) throw noTask();
  examples = data::evaluationCount(*task_, examples);  // none counts twice
  // In batches of the training's size, so that evaluation needs no more memory than training.
  std::int64_t labels = 0;
  std::vector<BatchResult> sums(std::max<std::size_t>(1, granularities_.size()));
  const std::vector<std::uint64_t> order = data::evaluationOrder(*task_, framing_, examples);
  for (std::int64_t first = 0; first < examples; first += config_.batch_size) {
    const std::int64_t count = std::min(config_.batch_size, examples - first);
    const Batch batch = data::evaluationBatch(
        *task_, framing_, std::span(order).subspan(std::size_t(first), std::size_t(count)));
    const std::int64_t counted = weightedLabels(batch);
    labels += counted;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const BatchResult result =
          engine_->loss(parameters_.span(), batch, std::uint64_t(state_.step),
                        granularities_.empty() ? Submodel{} : granularities_[i].submodel);
      if (!std::isfinite(result.loss)) throw diverged("evaluation loss", state_.step, batch);
      sums[i].loss += double(counted) * result.loss;
      sums[i].counts.add(result.counts);
    }
  }
  std::vector<GranularityScore> scores;
  for (const BatchResult& sum : sums)
    scores.push_back({sum.loss / double(std::max<std::int64_t>(1, labels)),
                      countedAnswers(task_->form(), sum.counts).accuracy()});
  const AnswerCounts& whole = sums.back().counts;
  Evaluation evaluation{
      state_.step, examples, scores.back().loss, whole.sequenceAccuracy(), whole.positionAccuracy(),
      {}};
  if (!granularities_.empty()) evaluation.granularities = std::move(scores);
  return evaluation;
}

void Trainer::setTraced(bool traced) {
  if (traced == (trace_ != nullptr)) return;
  if (traced) {
    auto trace = std::make_unique<TraceBackend<float>>(std::move(backend_));
    trace->setPaused(true);
    trace_ = trace.get();
    backend_ = std::move(trace);
  } else {
    backend_ = std::exchange(trace_, nullptr)->release();
  }
  if (hasTask()) makeEngine(state_.config);
}

/// Its executors call the backend that they were made with.
void Trainer::makeEngine(const ModelConfig& model) {
  engine_.emplace(model, endLabel(*task_, framing_), *backend_, workers_);
}

void Trainer::moveTo(std::unique_ptr<Backend<float>> backend) {
  std::shared_ptr<const ModelState> now = sharedState();
  const bool traced = trace_ != nullptr;
  if (hasTask() && backend->memory().isHost())
    requireMemory(state_.config, *task_, config_.batch_size, workers_.size(), config_.nesting);
  backend_.swap(backend);  // the other one stays until its memory is released
  try {
    take(std::move(now));
  } catch (...) {
    backend_.swap(backend);
    throw;
  }
  engine_.reset();
  squares_ = {};
  step_numbers_ = {};
  used_.clear();
  blocks_.clear();
  trace_ = nullptr;
  if (hasTask()) makeEngine(state_.config);
  if (traced) setTraced(true);
}

std::vector<OpCost> Trainer::takeCosts() {
  if (trace_ == nullptr) return {};
  std::vector<OpCost> costs = trace_->costs();
  trace_->reset();
  return costs;
}

void Trainer::setConfig(const TrainConfig& config) {
  validate(config);
  if (config.batch_size != config_.batch_size || config.nesting != config_.nesting)
    requireFit(state_.config, config, workers_.size());
  const auto adaptive = [](OptimizerKind kind) { return kind != OptimizerKind::Sgd; };
  if (adaptive(config.optimizer.kind) != adaptive(config_.optimizer.kind)) {
    for (Buffer<float>* moment : {&first_moment_, &second_moment_})
      if (!moment->empty()) ops::fill(*backend_, ops::rowOf(moment->span()), 0.0);
    forgetMoments(state_);
    if (held_ && !held_->first_moment.empty()) {
      ModelState anew = *held_;
      forgetMoments(anew);
      held_ = std::make_shared<const ModelState>(std::move(anew));
    }
  }
  if (own_backend_ && config.same_numbers != config_.same_numbers)
    moveTo(makeBackend<float>(config.same_numbers));
  config_ = config;
  granularities_ = matformer::granularities(state_.config, config_.nesting);
}

void Trainer::restore(std::shared_ptr<const ModelState> state) {
  const std::size_t parameters = state->parameters.size(), moments = state->first_moment.size();
  check(std::int64_t(parameters) == state->layout.total && moments == state->second_moment.size() &&
            (moments == 0 || moments == parameters),
        "a state has a value and two moments per parameter, or none that are zeros");
  const bool other = !(state->config == state_.config);
  if (other) requireFit(state->config, config_, workers_.size());
  take(std::move(state));
  if (other) {
    beginWith(state_.config);
    prepared_ = {};
  }
  used_.clear();
  blocks_.clear();
  last_good_.reset();
}

}  // namespace tfm::train
