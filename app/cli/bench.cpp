// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/bench_experiments.h"
#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "app/cli/relative_speed.h"
#include "app/cli/result_rows.h"
#include "app/cli/timings.h"
#include "app/cli/verbs.h"
#include "core/backend/backend_decorator.h"
#include "core/backend/cpu/target.h"
#include "core/backend/registry.h"
#include "core/backend/trace_backend.h"
#include "core/base/median.h"
#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/program/ops/update_ops.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

/// A training that can be measured, and how many steps for each of the decoder.
struct Measurable {
  const char* name;
  Experiment (*experiment)();
  std::int64_t steps_for_one;
};
constexpr std::array kMeasurable{
    Measurable{"rot13", smallExperiment, 50},    Measurable{"joint", jointExperiment, 10},
    Measurable{"funnel", funnelExperiment, 5},   Measurable{"delight", delightExperiment, 10},
    Measurable{"decoder", decoderExperiment, 1}, Measurable{"large", largeExperiment, 1}};
constexpr std::int64_t kNestedRoundsForOne = 10;
constexpr int kWarmUp = 2;

struct BenchArguments {
  std::int64_t steps = 10;
  int threads = 1;
  bool trace = false;
  bool fresh = false;
  std::string only;
  bool same_numbers = false;
  bool json = false;
};

void warmUp(train::Trainer& trainer) {
  for (int i = 0; i < kWarmUp; ++i) trainer.step();
}

/// The median time of a step: batch, forward, backward and update.
double stepSeconds(train::Trainer& trainer, std::int64_t steps) {
  warmUp(trainer);
  Timings timings;
  for (std::int64_t i = 0; i < steps; ++i) timings.time([&] { trainer.step(); });
  return timings.median();
}

train::Trainer trainerFor(Experiment experiment, int threads,
                          std::unique_ptr<Backend<float>> backend = makeBackend<float>()) {
  std::shared_ptr<const data::Task> task = data::makeTask(*experiment.task);
  train::fitToTask(experiment.model, *task);
  return {std::move(task), initialState(experiment.model, 0), experiment.train, threads,
          std::move(backend)};
}

/// Floating-point operations of a training step: the backward pass counts twice.
double stepFlops(const train::Trainer& trainer) {
  ProgramOptions options;
  options.training = options.loss = true;
  const ModelConfig& model = trainer.model();
  const Program program =
      buildProgram(model, fullShape(model, trainer.config().batch_size), options);
  return 3.0 * double(program.forwardFlops());
}

/// One large matrix product in float.
class Product {
 public:
  explicit Product(int threads)
      : workers_(threads),
        rows_((kSize + threads - 1) / threads),
        c_(backend_->memory(), std::size_t(kSize * kSize)) {
    const Random random(0, streams::kBenchmark.first, 1);
    AlignedVector<float> numbers(c_.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = float(random.uniform(std::uint64_t(i))) - 0.5F;
    a_ = {backend_->memory(), numbers};
    b_ = {backend_->memory(), numbers};
  }
  void compute() {
    const MatrixView<const float> x(a_.data(), kSize, kSize), w(b_.data(), kSize, kSize);
    const MatrixView<float> y(c_.data(), kSize, kSize);
    workers_.run(workers_.size(), [&](std::int64_t piece, int) {
      const std::int64_t first = std::min(kSize, piece * rows_);
      const std::int64_t count = std::min(rows_, kSize - first);
      if (count == 0) return;
      OpCall<float> call;
      call.op = &ops::kLinear;
      call.inputs[0].values = x.rowsFrom(first, count);
      call.inputs[1].values = w;
      call.outputs[0].values = y.rowsFrom(first, count);
      backend_->forward(call);
    });
  }
  static double flops() { return 2.0 * double(kSize * kSize * kSize); }

 private:
  static constexpr std::int64_t kSize = 2048;

  std::unique_ptr<Backend<float>> backend_ = makeBackend<float>();
  train::WorkerPool workers_;
  std::int64_t rows_;
  Buffer<float> a_, b_, c_;
};

/// The peak memory of this process in MiB.
double peakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024.0;
}

const Measurable& measurableNamed(std::string_view name) {
  return *std::ranges::find(kMeasurable, name, &Measurable::name);
}

/// How fast a training is.
struct Speed {
  double steps_a_second = 0.0;
  std::int64_t parameters = 0, batch_size = 0;
};

Speed speedOf(const char* name, const BenchArguments& o) {
  say(std::string(name) + " ...");
  const Measurable& m = measurableNamed(name);
  train::Trainer trainer = trainerFor(m.experiment(), o.threads);
  return {1.0 / stepSeconds(trainer, o.steps * m.steps_for_one), trainer.layout().total,
          trainer.config().batch_size};
}

double examplesASecond(const Speed& speed) {
  return speed.steps_a_second * double(speed.batch_size);
}

struct Result {
  int threads = 1;
  std::int64_t steps = 0;
  Speed small, joint, funnel, delight;
  double tokens_a_second = 0.0;
  double decoder_rate = 0.0;  // operations per second
  double product_rate = 0.0;
  double peak_mib = 0.0;  // of these trainings
  NestingSpeed nesting;
  std::vector<PooledAttention> pooled;
  std::int64_t decoder_parameters = 0;

  double shareOfProduct() const { return decoder_rate / product_rate; }
};

Result measure(const BenchArguments& o) {
  Result r;
  r.threads = o.threads;
  r.steps = o.steps;
  r.small = speedOf("rot13", o);
  r.joint = speedOf("joint", o);
  r.delight = speedOf("delight", o);
  {
    say("decoder and matrix product ...");
    train::Trainer trainer = trainerFor(decoderExperiment(), o.threads);
    warmUp(trainer);
    r.peak_mib = peakMemory();
    Product product(o.threads);
    product.compute();
    // Alternate, so that other load on the machine affects both.
    Timings steps, products;
    for (std::int64_t i = 0; i < o.steps; ++i) {
      steps.time([&] { trainer.step(); });
      products.time([&] { product.compute(); });
    }
    const double tokens = double(trainer.config().batch_size * trainer.model().target_length);
    r.tokens_a_second = tokens / steps.median();
    r.decoder_rate = stepFlops(trainer) / steps.median();
    r.product_rate = Product::flops() / products.median();
    r.decoder_parameters = trainer.layout().total;
  }
  r.funnel = speedOf("funnel", o);
  say("nested submodels ...");
  r.nesting = nestingSpeed(nestedExperiment(), o.steps * kNestedRoundsForOne, o.threads);
  say("pooled attention ...");
  const Measurable& funnel = measurableNamed("funnel");
  r.pooled = pooledAttentions(funnel.experiment(), o.steps * funnel.steps_for_one, o.threads);
  return r;
}

/// The cost of each op in `steps` training steps.
std::vector<OpCost> tracedSteps(Experiment experiment, std::int64_t steps, int threads) {
  auto backend = std::make_unique<TraceBackend<float>>(makeBackend<float>());
  TraceBackend<float>& trace = *backend;
  train::Trainer trainer = trainerFor(std::move(experiment), threads, std::move(backend));
  warmUp(trainer);
  trace.reset();
  for (std::int64_t i = 0; i < steps; ++i) trainer.step();
  return trace.costs();
}

const char* directionOf(const OpCost& cost) { return cost.backward ? "backward" : "forward"; }

const ResultRows<OpCost>& costRows() {
  static const ResultRows<OpCost> rows{
      row<OpCost>("op", &OpCost::op),
      row<OpCost>("direction", directionOf),
      row<OpCost>("calls", &OpCost::calls),
      row<OpCost>("seconds", &OpCost::seconds, "of all threads"),
      row<OpCost>("flops", &OpCost::flops, "twice as many backward"),
      row<OpCost>("bytes", &OpCost::bytes, "of each matrix read or written, once per call")};
  return rows;
}

int runTrace(const BenchArguments& o) {
  Json all;
  for (const auto& [name, experiment, steps_for_one] : kMeasurable) {
    if (std::string_view(name) == "large") continue;
    say(std::string(name) + " ...");
    const std::int64_t steps = o.steps * steps_for_one;
    const std::vector<OpCost> costs = tracedSteps(experiment(), steps, o.threads);
    double total = 0.0;
    for (const OpCost& c : costs) total += c.seconds;
    if (!o.json)
      std::cout << name << ": " << withCommas(steps) << " steps, "
                << shortNumber(total / double(steps) * 1e3) << " ms of ops per step\n"
                << "  op                  direction      share      us/call    calls/step"
                   "   GFLOP/s     GB/s\n";
    for (const OpCost& c : costs) {
      all[name].push_back(jsonOf(costRows(), c));
      if (o.json) continue;
      std::cout << "  " << std::left << std::setw(20) << c.op << std::setw(11) << directionOf(c)
                << std::right << std::setw(9) << percent(c.seconds / total) << std::setw(13)
                << shortNumber(c.seconds / double(c.calls) * 1e6) << std::setw(14)
                << shortNumber(double(c.calls) / double(steps)) << std::setw(10)
                << (c.flops > 0 ? shortNumber(double(c.flops) / c.seconds / 1e9) : "-")
                << std::setw(9) << shortNumber(double(c.bytes) / c.seconds / 1e9) << '\n';
    }
  }
  if (o.json) printJson(all);
  return kDone;
}

/// Sets to zero and adds to what its calls may overwrite.
class AddingBackend final : public BackendDecorator<float> {
 public:
  using BackendDecorator::BackendDecorator;

  void backward(const OpCall<float>& call) const override {
    OpCall<float> adding = call;
    for (auto& input : adding.inputs)
      if (std::exchange(input.gradient.fresh, false)) ops::fill(inner(), input.gradient.sum, 0.0);
    inner().backward(adding);
  }
};

/// How long a step takes that only adds to gradients, relative to one that overwrites fresh ones:
/// the median of the ratios of `pairs` pairs of steps.
double addingToOverwriting(const Experiment& experiment, std::int64_t pairs, int threads) {
  train::Trainer usual = trainerFor(experiment, threads);
  train::Trainer adding =
      trainerFor(experiment, threads, std::make_unique<AddingBackend>(makeBackend<float>()));
  warmUp(usual);
  warmUp(adding);
  const auto seconds = [](train::Trainer& trainer) {
    Timings timings;
    timings.time([&] { trainer.step(); });
    return timings.median();
  };
  std::vector<double> ratios;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const bool first = i % 2 == 0;  // in turn, as the caches depend on what ran before
    const double before = seconds(first ? usual : adding);
    const double after = seconds(first ? adding : usual);
    ratios.push_back(first ? after / before : before / after);
  }
  return median(std::move(ratios));
}

int runFresh(const BenchArguments& o) {
  Json all;
  for (const char* name : {"rot13", "joint", "delight", "decoder"}) {
    say(std::string(name) + " ...");
    const Measurable& m = measurableNamed(name);
    const std::int64_t pairs = o.steps * m.steps_for_one;
    const double ratio = addingToOverwriting(m.experiment(), pairs, o.threads);
    all[name] = ratio;
    if (!o.json)
      std::cout << std::left << std::setw(9) << name << "a step that only adds to gradients takes "
                << shortNumber(ratio, 4) << " of one that overwrites fresh ones  ("
                << withCommas(pairs) << " pairs)\n";
  }
  if (o.json) printJson(all);
  return kDone;
}

/// One training by itself.
struct OnlyResult {
  std::string name;
  const train::Trainer& trainer;
  double rate;  ///< steps a second

  double tokens() const {
    return rate * double(trainer.config().batch_size * trainer.model().target_length);
  }
  double gflops() const { return stepFlops(trainer) * rate / 1e9; }
};

const ResultRows<OnlyResult>& onlyRows() {
  using R = OnlyResult;
  static const ResultRows<R> rows{
      row<R>("benchmark", &R::name),
      row<R>("device", [](const R& r) { return r.trainer.backend().name(); }),
      row<R>(
          "details", [](const R& r) { return r.trainer.backend().details(); }, "of the device"),
      row<R>("parameters", [](const R& r) { return r.trainer.layout().total; }),
      row<R>("steps_per_second", &R::rate),
      row<R>("tokens_per_second", &R::tokens, "of the target"),
      row<R>("gflops", &R::gflops)};
  return rows;
}

int runOnly(const BenchArguments& o) {
  const Measurable& m = measurableNamed(o.only);
  train::Trainer trainer = trainerFor(m.experiment(), o.threads);
  const OnlyResult r{m.name, trainer, 1.0 / stepSeconds(trainer, o.steps * m.steps_for_one)};
  if (o.json) {
    printJson(jsonOf(onlyRows(), r));
    return kDone;
  }
  if (const std::string details = trainer.backend().details(); !details.empty()) say(details);
  std::cout << m.name << " on " << trainer.backend().name() << ": " << shortNumber(r.rate)
            << " steps/s, " << shortNumber(r.tokens()) << " tokens/s, " << shortNumber(r.gflops())
            << " GFLOP/s  (" << withCommas(trainer.layout().total) << " parameters)\n";
  return kDone;
}

const ResultRows<Result>& benchRows() {
  using R = Result;
  static const ResultRows<Speed> speed{row<Speed>("parameters", &Speed::parameters),
                                       row<Speed>("steps_per_second", &Speed::steps_a_second)};
  static const ResultRows<Speed> examples{row<Speed>("parameters", &Speed::parameters),
                                          row<Speed>("examples_per_second", examplesASecond)};
  static const ResultRows<R> decoder{row<R>("parameters", &R::decoder_parameters),
                                     row<R>("tokens_per_second", &R::tokens_a_second),
                                     row<R>(
                                         "gflops", [](const R& r) { return r.decoder_rate / 1e9; },
                                         "three times the forward operations"),
                                     row<R>("share_of_product", &R::shareOfProduct)};
  static const ResultRows<NestingSpeed> nesting{
      row<NestingSpeed>("sampled_to_alone", &NestingSpeed::sampled),
      row<NestingSpeed>("joint_to_sum", &NestingSpeed::joint)};
  static const ResultRows<PooledAttention> pooled{
      row<PooledAttention>("queries", &PooledAttention::queries),
      row<PooledAttention>("keys", &PooledAttention::keys),
      row<PooledAttention>("time", &PooledAttention::time),
      row<PooledAttention>("operations", &PooledAttention::operations)};
  static const ResultRows<R> rows{
      row<R>("threads", &R::threads),
      row<R>("steps", &R::steps),
      row<R>(
          "details", [](const R&) { return makeBackend<float>()->details(); }, "of the device"),
      objectRow<R>("rot13", speed, &R::small),
      objectRow<R>("decoder", decoder, [](const R& r) { return r; }),
      objectRow<R>("nesting", nesting, &R::nesting, "ratios of steps"),
      objectRow<R>("joint", examples, &R::joint),
      objectRow<R>("funnel", speed, &R::funnel),
      listRow<R>("pooled_attention", pooled, &R::pooled,
                 "time and operations relative to the unpooled attention"),
      objectRow<R>("delight", speed, &R::delight),
      row<R>("product_gflops", [](const R& r) { return r.product_rate / 1e9; }),
      row<R>("peak_rss_mib", &R::peak_mib)};
  return rows;
}

int runBench(const BenchArguments& o) {
  setSameNumbers(o.same_numbers);
  if (!o.only.empty()) return runOnly(o);
  if (o.trace) return runTrace(o);
  if (o.fresh) return runFresh(o);
  const Result r = measure(o);
  if (o.json) {
    printJson(jsonOf(benchRows(), r));
    return kDone;
  }
  std::cout << "threads         " << o.threads << '\n'
            << "computes with   " << makeBackend<float>()->details()
            << "  (TFM_CPU sets another instruction set)\n"
            << "rot13           " << shortNumber(r.small.steps_a_second) << " steps/s  ("
            << withCommas(r.small.parameters) << " parameters, batch 50 x 15, Adam)\n"
            << "decoder         " << shortNumber(r.tokens_a_second) << " tokens/s, "
            << shortNumber(r.decoder_rate / 1e9) << " GFLOP/s  ("
            << withCommas(r.decoder_parameters) << " parameters, batch 32 x 128, AdamW)\n"
            << "nesting         a sampled step on S takes " << shortNumber(r.nesting.sampled, 3)
            << " of S alone, a joint step " << shortNumber(r.nesting.joint, 3)
            << " of its four alone  (small-sequence, batch 50)\n"
            << "joint step      " << shortNumber(examplesASecond(r.joint)) << " examples/s  ("
            << withCommas(r.joint.parameters)
            << " parameters, four nested submodels, batch 32 x 64, Adam)\n"
            << "Funnel          " << shortNumber(r.funnel.steps_a_second) << " steps/s  ("
            << withCommas(r.funnel.parameters) << " parameters, batch 32 x 128, Adam)\n";
  for (const PooledAttention& one : r.pooled)
    std::cout << "  attention " << one.queries << " x " << one.keys << " takes "
              << shortNumber(one.time, 3) << " of the unpooled, by its formula "
              << shortNumber(one.operations, 3) << '\n';
  std::cout << "DeLighT         " << shortNumber(r.delight.steps_a_second) << " steps/s  ("
            << withCommas(r.delight.parameters) << " parameters, batch 50 x 15, Adam)\n"
            << "matrix product  " << shortNumber(r.product_rate / 1e9)
            << " GFLOP/s  (2048 x 2048 x 2048); the decoder reaches " << percent(r.shareOfProduct())
            << " of it\n"
            << "peak memory     " << shortNumber(r.peak_mib) << " MiB\n";
  return kDone;
}

}  // namespace

Action prepareBench(CLI::App& app) {
  const auto o = std::make_shared<BenchArguments>();
  addNumber(
      app, "--steps", o->steps, 1, 100'000,
      "Steps of the decoder; rot13 runs 50, joint step and DeLighT 10, Funnel 5 times as many");
  addThreadsOption(app, o->threads);
  app.add_flag("--same-numbers", o->same_numbers,
               "Measure the kernels that give the same numbers on every machine");
  CLI::Option* trace =
      app.add_flag("--trace", o->trace, "Show the cost of each op of a training step instead");
  app.add_flag(
         "--fresh", o->fresh,
         "Show what overwriting fresh gradients saves, compared with setting them to zero and "
         "adding, instead")
      ->excludes(trace);
  std::vector<std::string_view> names;
  for (const Measurable& m : kMeasurable) names.emplace_back(m.name);
  addChoice(app, "--only", o->only, names,
            "Measure one training by itself, as on another device; `large` has 12 layers, hidden "
            "768 and 16 sequences of 1,024 tokens")
      ->excludes(trace);
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "With --json: " + membersOf(benchRows()) +
      ". Rates follow from medians; steps of the decoder and products take turns. With --trace and "
      "--json: rot13, joint, funnel, delight and decoder, each a list of {" +
      membersOf(costRows()) +
      "}. With --fresh: for each except funnel, the time of a step that only adds to gradients, "
      "relative to a normal step. With --only: " +
      membersOf(onlyRows()) + "."));
  return [o] { return runBench(*o); };
}

}  // namespace tfm::cli
