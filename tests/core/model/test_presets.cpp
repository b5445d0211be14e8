// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/core/model/model_run.h"
#include "tests/test_program.h"

using tfm::ModelConfig;

namespace {

ModelConfig preset(const char* name) { return tfm::presetNamed(name).config(); }

std::int64_t parameterCount(const ModelConfig& config) {
  return tfm::parameterLayout(config).total;
}

/// Mean cross-entropy of the untrained rot13 model on letters that are drawn evenly, with pads
/// after them.
double firstLoss(std::uint64_t seed) {
  const ModelConfig config = preset("annotated-rot13");
  tfm::test::ModelRun run(config, {50, 15, 15}, {.loss = true});
  tfm::initialize(run.program().parameters, seed, run.parameters());
  constexpr std::int32_t kStart = 26, kPad = 27;
  std::vector<std::int32_t> source, pad, target, labels;
  const tfm::Random random(seed, 77);
  for (std::uint64_t s = 0; s < 50; ++s) {
    const std::int64_t letters = 1 + random.integer(1000 + s, 14);
    for (std::int64_t i = 0; i < 15; ++i) {
      const bool real = i < letters;
      const auto letter = std::int32_t(random.integer(s * 15 + std::uint64_t(i), 26));
      source.push_back(real ? letter : kPad);
      pad.push_back(real ? 0 : 1);
      target.push_back(i == 0 ? kStart : labels.back());
      labels.push_back(real ? (letter + 13) % 26 : kPad);
    }
  }
  run.setIds(tfm::names::kSourceIds, source);
  run.setIds(tfm::names::kSourcePad, pad);
  run.setIds(tfm::names::kTargetIds, target);
  run.setIds(tfm::names::kLabels, labels);
  run.setEqualWeights();
  return run.forward();
}

}  // namespace

class TestPresets : public QObject {
  Q_OBJECT

 private slots:
  void parameterCountsAreThoseOfTheSources_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<qint64>("count");
    const auto row = [](const char* name, qint64 count) {
      QTest::newRow(name) << QByteArray(name) << count;
    };
    row("annotated-attention", 63);
    row("annotated-encoder", 47670);
    row("annotated-decoder", 91291);
    row("annotated-encoder-decoder", 31903);
    row("annotated-rot13", 4665);
    row("expansions-notebook", 618);
    row("encoder-layer-notebook", 676);
    row("encoder-layer-notebook-independent", 2028);
  }
  void parameterCountsAreThoseOfTheSources() {
    QFETCH(QByteArray, name);
    QFETCH(qint64, count);
    QCOMPARE(qint64(parameterCount(preset(name.constData()))), count);
  }

  void documentedVariants() {
    ModelConfig wide = preset("annotated-encoder-decoder");
    tfm::setUniform(wide, 3, 3, {7, 17, 17, 13, 1e-6});
    QCOMPARE(parameterCount(wide), 140389);
    ModelConfig decoder = preset("annotated-decoder");
    decoder.memory_size = 30;
    QCOMPARE(parameterCount(decoder), 92719);
  }

  void aCountSeesAMissingBias() {
    ModelConfig config = preset("annotated-rot13");
    config.output_bias = false;
    QCOMPARE(parameterCount(config), 4665 - 28);
  }

  void countDoesNotDependOnTheBatch() {
    const ModelConfig config = preset("annotated-rot13");
    const tfm::Program p =
        tfm::buildProgram(config, {7, 15, 9}, {.training = true, .loss = true, .scores = true});
    QCOMPARE(p.parameters.total, 4665);
    const tfm::ParameterLayout layout = tfm::parameterLayout(config);
    for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
      QCOMPARE(layout.parameters[i].name, p.parameters.parameters[i].name);
      QCOMPARE(layout.parameters[i].offset, p.parameters.parameters[i].offset);
    }
  }

  void everyPresetIsValidAndBuilds() {
    std::set<std::string_view> names;
    for (const tfm::Preset& p : tfm::presets()) {
      const ModelConfig config = p.config();
      tfm::validate(config);
      const tfm::Program program = tfm::buildProgram(config, tfm::fullShape(config, 2), {});
      QVERIFY2(program.find(tfm::names::kOutput) != tfm::kNoTensor, p.name.data());
      QVERIFY(!p.description.empty());
      QVERIFY2(names.insert(p.name).second, p.name.data());
      if (!p.short_name.empty()) QVERIFY(names.insert(p.short_name).second);
    }
  }

  void presetsAreFoundByBothNames() {
    QCOMPARE(tfm::presetNamed("rot13").name, std::string_view("annotated-rot13"));
    QCOMPARE(tfm::presetNamed("annotated-rot13").name, std::string_view("annotated-rot13"));
    for (const char* unknown : {"", "annotated-rot14"}) {
      try {
        tfm::presetNamed(unknown);
        QFAIL("an unknown preset was found");
      } catch (const tfm::Error& e) {
        QVERIFY(e.hint().find("annotated-rot13") != std::string::npos);
      }
    }
  }

  void theFirstLossOfRot13IsThatOfGuessing() {
    // ln 28 = 3.33 and half of the logits' variance of 1; one seed alone may be 0.4 off.
    double mean = 0.0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) mean += firstLoss(seed) / 20.0;
    QVERIFY2(mean > 3.7 && mean < 4.4, qPrintable(QString::number(mean)));
  }
};

TFM_TEST(TestPresets)
#include "test_presets.moc"
