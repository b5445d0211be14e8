// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/stack_stages.h"
#include "core/program/ops/ops.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

using Places = std::vector<std::int64_t>;
constexpr std::int64_t kLength = 8;

/// An encoder of three layers as ops: whole length, pooled, and repeated with the first added.
Program funnel() {
  ProgramBuilder b({1, kLength, 0}, false, false);
  b.enter({Stack::Encoder});
  const TensorId table =
      b.parameter("table", {Dimension{{Axis::Vocabulary, 9}}, Dimension{{Axis::Hidden, 4}}}, {});
  const TensorId x = ops::embedding(b, "input", b.ids("source.ids", kLength), table, 1.0);
  b.enter({Stack::Encoder, 0});
  const TensorId first = ops::activation(b, "first", x, Activation::Relu);
  b.enter({Stack::Encoder, 1});
  const SequencePooling sequence{kLength, true, true};
  const TensorId pooled = ops::sequencePool(b, "pool", first, sequence, Pooling::Mean);
  const TensorId second = ops::activation(b, "second", pooled, Activation::Relu);
  b.enter({Stack::Encoder, 2});
  const TensorId up = ops::upsample(b, "up", second, {sequence.pooledLength(), 2, kLength, true});
  ops::activation(b, "third", ops::add(b, "sum", up, first), Activation::Relu);
  return b.finish();
}

/// Two grouped maps, the first of them shuffled, the second with a mixer, in one layer.
Program strands() {
  ProgramBuilder b({1, kLength, 0}, false, false);
  b.enter({Stack::Encoder});
  const auto weight = [&](const char* name, std::int64_t out, std::int64_t in) {
    return b.parameter(name, {Dimension{{Axis::Hidden, out}}, Dimension{{Axis::Hidden, in}}}, {});
  };
  const TensorId x = ops::embedding(b, "input", b.ids("source.ids", kLength), weight("t", 9, 8), 1);
  b.enter({Stack::Encoder, 0});
  const TensorId one = ops::groupedLinear(b, "one", x, weight("a", 16, 4), kNoTensor, 2, true);
  const TensorId both = ops::joinGroups(b, "mixed", x, one, 4);
  ops::groupedLinear(b, "two", both, weight("b", 8, 6), kNoTensor, 4, false);
  return b.finish();
}

}  // namespace

class TestStackStages : public QObject {
  Q_OBJECT

 private slots:
  void lengthsOfAFunnel() {
    const auto stages = stackStages(funnel(), Stack::Encoder);
    Places lengths, layers;
    for (const StackStage& stage : stages) {
      lengths.push_back(stage.length);
      layers.push_back(stage.layer);
    }
    QCOMPARE(lengths, (Places{8, 8, 4, 8}));
    QCOMPARE(layers, (Places{-1, 0, 1, 2}));
    QCOMPARE(stages[2].states, std::string("second"));
    QCOMPARE(stages[2].from, (std::vector<Places>{{0}, {1, 2}, {3, 4}, {5, 6}}));
    QCOMPARE(stages[3].from, (std::vector<Places>{{0}, {1}, {1}, {2}, {2}, {3}, {3}, {}}));
    QCOMPARE(stages[3].added, 1);
    QCOMPARE(stages[1].added, -1);
    QVERIFY(stackStages(funnel(), Stack::Decoder).empty());
  }

  void whatAPositionWasMadeFromAndBecomes() {
    const auto stages = stackStages(funnel(), Stack::Encoder);
    QCOMPARE(relatives(stages, 2, 1, 0), (Places{1, 2}));
    QCOMPARE(relatives(stages, 2, 1, 3), (Places{1, 2}));
    QCOMPARE(relatives(stages, 0, 4, 3), (Places{3, 4}));  // its pair is copied to both places
    QCOMPARE(relatives(stages, 0, 7, 2), Places{});        // dropped
    QCOMPARE(relatives(stages, 3, 7, 2), Places{});        // behind the last copy
    QCOMPARE(relatives(stages, 1, 5, 1), Places{5});
  }

  void groupedMaps() {
    const auto stages = stackStages(strands(), Stack::Encoder);
    QCOMPARE(stages.size(), 2U);
    const auto& maps = stages[1].maps;
    QCOMPARE(maps.size(), 2U);
    QCOMPARE(maps[0], (PassedMap{"input", "one", {}, 8, 16, 2, true, 0}));
    QCOMPARE(maps[1], (PassedMap{"mixed", "two", {}, 24, 8, 4, false, 8}));
  }

  /// Maps into and out of attentions are not on the way; those of the feed-forward are.
  void mapsOfAnOrdinaryModel() {
    const ModelConfig config = presetNamed("rot13").config();
    const Program program = buildProgram(config, {1, 5, 6}, {});
    const auto stages = stackStages(program, Stack::Decoder);
    QCOMPARE(stages.size(), config.decoder_layers.size() + 1);
    QCOMPARE(stages[1].maps.size(), 2U);
    QCOMPARE(stages[1].maps[0].inputs, config.hidden);
    QCOMPARE(stages[1].maps[1].outputs, config.hidden);
    QCOMPARE(stages[1].length, 6);
    for (const StackStage& stage : stages) QVERIFY(program.find(stage.states) != kNoTensor);
  }

  /// All operations of a model without final norm and output are some stage's.
  void operationsAddUp() {
    ModelConfig config = presetNamed("rot13").config();
    config.final_norm = false;
    const Program program = buildProgram(config, {1, 5, 6}, {});
    std::int64_t outside = 0, inside = 0;
    for (const Step& step : program.steps)
      if (step.site.stack == Stack::None) outside += program.flopsOf(step);
    for (const Stack stack : {Stack::Encoder, Stack::Decoder})
      for (const StackStage& stage : stackStages(program, stack)) inside += stage.flops;
    QCOMPARE(inside + outside, program.forwardFlops());
    QVERIFY(outside > 0);
  }
};

TFM_TEST(TestStackStages)
#include "test_stack_stages.moc"
