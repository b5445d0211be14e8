// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that pool and up-sample: lengths, attention, pads, cost (Dai et al. 2020).
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/model/presets.h"
#include "core/program/ops/ops.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using tfm::test::ModelRun;
using enum tfm::LengthChange;

namespace {

using Lengths = std::vector<std::int64_t>;

/// An encoder of tokens with a layer for each change of length.
ModelConfig encoder(std::int64_t length, const std::vector<LengthChange>& changes,
                    OutputKind output = OutputKind::None) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = output;
  c.output_size = output == OutputKind::None ? 0 : 3;
  c.source_vocabulary = 9;
  c.source_length = length;
  c.hidden = 6;
  c.initializer = InitialValues::HeNormal;
  c.embedding_deviation = 1.0;
  setUniform(c, std::int64_t(changes.size()), 0, {2, 3, 2, 8, 1e-5});
  for (std::size_t i = 0; i < changes.size(); ++i) c.encoder_layers[i].before = changes[i];
  return c;
}

/// A run of one program with drawn tokens and the last `pads` positions of every sequence padded.
ModelRun paddedRun(const ModelConfig& config, std::int64_t sequences, std::int64_t pads = 0) {
  ModelRun run(config, fullShape(config, sequences), {});
  test::setDrawnInputs(run, config);
  std::vector<std::int32_t> pad;
  for (std::int64_t i = 0; i < sequences * config.source_length; ++i)
    pad.push_back(i % config.source_length >= config.source_length - pads ? 1 : 0);
  run.setIds(names::kSourcePad, pad);
  return run;
}

AttentionShape attentionOf(const Program& program, std::int64_t layer) {
  for (const Step& step : program.steps)
    if (step.op == &ops::kAttention && step.site.layer == layer)
      return std::any_cast<const AttentionArguments&>(step.arguments).shape;
  return {};
}

/// Operations of all linear maps of positions.
double linearWork(const ModelConfig& config) {
  const Program program = buildProgram(config, fullShape(config, 1), {});
  double work = 0.0;
  for (const Step& step : program.steps) {
    if (step.op != &ops::kLinear || step.site.layer < 0) continue;
    const TensorInfo& x = program.tensors[std::size_t(step.inputs[0])];
    if (x.role == Role::Constant) continue;  // distances
    work += 2.0 * double(x.rows) * double(program.tensors[std::size_t(step.inputs[1])].cols) *
            double(program.tensors[std::size_t(step.inputs[1])].rows);
  }
  return work;
}

/// The standard encoder that the paper compares with.
ModelConfig standard(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  ModelConfig c = presetNamed("funnel-b4-4-4-h768").config();
  c.hidden = hidden;
  c.positions = Positions::None;
  setUniform(c, layers, 0, {heads, hidden / heads, hidden / heads, 4 * hidden, 1e-9});
  return c;
}

QByteArray refusal(const ModelConfig& config) {
  return test::errorOf([&] { validate(config); });
}

}  // namespace

class TestFunnel : public QObject {
  Q_OBJECT

 private slots:
  /// E1: 512 -> 256 -> 128; 512 -> 257 -> 129 without truncation.
  void lengthsAreThoseOfTheOfficialCode() {
    ModelConfig c = encoder(512, {None, Pool, None, Pool});
    QCOMPARE(layerLengths(c, Stack::Encoder, 512), (Lengths{512, 256, 256, 128}));
    c.pooling.truncate = false;
    QCOMPARE(layerLengths(c, Stack::Encoder, 512), (Lengths{512, 257, 257, 129}));
    c.pooling.separate_cls = false;
    QCOMPARE(layerLengths(c, Stack::Encoder, 512), (Lengths{512, 256, 256, 128}));
    c.encoder_layers.push_back(c.encoder_layers.front());
    c.encoder_layers.back().before = Upsample;
    QCOMPARE(encodedLength(c, 512), 512);
    // What is too short stays as it is.
    c.pooling = {};
    QCOMPARE(layerLengths(c, Stack::Encoder, 3), (Lengths{3, 2, 2, 2, 3}));
    QCOMPARE(layerLengths(c, Stack::Encoder, 2), (Lengths{2, 2, 2, 2, 2}));
    for (std::int64_t length = 1; length <= 20; ++length) {
      const Program program = buildProgram(c, {2, length, 0}, {});
      const Lengths lengths = layerLengths(c, Stack::Encoder, length);
      for (std::size_t i = 0; i < lengths.size(); ++i)
        QCOMPARE(
            program.tensor("encoder.layers." + std::to_string(i) + ".feed_forward_residual").rows,
            2 * lengths[i]);
    }
  }

  /// E2: as many keys as before the pooling, half as many queries; pooled everywhere, as many.
  void queriesAloneArePooled() {
    ModelConfig c = encoder(8, {None, Pool, None});
    const auto shapeOf = [&](std::int64_t layer) {
      const AttentionShape s = attentionOf(buildProgram(c, {1, 8, 0}, {}), layer);
      return std::pair{s.queries, s.keys};
    };
    QCOMPARE(shapeOf(0), std::pair(std::int64_t{8}, std::int64_t{8}));
    QCOMPARE(shapeOf(1), std::pair(std::int64_t{4}, std::int64_t{8}));
    QCOMPARE(shapeOf(2), std::pair(std::int64_t{4}, std::int64_t{4}));
    c.pooling.queries_only = false;
    QCOMPARE(shapeOf(1), std::pair(std::int64_t{4}, std::int64_t{4}));
  }

  /// Queries and residual are pooled states; [CLS] is handed on, the others are means of two.
  void statesArePooledOnTheWayIntoTheLayer() {
    const ModelConfig c = encoder(8, {None, Pool});
    ModelRun run = paddedRun(c, 1);
    run.forward();
    const std::vector<double> before = run.values("encoder.layers.0.feed_forward_residual");
    const std::vector<double> after = run.values("encoder.layers.1.pooled");
    QCOMPARE(after.size(), before.size() / 2);
    for (std::size_t j = 0; j < 6; ++j) {
      QCOMPARE(after[j], before[j]);
      for (std::size_t t = 1; t < 4; ++t)
        QCOMPARE(after[t * 6 + j], 0.5 * (before[(2 * t - 1) * 6 + j] + before[2 * t * 6 + j]));
    }
    // Pre-norm: x + f(norm(x)) of the pooled x.
    const std::vector<double> sum = run.values("encoder.layers.1.self_attention_residual");
    const std::vector<double> attended = run.values("encoder.layers.1.self_attention.output");
    for (std::size_t i = 0; i < sum.size(); ++i) QCOMPARE(sum[i], after[i] + attended[i]);
  }

  /// E4: every position again, with the states before the first pooling.
  void upSamplingAddsTheEndOfTheFirstBlock() {
    ModelConfig c = encoder(8, {None, None, Pool, Pool, Upsample});
    ModelRun run = paddedRun(c, 2);
    run.forward();
    QCOMPARE(run.program().tensor(names::kOutput).rows, 16);
    const std::vector<double> whole = run.values("encoder.layers.1.feed_forward_residual");
    const std::vector<double> first = run.values("encoder.layers.0.feed_forward_residual");
    const std::vector<double> last = run.values("encoder.layers.3.feed_forward_residual");
    const std::vector<double> sum = run.values("encoder.layers.4.upsampled_residual");
    QCOMPARE(last.size(), std::size_t(2 * 2 * 6));
    // Position 0 is [CLS], 1-4 are copies of the other; the last three were truncated.
    double wrong = 0.0;
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t t = 0; t < 8; ++t)
        for (std::size_t j = 0; j < 6; ++j) {
          const std::size_t at = (s * 8 + t) * 6 + j;
          const double copy = t > 4 ? 0.0 : last[(s * 2 + (t == 0 ? 0 : 1)) * 6 + j];
          QVERIFY(std::abs(sum[at] - whole[at] - copy) < 1e-12);
          wrong = std::max(wrong, std::abs(sum[at] - first[at] - copy));
        }
    QVERIFY(wrong > 1e-3);
  }

  /// E5: a pooled position is padding if both are, or with padding_spreads if one is.
  void padsAreMinPooled() {
    ModelConfig c = encoder(8, {None, Pool}, OutputKind::Classes);
    for (const bool spreads : {false, true}) {
      c.pooling.padding_spreads = spreads;
      // Position 4 is the first of the padding: pairs are (1, 2), (3, 4), (5, 6).
      ModelRun run = paddedRun(c, 1, 4);
      run.forward();
      const std::vector<double> states = run.values("encoder.final_norm");
      const std::vector<double> mean = run.values("pooled");
      const std::size_t real = spreads ? 2 : 3;
      for (std::size_t j = 0; j < 6; ++j) {
        double sum = 0.0;
        for (std::size_t t = 0; t < real; ++t) sum += states[t * 6 + j];
        QVERIFY(std::abs(mean[j] - sum / double(real)) < 1e-12);
      }
    }
  }

  /// What follows the padding has no influence, and neither has what it contains.
  void paddingDoesNotMatter() {
    ModelConfig c = encoder(12, {None, Pool, Pool}, OutputKind::Classes);
    c.positions = Positions::Relative;
    c.pooling.padding_spreads = true;
    ModelRun run = paddedRun(c, 1, 5);
    std::vector<std::int32_t> ids(12, 3);
    run.setIds(names::kSourceIds, ids);
    run.forward();
    const std::vector<double> before = run.values(names::kOutput);
    std::fill(ids.begin() + 7, ids.end(), 8);
    run.setIds(names::kSourceIds, ids);
    run.forward();
    QVERIFY(test::worstDifference(run.values(names::kOutput), before) < 1e-12);
    ids[6] = 8;
    run.setIds(names::kSourceIds, ids);
    run.forward();
    QVERIFY(test::worstDifference(run.values(names::kOutput), before) > 1e-6);
  }

  /// A layer that runs again reads its own pooled output.
  void aRepeatDoesNotPoolAgain() {
    const ModelConfig c = presetNamed("funnel-b6-3x2-3x2-small").config();
    QCOMPARE(c.encoder_layers.size(), std::size_t{18});
    Lengths lengths(6, 128);
    lengths.insert(lengths.end(), 6, 64);
    lengths.insert(lengths.end(), 6, 32);
    QCOMPARE(layerLengths(c, Stack::Encoder, 128), lengths);
    QVERIFY(modelConfigFromJson(toJson(c), "test") == c);
    ModelConfig wrong = c;
    wrong.encoder_layers[7].before = Pool;
    QVERIFY(refusal(wrong).contains("a repeat of the previous layer"));
  }

  /// E3: the paper's ratios to the standard encoder, of parameters and of the work of linear maps.
  void ratiosAreThoseOfThePaper_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<double>("work");
    QTest::addColumn<double>("parameters");
    const auto row = [](const char* name, double work, double parameters) {
      QTest::newRow(name) << QByteArray(name) << work << parameters;
    };
    row("funnel-b6-6-6-h768", 0.88, 1.39);
    row("funnel-b4-4-4-h768", 0.58, 1.00);
    row("funnel-b6-3x2-3x2-h768", 0.88, 1.00);
    row("funnel-b10-10-10-h1024", 0.73, 1.23);
    row("funnel-b8-8-8-h1024", 0.58, 1.00);
  }
  void ratiosAreThoseOfThePaper() {
    QFETCH(QByteArray, name);
    QFETCH(double, work);
    QFETCH(double, parameters);
    ModelConfig c = presetNamed(name.constData()).config();
    const ModelConfig base = c.hidden == 768 ? standard(12, 768, 12) : standard(24, 1024, 16);
    c.positions = Positions::None;  // the paper counts neither its maps of distances
    const auto ratio = [](double of, double to) { return std::round(100.0 * of / to) / 100.0; };
    QCOMPARE(ratio(double(parameterLayout(c).total), double(parameterLayout(base).total)),
             parameters);
    // ... nor that keys and values are made of unpooled states.
    const double real = linearWork(c);
    c.pooling.queries_only = false;
    QCOMPARE(ratio(linearWork(c), linearWork(base)), work);
    QVERIFY(real > linearWork(c) && real < linearWork(c) + 0.012 * linearWork(base));
    for (LayerConfig& layer : c.encoder_layers) layer.before = None;
    QVERIFY(ratio(linearWork(c), linearWork(base)) >= 1.0);
  }

  void whatCannotBeIsRefused() {
    const auto classes = OutputKind::Classes;
    QCOMPARE(refusal(encoder(8, {None, Pool}, classes)), QByteArray("no error"));
    QVERIFY(refusal(encoder(8, {Pool, None}, classes)).contains("the first layer"));
    QVERIFY(refusal(encoder(8, {None, Upsample}, classes)).contains("no layer before has pooled"));
    QVERIFY(refusal(encoder(8, {None, Pool, Upsample, Pool}, classes)).contains("after the layer"));
    QVERIFY(refusal(encoder(8, {None, Pool, Upsample, Upsample}, classes))
                .contains("another layer that up-samples"));
    QVERIFY(refusal(encoder(2, {None, Pool}, classes)).contains("at least 3"));
    QVERIFY(refusal(encoder(4, {None, Pool, Pool}, classes)).contains("at least 5"));
    QCOMPARE(refusal(encoder(5, {None, Pool, Pool}, classes)), QByteArray("no error"));
    ModelConfig deep = encoder(8, {None, None}, classes);
    deep.encoder_layers.resize(100, deep.encoder_layers.front());
    for (std::size_t i = 1; i < 100; ++i) deep.encoder_layers[i].before = Pool;
    QVERIFY(refusal(deep).contains("fewer layers that pool"));
    QVERIFY(refusal(encoder(8, {None, Pool}, OutputKind::Labels)).contains("up-samples"));
    QCOMPARE(refusal(encoder(8, {None, Pool, Upsample}, OutputKind::Labels)),
             QByteArray("no error"));

    ModelConfig c = encoder(8, {None, Pool}, classes);
    std::ranges::reverse(c.encoder_layers[1].blocks);
    QVERIFY(refusal(c).contains("starts with self_attention"));
    c.pooling.queries_only = false;
    QCOMPARE(refusal(c), QByteArray("no error"));

    ModelConfig decoder = presetNamed("small-sequence").config();
    decoder.decoder_layers[1].before = Pool;
    QVERIFY(refusal(decoder).contains("decoder_layers.1.before is pool"));
    decoder.decoder_layers[1].before = None;
    decoder.encoder_layers[1].before = Pool;
    QCOMPARE(refusal(decoder), QByteArray("no error"));
    decoder.positions = Positions::Relative;
    QVERIFY(refusal(decoder).contains("positions is relative"));
  }

  void jsonKeepsThem() {
    ModelConfig c = encoder(9, {None, Pool, None, Upsample}, OutputKind::Labels);
    c.encoder_layers[2].repeats = true;
    c.positions = Positions::Relative;
    c.pooling = {Pooling::Max, false, false, false, true};
    QVERIFY(modelConfigFromJson(toJson(c), "test") == c);
    c.pooling.queries_only = true;
    QVERIFY(modelConfigFromJson(toJson(c), "test") == c);
    // Nothing is written where nothing pools, as in files before there was pooling.
    const std::string usual = toJson(presetNamed("rot13").config());
    QVERIFY(usual.find("pooling") == std::string::npos &&
            usual.find("before") == std::string::npos);
    TFM_VERIFY_ERROR(modelConfigFromJson(R"({"pooling": {"kind": "sum"}})", "x"), "mean, max");
    TFM_VERIFY_ERROR(modelConfigFromJson(R"({"pooling": {"stride": 2}})", "x"), "stride");
  }
};

TFM_TEST(TestFunnel)
#include "test_funnel.moc"
