// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/model/presets.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::test::ModelRun;

namespace {

/// A model and the same one with nothing shared.
ModelRun lossRun(const ModelConfig& config) {
  ModelRun run(config, tfm::fullShape(config, 2), {.loss = true});
  tfm::test::setDrawnInputs(run, config);
  return run;
}

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::plus<>());
  return result;
}

ModelConfig notebook(const char* name) {
  ModelConfig c = tfm::presetNamed(name).config();
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.0;
  return c;
}

}  // namespace

class TestSharedParameters : public QObject {
  Q_OBJECT

 private slots:
  void aSharedLayersGradientIsTheSumOverItsUses() {
    ModelRun shared = lossRun(notebook("encoder-layer-notebook"));
    ModelRun own = lossRun(notebook("encoder-layer-notebook-independent"));
    const std::string first = "encoder.layers.0.";
    for (const tfm::ParameterInfo& p : shared.program().parameters.parameters) {
      QVERIFY(p.name.starts_with(first));
      const auto* values = shared.parameters().data() + p.offset;
      for (const char* layer : {"0", "1", "2"})
        own.setParameter("encoder.layers." + std::string(layer) + "." + p.name.substr(first.size()),
                         {values, values + p.size()});
    }
    QVERIFY(std::abs(shared.backward() - own.backward()) < 1e-14);
    for (const tfm::ParameterInfo& p : shared.program().parameters.parameters) {
      const std::string name = p.name.substr(first.size());
      const auto of = [&](const char* layer) {
        return own.parameterGradient("encoder.layers." + std::string(layer) + "." + name);
      };
      const std::vector<double> two = sum(of("0"), of("1"));
      const std::vector<double> tied = shared.parameterGradient(p.name);
      QVERIFY2(tfm::test::worstDifference(tied, sum(two, of("2"))) < 1e-12, name.c_str());
      // A key bias has no gradient at all: softmax cancels it.
      if (name != "self_attention.key.bias") QVERIFY(tfm::test::worstDifference(tied, two) > 1e-6);
    }
  }

  /// Two layers, the first run twice, as in "2x2" but uneven: the same parameters used twice.
  void aRepeatedLayersGradientIsTheSumOverItsUses() {
    ModelConfig independent = notebook("encoder-layer-notebook-independent"), repeats = independent;
    repeats.encoder_layers[1].repeats = true;
    ModelRun tied = lossRun(repeats), own = lossRun(independent);
    const auto parameters = [](const ModelRun& run) { return run.program().parameters.total; };
    QCOMPARE(3 * parameters(tied), 2 * parameters(own));
    const auto copy = [&](const std::string& from, const std::string& to) {
      const tfm::ParameterInfo& p = *tied.program().parameters.find(from);
      const auto* values = tied.parameters().data() + p.offset;
      own.setParameter(to, {values, values + p.size()});
    };
    const std::string first = "encoder.layers.0.", second = "encoder.layers.1.";
    for (const tfm::ParameterInfo& p : tied.program().parameters.parameters) {
      QVERIFY(!p.name.starts_with(second));
      copy(p.name, p.name);
      if (p.name.starts_with(first)) copy(p.name, second + p.name.substr(first.size()));
    }
    QVERIFY(std::abs(tied.backward() - own.backward()) < 1e-14);
    for (const tfm::ParameterInfo& p : tied.program().parameters.parameters) {
      const std::vector<double> got = tied.parameterGradient(p.name);
      const std::vector<double> once = own.parameterGradient(p.name);
      if (!p.name.starts_with(first)) {
        QVERIFY2(tfm::test::worstDifference(got, once) < 1e-12, p.name.c_str());
        continue;
      }
      const std::string name = p.name.substr(first.size());
      const std::vector<double> again = own.parameterGradient(second + name);
      QVERIFY2(tfm::test::worstDifference(got, sum(once, again)) < 1e-12, name.c_str());
      if (name != "self_attention.key.bias") QVERIFY(tfm::test::worstDifference(got, once) > 1e-6);
    }
  }

  void aTiedTablesGradientIsTheSumOfBothUses() {
    ModelConfig tied_config = tfm::presetNamed("character-model").config();
    tied_config.target_length = 5;
    ModelConfig own_config = tied_config;
    own_config.tie_output = false;
    ModelRun tied = lossRun(tied_config), own = lossRun(own_config);
    QCOMPARE(own.program().parameters.total - tied.program().parameters.total, 65 * 64);
    for (const tfm::ParameterInfo& p : tied.program().parameters.parameters) {
      const auto* values = tied.parameters().data() + p.offset;
      own.setParameter(p.name, {values, values + p.size()});
      if (p.name == "decoder.embedding.weight")
        own.setParameter("output.weight", {values, values + p.size()});
    }
    QVERIFY(std::abs(tied.backward() - own.backward()) < 1e-14);
    const std::vector<double> both = tied.parameterGradient("decoder.embedding.weight");
    const std::vector<double> input = own.parameterGradient("decoder.embedding.weight");
    const std::vector<double> output = own.parameterGradient("output.weight");
    QVERIFY(tfm::test::worstDifference(both, sum(input, output)) < 1e-12);
    QVERIFY(tfm::test::worstDifference(both, output) > 1e-6);
    QVERIFY(tfm::test::worstDifference(both, input) > 1e-6);
  }
};

TFM_TEST(TestSharedParameters)
#include "test_shared_parameters.moc"
