// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "core/ask/explained_run.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/logit_contributions.h"
#include "core/observe/logit_lens.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

using FactRun = train::ExplainedRun<double>;

std::unique_ptr<FactRun> factRun(const ModelConfig& config, Batch batch) {
  train::ProbeInput input;
  input.batch = std::move(batch);
  return std::make_unique<FactRun>(test::trainedState(config), std::move(input));
}
std::unique_ptr<FactRun> factRun(const ModelConfig& config) {
  return factRun(config, test::probeBatch(config));
}

/// The tokens among what a logit comes from: of the source, then of the target.
std::array<std::set<std::int64_t>, 2> tokensOf(FactRun& run, const NumberPlace& logit) {
  std::array<std::set<std::int64_t>, 2> tokens;
  const TensorId source = run.program().find(names::kSourceIds);
  const TensorId target = run.program().find(names::kTargetIds);
  for (const NumberPlace& leaf : run.explainer().leaves(logit)) {
    if (leaf.tensor == source) tokens[0].insert(leaf.row);
    if (leaf.tensor == target) tokens[1].insert(leaf.row);
  }
  return tokens;
}

/// Whether a logit changes with a token, for some of those that it can become.
bool depends(const ModelConfig& config, const NumberPlace& logit, double value, bool target,
             std::size_t token) {
  constexpr std::int32_t kTried = 4;
  for (std::int32_t other = 0; other < kTried; ++other) {
    Batch batch = test::probeBatch(config);
    (target ? batch.target : batch.source)[token] = other;
    if (factRun(config, std::move(batch))->explainer().value(logit) != value) return true;
  }
  return false;
}

NumberPlace someLogit(const Program& program) {
  const TensorId output = program.find(names::kOutput);
  const TensorInfo& t = program.tensors[std::size_t(output)];
  return {output, t.rows / 2, t.cols - 1};
}

double sumOf(const LogitContributions& all) {
  double sum = 0.0;
  for (const LogitContribution& part : all.parts) sum += part.amount;
  return sum;
}

/// Interventions on heads, on the stream and on the logits themselves.
ModelConfig changedModel() {
  ModelConfig c = test::smallModel("both pre layer").config;
  c.changes = {{.tensor = "decoder.layers.0.self_attention.mixed", .factor = 0.5},
               {.tensor = "decoder.layers.0.feed_forward_residual",
                .col = 2,
                .cols = 1,
                .factor = 0.5,
                .added = {0.25}},
               {.tensor = "output", .factor = 2.0}};
  return c;
}

/// Also a model with layers that begin to count, one whose components do, and a changed one.
std::vector<test::SmallModel> factModels() {
  auto models = test::smallModels();
  ModelConfig gated = test::smallModel("both pre layer").config;
  gated.decoder_layers.back().gated = true;
  models.push_back({"gated", gated});
  ModelConfig masked = test::smallModel("decoder pre layer").config;
  masked.mask_size = masked.hidden - 1;
  masked.mask_begin = 0;
  masked.mask_steps = 100;  // weight 0.4 at the step of trainedState()
  models.push_back({"masked", masked});
  models.push_back({"changed", changedModel()});
  return models;
}

}  // namespace

class TestLogitFacts : public QObject {
  Q_OBJECT

 private slots:
  void contributionsSumToTheLogit() {
    for (const test::SmallModel& model : factModels()) {
      const auto run = factRun(model.config);
      const LogitContributions all =
          logitContributions(run->explainer(), someLogit(run->program()));
      double size = 1.0;
      for (const LogitContribution& part : all.parts) size += std::abs(part.amount);
      QVERIFY2(std::abs(sumOf(all) - all.logit) <= 1e-10 * size, model.name.c_str());
      QVERIFY(std::ranges::is_sorted(all.parts, std::greater<>{},
                                     [](const auto& part) { return std::abs(part.amount); }));
      // The control: without one of them it is another number.
      QVERIFY2(std::abs(sumOf(all) - all.parts.front().amount - all.logit) > 1e-6,
               model.name.c_str());
    }
  }

  void everyHeadAndBlockIsAPart() {
    const ModelConfig config = test::smallModel("both pre layer").config;
    const auto run = factRun(config);
    const LogitContributions all = logitContributions(run->explainer(), someLogit(run->program()));
    QCOMPARE(all.held, std::vector<std::string>{"decoder.final_norm"});
    for (std::size_t i = 0; i < config.decoder_layers.size(); ++i) {
      const std::string layer = "decoder.layers." + std::to_string(i);
      for (const char* attention : {".self_attention", ".cross_attention"}) {
        const auto heads = std::ranges::count_if(all.parts, [&](const LogitContribution& part) {
          return part.name == layer + attention && part.head >= 0;
        });
        const bool self = attention == std::string(".self_attention");
        const LayerConfig& sizes = config.decoder_layers[i];
        QCOMPARE(std::int64_t(heads), self ? sizes.first<SelfAttention>()->sizes.heads
                                           : sizes.first<CrossAttention>()->sizes.heads);
      }
      QCOMPARE(
          std::ranges::count(all.parts, layer + ".feed_forward.linear2", &LogitContribution::name),
          1);
    }
    // Those that an intervention scales are heads still, and what one adds is a part.
    const auto changed = factRun(changedModel());
    const auto parts =
        logitContributions(changed->explainer(), someLogit(changed->program())).parts;
    QVERIFY(std::ranges::any_of(parts, [](const LogitContribution& part) {
      return part.name == "decoder.layers.0.self_attention" && part.head == 0;
    }));
    QCOMPARE(std::ranges::count(parts, "decoder.layers.0.feed_forward_residual (changed)",
                                &LogitContribution::name),
             1);
    // After every block there is a norm that is held.
    const ModelConfig post = test::smallModel("decoder post layer").config;
    const auto posts = factRun(post);
    const auto held = logitContributions(posts->explainer(), someLogit(posts->program())).held;
    QVERIFY(held.size() >= 2 * post.decoder_layers.size());
  }

  void onlyLogitsAreTakenApart() {
    const auto run = factRun(test::smallModel("decoder pre layer").config);
    QVERIFY_THROWS_EXCEPTION(Error, logitContributions(run->explainer(), {0, 0, 0}));
  }

  void aLogitLeadsToTheTokensItDependsOnAndNoOther() {
    for (const test::SmallModel& model : factModels()) {
      const auto run = factRun(model.config);
      const NumberPlace logit = someLogit(run->program());
      const double value = run->explainer().value(logit);
      const Batch batch = test::probeBatch(model.config);
      std::array<std::set<std::int64_t>, 2> needed;
      for (const bool target : {false, true})
        for (std::size_t i = 0; i < (target ? batch.target : batch.source).size(); ++i)
          if (depends(model.config, logit, value, target, i))
            needed[target ? 1 : 0].insert(std::int64_t(i));
      QVERIFY2(tokensOf(*run, logit) == needed, model.name.c_str());
      // The control: a logit of the other sequence comes from other tokens.
      QVERIFY2(tokensOf(*run, {logit.tensor, 0, logit.col}) != needed, model.name.c_str());
    }
  }

  void theLastAnswerIsTheModelsOwn() {
    const auto backend = makeCpuBackend<double>();
    for (const test::SmallModel& model : factModels()) {
      const auto run = factRun(model.config);
      const auto answers = logitLens(run->explainer(), *backend);
      const auto own = run->values(run->program().find(names::kOutput));
      const std::vector<double> logits(own.data, own.data + own.size());
      QVERIFY2(answers.back().logits == logits, model.name.c_str());
      QVERIFY2(answers.size() >= 2, model.name.c_str());
      // The control: an earlier one is another.
      QVERIFY2(answers.front().logits != logits, model.name.c_str());
      for (const LensAnswer& answer : answers)
        for (std::int64_t r = 0; r < answer.rows; ++r) {
          const auto row = answer.probabilities.begin() + r * answer.cols;
          QVERIFY(std::abs(std::accumulate(row, row + answer.cols, 0.0) - 1.0) < 1e-12);
        }
    }
  }

  void thereIsAnAnswerAfterEveryBlock() {
    const auto backend = makeCpuBackend<double>();
    std::vector<ModelConfig> configs{changedModel()};
    for (const char* name : {"both pre layer", "decoder post rms", "encoder pre rms"})
      configs.push_back(test::smallModel(name).config);
    for (const ModelConfig& config : configs) {
      const auto run = factRun(config);
      const auto answers = logitLens(run->explainer(), *backend);
      std::size_t blocks = 0;
      for (const LayerConfig& layer :
           config.hasDecoder() ? config.decoder_layers : config.encoder_layers)
        blocks += layer.blocks.size();
      QCOMPARE(answers.size(), blocks + 1);
      QCOMPARE(answers.front().site.layer, std::int64_t(-1));
      for (std::size_t i = 1; i < answers.size(); ++i) QVERIFY(answers[i].site.block >= 0);
    }
  }

  void withoutAnOutputLayerThereIsNoLens() {
    ModelConfig config = test::smallModel("encoder pre layer").config;
    config.output = OutputKind::None;
    config.output_size = 0;
    train::ProbeInput input;
    input.batch = test::probeBatch(test::smallModel("encoder pre layer").config);
    FactRun run(test::trainedState(config), input);
    QVERIFY_THROWS_EXCEPTION(Error, logitLens(run.explainer(), *makeCpuBackend<double>()));
  }
};

TFM_TEST(TestLogitFacts)
#include "test_logit_facts.moc"
