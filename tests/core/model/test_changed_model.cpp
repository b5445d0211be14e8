// SPDX-License-Identifier: GPL-3.0-or-later
// What ModelConfig::changes make of models, in double precision, against other ways to get there.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/model/presets.h"
#include "core/program/ops/ops.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

namespace {

constexpr const char* kAttended = "decoder.layers.0.self_attention";

BatchShape shapeFor(const ModelConfig& c) {
  return {2, std::min<std::int64_t>(5, c.source_length),
          std::min<std::int64_t>(4, c.target_length)};
}

ModelConfig changed(ModelConfig config, std::vector<TensorChange> changes) {
  config.changes = std::move(changes);
  return config;
}

ModelRun drawnRun(const ModelConfig& config, bool loss = false) {
  ModelRun run(config, shapeFor(config), {.loss = loss});
  setDrawnInputs(run, config);
  return run;
}

/// The last output of a step that is an activation, in the middle of the model.
std::string middleOf(const Program& program) {
  const TensorId id = program.steps[program.steps.size() / 2].outputs.front();
  const TensorInfo& tensor = program.tensors[std::size_t(id)];
  return tensor.role == Role::Activation
             ? tensor.name
             : program.tensors[std::size_t(program.steps.front().outputs.front())].name;
}

}  // namespace

class TestChangedModel : public QObject {
  Q_OBJECT

 private slots:
  void everyFamilyCanBeChanged_data() {
    QTest::addColumn<QByteArray>("preset");
    for (const char* preset : {"rot13", "annotated-encoder", "characters", "small-classifier",
                               "funnel-tagger", "delight-sequence", "expansions-notebook"})
      QTest::newRow(preset) << QByteArray(preset);
  }
  void everyFamilyCanBeChanged() {
    QFETCH(QByteArray, preset);
    const ModelConfig config = presetNamed(preset.toStdString()).config();
    ModelRun plain = drawnRun(config);
    plain.forward();
    const auto answer = plain.values(names::kOutput);
    const std::string tensor = middleOf(plain.program());

    ModelRun same = drawnRun(changed(config, {{.tensor = tensor, .factor = 1.0}}));
    same.forward();
    QVERIFY(same.program().steps.size() == plain.program().steps.size() + 1);
    QVERIFY(same.values(names::kOutput) == answer);

    ModelRun other =
        drawnRun(changed(config, {{.tensor = tensor, .factor = -1.5, .added = {0.3}}}));
    other.forward();
    QVERIFY(worstDifference(other.values(names::kOutput), answer) > 1e-9);
    const auto before = other.values(tensor + kBefore), after = other.values(tensor);
    QVERIFY(before == plain.values(tensor));
    for (std::size_t i = 0; i < before.size(); ++i)
      QVERIFY(std::abs(after[i] - (-1.5 * before[i] + 0.3)) < 1e-12);
  }

  void aHeadAtZeroIsItsColumnsOfTheOutputMapAtZero() {
    const ModelConfig config = presetNamed("rot13").config();
    const std::int64_t size =
        config.decoder_layers.front().first<SelfAttention>()->sizes.value_size;
    ModelRun plain = drawnRun(config);
    plain.forward();
    const auto whole = plain.values(names::kOutput);
    ModelRun without = drawnRun(changed(
        config, {{.tensor = std::string(kAttended) + ".mixed", .col = 3 * size, .cols = size}}));
    without.forward();
    const auto changed_output = without.values(names::kOutput);
    QVERIFY(worstDifference(changed_output, whole) > 1e-9);  // the control

    const ParameterInfo& map =
        *plain.program().parameters.find(std::string(kAttended) + ".output.weight");
    const auto weights = parameterView(plain.parameters().data(), map);
    for (std::int64_t r = 0; r < weights.rows; ++r)
      for (std::int64_t c = 3 * size; c < 4 * size; ++c) weights.at(r, c) = 0.0;
    plain.forward();
    QVERIFY(worstDifference(changed_output, plain.values(names::kOutput)) < 1e-12);
  }

  void aBlockAtZeroLeavesTheResidual() {
    const ModelConfig config = presetNamed("rot13").config();
    ModelRun run = drawnRun(changed(config, {{.tensor = "decoder.layers.0.feed_forward.linear2"}}));
    run.forward();
    const std::string sum = "decoder.layers.0.feed_forward_residual";
    for (const Step& step : run.program().steps)
      if (step.path == sum) {
        const auto& read = run.program().tensors[std::size_t(step.inputs[0])].name;
        QVERIFY(run.values(sum) == run.values(read));
        return;
      }
    QFAIL("there is a residual");
  }

  void aCellOfAttentionMixesTheValuesAnew() {
    const ModelConfig config = presetNamed("rot13").config();
    const AttentionSizes& sizes = config.decoder_layers.front().first<SelfAttention>()->sizes;
    const std::string map = std::string(kAttended) + ".probabilities",
                      mixed = std::string(kAttended) + ".mixed";
    ModelRun run = drawnRun(changed(config, {{.tensor = map,
                                              .sequence = 1,
                                              .head = 1,
                                              .row = 2,
                                              .col = 0,
                                              .cols = 1,
                                              .added = {0.5}}}));
    ModelRun plain = drawnRun(config);
    run.forward();
    plain.forward();
    const std::int64_t length = shapeFor(config).target_length;
    const std::int64_t cell = ((sizes.heads + 1) * length + 2) * length;  // sequence 1, head 1
    auto p = plain.values(map), m = plain.values(mixed);
    const auto v = plain.values(std::string(kAttended) + ".value");
    const double more = 0.5 - p[std::size_t(cell)];
    QVERIFY(std::abs(more) > 1e-6);
    p[std::size_t(cell)] = 0.5;
    const std::int64_t width = sizes.heads * sizes.value_size;
    for (std::int64_t c = sizes.value_size; c < 2 * sizes.value_size; ++c)
      m[std::size_t((length + 2) * width + c)] += more * v[std::size_t(length * width + c)];
    QVERIFY(worstDifference(run.values(map), p) < 1e-12);
    QVERIFY(worstDifference(run.values(mixed), m) < 1e-12);
    QVERIFY(worstDifference(run.values(mixed), plain.values(mixed)) > 1e-9);
  }

  void positionsBehindTheTextStay() {
    const ModelConfig config = presetNamed("rot13").config();
    ModelRun plain = drawnRun(config);
    ModelRun run = drawnRun(changed(config, {{.tensor = "encoder.embedding", .row = 5}}));
    ModelRun inside = drawnRun(changed(config, {{.tensor = "encoder.embedding", .row = 4}}));
    for (ModelRun* one : {&plain, &run, &inside}) one->forward();
    QVERIFY(run.values(names::kOutput) == plain.values(names::kOutput));
    QVERIFY(inside.values(names::kOutput) != plain.values(names::kOutput));
  }

  void gradientsAreThoseOfTheChangedModel() {
    ModelConfig config = presetNamed("rot13").config();
    config.changes = {
        {.tensor = std::string(kAttended) + ".probabilities",
         .row = 2,
         .factor = 0.4,
         .added = {0.2}},
        {.tensor = std::string(kAttended) + ".mixed", .col = 0, .cols = 3, .factor = -0.7},
        {.tensor = "encoder.embedding", .sequence = 1, .row = 1},
        {.tensor = "encoder.layers.0.feed_forward.linear2", .factor = 2.0, .added = {0.1}}};
    ModelRun run = drawnRun(config, true);
    run.backward();
    const auto gradients = run.gradients();
    int seen = 0;
    for (std::size_t i = 0; i < gradients.size(); i += 37) {
      const double value = run.parameters()[i];
      constexpr double kStep = 1e-5;
      run.parameters()[i] = value + kStep;
      const double above = run.forward();
      run.parameters()[i] = value - kStep;
      const double below = run.forward();
      run.parameters()[i] = value;
      const double expected = (above - below) / (2 * kStep);
      QVERIFY2(std::abs(gradients[i] - expected) < 1e-6 * std::max(1.0, std::abs(expected)),
               qPrintable(QString::number(i)));
      seen += std::abs(expected) > 1e-9 ? 1 : 0;
    }
    QVERIFY(seen > 20);
    // The control: those of the model as it is differ.
    config.changes.clear();
    ModelRun plain = drawnRun(config, true);
    plain.backward();
    QVERIFY(worstDifference({plain.gradients().begin(), plain.gradients().end()},
                            {gradients.begin(), gradients.end()}) > 1e-6);
  }

  void whatIsTrainedIsNotChanged() {
    ModelConfig config = presetNamed("rot13").config();
    buildProgram(config, minimalShape(config), {.training = true});
    config.changes = {{.tensor = "encoder.embedding"}};
    buildProgram(config, minimalShape(config), {});
    TFM_VERIFY_ERROR(buildProgram(config, minimalShape(config), {.training = true}),
                     "interventions are in force");
  }
};

TFM_TEST(TestChangedModel)
#include "test_changed_model.moc"
