// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/presets.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::NormPlacement;
using tfm::test::ModelRun;
using tfm::test::worstDifference;

namespace {

constexpr NormPlacement kPlacements[] = {NormPlacement::Pre, NormPlacement::Post};

ModelConfig decoder(std::int64_t hidden, std::int64_t layers) {
  ModelConfig c;
  c.architecture = tfm::Architecture::Decoder;
  c.target_vocabulary = 5;
  c.target_length = 4;
  c.hidden = hidden;
  c.embedding_deviation = 0.5;
  c.positions = tfm::Positions::None;
  tfm::setUniform(c, 0, layers, {2, 3, 2, 5, 1e-5});
  return c;
}

/// A model with drawn inputs and no parameter at 0 or 1 but the gates.
ModelRun movedRun(const ModelConfig& config) {
  ModelRun run(config, tfm::fullShape(config, 3), {});
  tfm::test::setDrawnInputs(run, config);
  const tfm::Random random(5, 8);
  for (const tfm::ParameterInfo& p : run.program().parameters.parameters)
    for (std::int64_t i = p.offset; i < p.offset + p.size(); ++i)
      if (!p.name.ends_with(".gate"))
        run.parameters()[std::size_t(i)] += 0.2 * random.normal(std::uint64_t(i));
  return run;
}

/// Copies the parameters of a smaller model into the first rows and columns of those of the same
/// name.
void copyBlocks(ModelRun& from, ModelRun& to) {
  for (const tfm::ParameterInfo& p : from.program().parameters.parameters) {
    const auto old = tfm::parameterView(from.parameters().data(), p);
    const tfm::ParameterInfo* grown = to.program().parameters.find(p.name);
    QVERIFY2(grown != nullptr, p.name.c_str());
    const auto view = tfm::parameterView(to.parameters().data(), *grown);
    for (std::int64_t r = 0; r < old.rows; ++r)
      for (std::int64_t c = 0; c < old.cols; ++c) view.at(r, c) = old.at(r, c);
  }
}

std::vector<double> outputOf(ModelRun& run, std::uint64_t step = 0) {
  run.position.step = step;
  run.forward();
  return run.values(tfm::names::kOutput);
}

}  // namespace

class TestGrownModel : public QObject {
  Q_OBJECT

 private slots:
  void aNewGatedLayerIsTheIdentity() {
    for (const NormPlacement placement : kPlacements) {
      ModelConfig small = decoder(6, 1), grown = decoder(6, 2);
      small.norm_placement = grown.norm_placement = placement;
      grown.decoder_layers[1].gated = true;
      ModelRun before = movedRun(small), after = movedRun(grown);
      copyBlocks(before, after);
      const std::vector<double> expected = outputOf(before);
      QCOMPARE(worstDifference(outputOf(after), expected), 0.0);
      after.setParameter("decoder.layers.1.gate", {0.1});
      QVERIFY(worstDifference(outputOf(after), expected) > 1e-3);
    }
  }

  void anOpenGateIsTheLayer() {
    ModelConfig plain = decoder(6, 2), gated = plain;
    gated.decoder_layers[0].gated = true;
    ModelRun a = movedRun(plain), b = movedRun(gated);
    copyBlocks(a, b);
    QVERIFY(worstDifference(outputOf(a), outputOf(b)) > 1e-3);
    b.setParameter("decoder.layers.0.gate", {1.0});
    QVERIFY(worstDifference(outputOf(a), outputOf(b)) < 1e-14);
  }

  void aGateIsOneNumberOfItsLayer() {
    ModelConfig c = decoder(6, 3);
    for (tfm::LayerConfig& layer : c.decoder_layers) layer.gated = true;
    const std::int64_t plain = tfm::parameterLayout(decoder(6, 3)).total;
    const tfm::ParameterLayout own = tfm::parameterLayout(c);
    QCOMPARE(own.total, plain + 3);
    const tfm::ParameterInfo* gate = own.find("decoder.layers.2.gate");
    QVERIFY(gate != nullptr);
    QVERIFY(gate->shape == (tfm::Shape{{{tfm::Axis::Layer, 1}}}));
    QCOMPARE(gate->shape.front().name(), std::string("layer"));
    tfm::AlignedVector<double> values;
    tfm::initialize(own, 1, values);
    QCOMPARE(values[std::size_t(gate->offset)], 0.0);

    c.share_layers = true;
    const tfm::ParameterLayout shared = tfm::parameterLayout(c);
    QVERIFY(shared.find("decoder.layers.0.gate") != nullptr);
    QVERIFY(shared.find("decoder.layers.1.gate") == nullptr);
  }

  void narrowFeaturesAreFollowedByZeros() {
    ModelConfig wide = tfm::presetNamed("expansions-notebook").config(), narrow = wide;
    narrow.feature_size = 3;
    ModelRun a = movedRun(wide), b = movedRun(narrow);
    QCOMPARE(b.program().tensor(tfm::names::kSourceFeatures).cols, 3);
    QCOMPARE(b.program().tensor("encoder.features").cols, 5);
    const std::vector<double> given = b.values(tfm::names::kSourceFeatures);
    std::vector<double> filled(std::size_t(given.size() / 3 * 5), 0.0);
    for (std::size_t i = 0; i < given.size(); ++i) filled[i / 3 * 5 + i % 3] = given[i];
    QVERIFY(worstDifference(outputOf(a), outputOf(b)) > 1e-3);
    a.setNumbers(tfm::names::kSourceFeatures, filled);
    QCOMPARE(worstDifference(outputOf(a), outputOf(b)), 0.0);
  }

  void featuresAsWideAsTheModelNeedNoStep() {
    for (const std::int64_t width : {0, 5}) {
      ModelConfig c = tfm::presetNamed("expansions-notebook").config();
      c.feature_size = width;
      const tfm::Program p = tfm::buildProgram(c, tfm::fullShape(c, 1), {});
      QCOMPARE(p.find("encoder.features"), tfm::kNoTensor);
      QCOMPARE(p.tensor(tfm::names::kSourceFeatures).cols, 5);
    }
  }

  void theSinusoidOfAModelRepeats() {
    ModelConfig c = decoder(6, 1);
    c.positions = tfm::Positions::Sinusoidal;
    c.sinusoid_size = 2;
    for (const bool repeats : {false, true}) {
      c.sinusoid_repeats = repeats;
      const tfm::Program p = tfm::buildProgram(c, {1, 0, 4}, {});
      const tfm::TensorInfo& table = p.tensor("decoder.sinusoid");
      const double* row = p.constants.data() + table.offset + table.cols;  // position 1
      QCOMPARE(row[4], repeats ? row[0] : 0.0);
      QVERIFY(row[0] != 0.0);
    }
  }

  /// New components may hold anything while the mask is closed; only what reaches a reader without
  /// a norm in between must be zero, the embedding under post-norm.
  void aClosedMaskHidesNewComponents() {
    for (const NormPlacement placement : kPlacements) {
      ModelConfig small = decoder(4, 2), grown = decoder(6, 2);
      small.norm_placement = grown.norm_placement = placement;
      grown.mask_size = 4;
      grown.mask_begin = 10;
      grown.mask_steps = 20;
      ModelRun before = movedRun(small), after = movedRun(grown);
      copyBlocks(before, after);
      if (placement == NormPlacement::Post) {
        const auto table =
            tfm::parameterView(after.parameters().data(),
                               *after.program().parameters.find("decoder.embedding.weight"));
        for (std::int64_t r = 0; r < table.rows; ++r) table.at(r, 4) = table.at(r, 5) = 0.0;
      }
      const std::vector<double> expected = outputOf(before);
      QVERIFY(worstDifference(outputOf(after, 0), expected) < 1e-13);
      QVERIFY(worstDifference(outputOf(after, 10), expected) < 1e-13);
      QVERIFY(worstDifference(outputOf(after, 11), expected) > 1e-5);

      grown.mask_size = 0;
      ModelRun open = movedRun(grown);
      open.parameters() = after.parameters();
      QVERIFY(worstDifference(outputOf(after, 29), outputOf(open)) > 1e-5);
      QCOMPARE(worstDifference(outputOf(after, 30), outputOf(open)), 0.0);
    }
  }
};

TFM_TEST(TestGrownModel)
#include "test_grown_model.moc"
