// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/presets.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/model/golden_model.h"
#include "tests/test_program.h"

using namespace tfm;
using test::agrees;
using test::Golden;
using test::ModelRun;

namespace {

const Golden& golden() {
  static const Golden read = Golden::read("microgpt");
  return read;
}

/// From one end of a name to the other, of which the letters before the second are read.
std::vector<std::int32_t> idsOf(const std::string& name) {
  std::vector<std::int32_t> ids{26};
  for (const char c : name) ids.push_back(c - 'a');
  ids.push_back(26);
  return ids;
}

ModelRun runOf(const ModelConfig& config, const std::string& name) {
  const std::vector<std::int32_t> ids = idsOf(name);
  const auto length = std::ssize(ids) - 1;
  ModelRun run(config, {1, 0, length}, {.loss = true});
  run.setIds(names::kTargetIds, {ids.begin(), ids.end() - 1});
  run.setIds(names::kLabels, {ids.begin() + 1, ids.end()});
  run.setEqualWeights();
  return run;
}

ModelConfig microgpt() { return presetNamed("microgpt").config(); }

}  // namespace

/// The preset against a program of its own (tests/goldens/microgpt.py).
class TestMicrogpt : public QObject {
  Q_OBJECT

 private slots:
  void hasAllItsParametersAndNoMore() {
    QCOMPARE(parameterLayout(microgpt()).total, std::int64_t(4192));
  }

  void logitsLossAndGradients() {
    ModelRun run = runOf(microgpt(), "emma");
    test::setParameters(run, golden().at("parameters"));
    QVERIFY(agrees(run.backward(), golden().at("loss").number()));
    QVERIFY(agrees(run.values(names::kOutput), golden().at("logits").numbers()));
    const std::string wrong = test::wrongGradients(run, golden().at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
  }

  void threeStepsOfTraining() {
    const auto backend = makeCpuBackend<double>();
    ModelRun first = runOf(microgpt(), "emma");
    test::setParameters(first, golden().at("parameters"));
    auto parameters = first.parameters();
    AlignedVector<double> first_moments(parameters.size()), second_moments(parameters.size());
    int step = 0;
    for (const std::string name : {"emma", "olivia", "ava"}) {
      ModelRun run = runOf(microgpt(), name);
      run.parameters() = parameters;
      QVERIFY(agrees(run.backward(), golden().at("losses").at(std::size_t(step)).number()));
      AdamRule rule{.learning_rate = 0.01 * (1.0 - step / 1000.0), .beta1 = 0.85, .beta2 = 0.99};
      rule.correctFor(++step);
      ops::adam<double>(*backend, parameters, run.gradients(), first_moments, second_moments, rule);
    }
    ModelRun last = runOf(microgpt(), "emma");
    last.parameters() = parameters;
    QVERIFY(agrees(last.backward(), golden().at("loss_after").number()));
  }

  void mistakesAreNoticed() {
    const auto differs = [](void (*change)(ModelConfig&)) {
      ModelConfig config = microgpt();
      change(config);
      ModelRun run = runOf(config, "emma");
      test::setParameters(run, golden().at("parameters"));
      return !agrees(run.backward(), golden().at("loss").number());
    };
    QVERIFY(!differs([](ModelConfig&) {}));
    QVERIFY(differs([](ModelConfig& c) { c.embedding_norm = false; }));
    QVERIFY(differs([](ModelConfig& c) { c.final_norm = true; }));
    QVERIFY(differs([](ModelConfig& c) { c.norm = NormKind::LayerNorm; }));
    QVERIFY(differs([](ModelConfig& c) { c.activation = Activation::Gelu; }));
    QVERIFY(differs([](ModelConfig& c) { c.embedding_norm_eps = 1e-6; }));
  }
};

TFM_TEST(TestMicrogpt)
#include "test_microgpt.moc"
