// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/parameter_norms.h"
#include "core/observe/probe.h"
#include "core/observe/tensor_shape.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

constexpr std::int64_t kSequences = 2;
constexpr std::int64_t kPads = 1;  // at the end of each source

/// A batch of any model: tokens 0, 1, 2 ..., features that rise slowly.
Batch batchFor(const ModelConfig& config) {
  Batch batch;
  batch.size = kSequences;
  const auto fill = [](std::int64_t size, std::int64_t vocabulary, auto& ids) {
    for (std::int64_t i = 0; i < size; ++i) ids.push_back(std::int32_t(i % vocabulary));
  };
  const bool source = config.architecture != Architecture::Decoder || config.memory_size > 0;
  if (source) {
    batch.source_length = config.source_length;
    const std::int64_t positions = kSequences * config.source_length;
    for (std::int64_t i = 0; i < positions; ++i)
      batch.source_pad.push_back(i % config.source_length >= config.source_length - kPads);
    if (config.memory_size > 0)
      for (std::int64_t i = 0; i < positions * config.memory_size; ++i)
        batch.memory.push_back(std::sin(double(i)));
    else if (config.input == InputKind::Features)
      for (std::int64_t i = 0; i < positions * config.hidden; ++i)
        batch.source_features.push_back(std::sin(double(i)));
    else
      fill(positions, config.source_vocabulary, batch.source);
  }
  if (config.hasDecoder()) {
    batch.target_length = config.target_length;
    fill(kSequences * config.target_length, config.target_vocabulary, batch.target);
  }
  return batch;
}

AlignedVector<float> parametersOf(const ModelConfig& config) {
  AlignedVector<float> parameters;
  initialize(parameterLayout(config), 1, parameters);
  return parameters;
}

const char* const kPresets[] = {"rot13",        "annotated-decoder", "annotated-attention",
                                "expansions",   "encoder-layer",     "small-classifier",
                                "small-tagger", "characters",        "small-sequence"};

}  // namespace

class TestProbe : public QObject {
  Q_OBJECT

 private slots:
  void findsEveryAttention() {
    const auto sitesOf = [](const char* preset) {
      const ModelConfig config = presetNamed(preset).config();
      return attentionSites(buildProgram(config, fullShape(config, 1), {}));
    };
    const std::vector<AttentionSite> both = sitesOf("small-sequence");
    QCOMPARE(both.size(), std::size_t{6});
    const auto is = [](const AttentionSite& s, const char* path, AttentionKind kind,
                       std::int64_t layer) {
      return s.path == path && s.kind == kind && s.layer == layer;
    };
    QVERIFY(is(both[0], "encoder.layers.0.self_attention", AttentionKind::EncoderSelf, 0));
    QVERIFY(is(both[1], "encoder.layers.1.self_attention", AttentionKind::EncoderSelf, 1));
    QVERIFY(is(both[2], "decoder.layers.0.self_attention", AttentionKind::DecoderSelf, 0));
    QVERIFY(is(both[3], "decoder.layers.0.cross_attention", AttentionKind::Cross, 0));
    QVERIFY(is(both[5], "decoder.layers.1.cross_attention", AttentionKind::Cross, 1));
    QVERIFY(both[2].shape.causal && !both[0].shape.causal && !both[3].shape.causal);
    QCOMPARE(both[3].shape.heads, 4);

    QCOMPARE(sitesOf("characters").size(), std::size_t{2});
    QCOMPARE(sitesOf("characters").back().kind, AttentionKind::DecoderSelf);
    QCOMPARE(sitesOf("small-tagger").size(), std::size_t{2});
    QCOMPARE(sitesOf("small-tagger").back().kind, AttentionKind::EncoderSelf);
    QCOMPARE(sitesOf("annotated-decoder").size(), std::size_t{6});
    QCOMPARE(sitesOf("encoder-layer").size(), std::size_t{3});  // with shared parameters, too
    QCOMPARE(sitesOf("annotated-attention").size(), std::size_t{1});
    QCOMPARE(sitesOf("annotated-attention").front().kind, AttentionKind::EncoderSelf);
  }

  void attentionsAreFoundWithoutNames() {
    const ModelConfig config = presetNamed("small-sequence").config();
    Program program = buildProgram(config, fullShape(config, 1), {});
    const std::vector<AttentionSite> named = attentionSites(program);
    for (std::size_t i = 0; i < program.steps.size(); ++i)
      program.steps[i].path = "step" + std::to_string(i);
    const std::vector<AttentionSite> nameless = attentionSites(program);
    const auto alike = [](const AttentionSite& a, const AttentionSite& b) {
      return a.kind == b.kind && a.layer == b.layer;
    };
    QVERIFY(std::ranges::equal(named, nameless, alike));
  }

  void mapsAreMaps_data() {
    QTest::addColumn<QByteArray>("preset");
    for (const char* preset : kPresets) QTest::newRow(preset) << QByteArray(preset);
  }

  void mapsAreMaps() {
    QFETCH(QByteArray, preset);
    const ModelConfig config = presetNamed(preset.toStdString()).config();
    const Batch batch = batchFor(config);
    const auto backend = makeCpuBackend<float>();
    Probe probe(config, batch, *backend);
    const Observations seen = probe.run(parametersOf(config), batch, "*");
    const std::vector<AttentionSite> sites = attentionSites(probe.program());
    QVERIFY(!sites.empty());
    bool any_masked = false;
    for (const AttentionSite& site : sites) {
      const Observed& p = seen.at(site.path + ".probabilities");
      const Observed& scores = seen.at(site.path + ".scores");
      const Observed& masked = seen.at(site.path + ".masked_scores");
      const AttentionShape& s = site.shape;
      QCOMPARE(p.rows, s.batch * s.heads * s.queries);
      QCOMPARE(p.cols, s.keys);
      for (std::int64_t row = 0; row < p.rows; ++row) {
        const std::int64_t sequence = row / (s.heads * s.queries);
        double sum = 0.0;
        for (std::int64_t j = 0; j < p.cols; ++j) {
          const bool padded = site.kind != AttentionKind::DecoderSelf &&
                              batch.source_pad[std::size_t(sequence * s.keys + j)] != 0;
          const bool later = s.causal && j > row % s.queries;
          const float scaled = scores.at(row, j) / std::sqrt(float(s.key_size));
          const float mask = later ? -INFINITY : padded ? float(kPadScore) : 0.0F;
          any_masked = any_masked || padded || later;
          QVERIFY(std::isfinite(scaled));
          if (later)
            QCOMPARE(masked.at(row, j), mask);
          else
            QVERIFY(std::abs(masked.at(row, j) - (scaled + mask)) <= (padded ? 2e-3F : 1e-5F));
          QVERIFY(later || padded ? p.at(row, j) == 0.0F : p.at(row, j) > 0.0F);
          sum += double(p.at(row, j));
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-5);
      }
    }
    QVERIFY(any_masked);
  }

  /// A query matrix may have as many rows and columns as all maps of an attention together.
  void shapesFollowWhatATensorIs() {
    ModelConfig config = presetNamed("rot13").config();
    config.source_length = config.target_length = 5;
    setUniform(config, 1, 1, {1, 5, 5, 5, 1e-6});
    const Program program = buildProgram(config, fullShape(config, 1), {.scores = true});
    std::set<std::string> maps;
    for (const TensorInfo& tensor : program.tensors) {
      if (tensor.role != Role::Activation) continue;
      const std::vector<std::int64_t> shape = tensorShape(program, tensor.name);
      if (shape.size() == 3) {
        QCOMPARE(shape, (std::vector<std::int64_t>{1, 5, 5}));
        maps.insert(tensor.name);
      } else {
        QCOMPARE(shape, (std::vector<std::int64_t>{tensor.rows, tensor.cols}));
      }
    }
    std::set<std::string> expected;
    for (const AttentionSite& site : attentionSites(program))
      for (const char* map : {".scores", ".masked_scores", ".probabilities"})
        expected.insert(site.path + map);
    QVERIFY(maps == expected);
    QCOMPARE(program.tensor("encoder.layers.0.self_attention.query").rows, 5);
    const Program two = buildProgram(config, fullShape(config, 2), {});
    QCOMPARE(tensorShape(two, "encoder.layers.0.self_attention.probabilities"),
             (std::vector<std::int64_t>{2, 1, 5, 5}));
  }

  void textsOfABatchComeFirst_data() {
    QTest::addColumn<QString>("preset");
    for (const char* preset :
         {"rot13", "funnel-tagger", "delight", "facts", "character-model", "small-llama"})
      QTest::newRow(preset) << QString(preset);
  }

  /// Exactly where a batch of two has twice the rows.
  void textsOfABatchComeFirst() {
    QFETCH(QString, preset);
    const ModelConfig config = presetNamed(preset.toStdString()).config();
    const ProgramOptions options{.loss = true, .scores = true};
    const Program one = buildProgram(config, fullShape(config, 1), options);
    const Program two = buildProgram(config, fullShape(config, 2), options);
    int shared = 0, apart = 0;
    for (const TensorInfo& tensor : two.tensors) {
      if (tensor.window_of != kNoTensor || tensor.role == Role::Constant) continue;
      const std::vector<std::int64_t> shape = tensorShape(two, tensor.name);
      std::vector<std::int64_t> wanted = tensorShape(one, tensor.name);
      const bool twice = tensor.rows == 2 * one.tensor(tensor.name).rows;
      if (twice) wanted.insert(wanted.begin(), 2);
      QVERIFY2(shape == wanted, tensor.name.c_str());
      ++(twice ? apart : shared);
    }
    QVERIFY(shared > 0 && apart > 0);
  }

  void seesWhatTrainingComputes_data() { mapsAreMaps_data(); }

  /// Everything that both programs compute is the same, bit for bit.
  void seesWhatTrainingComputes() {
    QFETCH(QByteArray, preset);
    ModelConfig config = presetNamed(preset.toStdString()).config();
    config.attention_dropout = config.residual_dropout = config.feed_forward_dropout = 0.0;
    const Batch batch = batchFor(config);
    const AlignedVector<float> parameters = parametersOf(config);
    const auto backend = makeCpuBackend<float>();
    ProgramOptions options;
    options.training = true;
    Executor<float> training(
        std::make_shared<const Program>(
            buildProgram(config, {batch.size, batch.source_length, batch.target_length}, options)),
        *backend, false);
    setInputs(training, batch, 0);
    training.forward(parameters.data(), {});
    Probe probe(config, batch, *backend);
    const Observations seen = probe.run(parameters, batch, "*");
    std::size_t compared = 0;
    for (const auto& [name, id] : training.program().index) {
      if (training.program().tensors[std::size_t(id)].role != Role::Activation) continue;
      const MatrixView<const float> v = training.values(id);
      QCOMPARE(seen.at(name).values, std::vector<float>(v.data, v.data + v.size()));
      ++compared;
    }
    QVERIFY(compared > 3);
    AlignedVector<float> changed = parameters;
    for (float& x : changed) x *= 1.01F;
    const std::string output =
        training.program().tensors[std::size_t(training.program().find(names::kOutput))].name;
    QVERIFY(probe.run(changed, batch, output).at(output).values != seen.at(output).values);
  }

  void patternsSelect() {
    const ModelConfig config = presetNamed("rot13").config();
    const Batch batch = batchFor(config);
    const auto backend = makeCpuBackend<float>();
    Probe probe(config, batch, *backend);
    const AlignedVector<float> parameters = parametersOf(config);
    QCOMPARE(probe.run(parameters, batch, "*.probabilities").size(), std::size_t{3});
    QCOMPARE(probe.run(parameters, batch, "decoder*.probabilities").size(), std::size_t{2});
    QVERIFY(probe.run(parameters, batch, "nothing").empty());
    QVERIFY(probe.run(parameters, batch, "").empty());
  }

  void normsAreLengths() {
    const ModelConfig config = presetNamed("rot13").config();
    const ParameterLayout layout = parameterLayout(config);
    std::vector<float> values(std::size_t(layout.total), 0.0F), gradients = values;
    const ParameterInfo& bias = *layout.find("output.bias");
    values[std::size_t(bias.offset)] = 3.0F;
    values[std::size_t(bias.offset + 1)] = -4.0F;
    gradients[std::size_t(bias.offset)] = 2.0F;
    const std::vector<ParameterNorm> norms = parameterNorms(layout, values, gradients);
    QCOMPARE(norms.size(), layout.parameters.size());
    for (const ParameterNorm& norm : norms) {
      QCOMPARE(norm.value, norm.name == "output.bias" ? 5.0 : 0.0);
      QCOMPARE(norm.gradient, norm.name == "output.bias" ? 2.0 : 0.0);
    }
  }
};

TFM_TEST(TestProbe)
#include "test_probe.moc"
