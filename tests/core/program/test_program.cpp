// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>
#include <stdexcept>

#include "core/base/error.h"
#include "core/program/ops/ops.h"
#include "core/program/step_call.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using tfm::Axis;
using tfm::kNoTensor;
using tfm::Program;
using tfm::ProgramBuilder;
using tfm::Role;
using tfm::TensorId;
using tfm::TensorInfo;

namespace {

constexpr tfm::InitialRule kZero{};

tfm::Dimension wide(std::int64_t size) { return {{Axis::Hidden, size}}; }

/// Adds an input and a linear map of it.
TensorId addLinear(ProgramBuilder& b, std::int64_t rows, std::int64_t in, std::int64_t out,
                   bool bias) {
  const TensorId x = b.input("x", rows, in);
  const TensorId w = b.parameter("w", {wide(out), wide(in)}, kZero);
  return tfm::ops::linear(b, "y", x, w, bias ? b.parameter("b", {wide(out)}, kZero) : kNoTensor);
}

Program linearProgram(std::int64_t rows, std::int64_t in, std::int64_t out, bool bias) {
  ProgramBuilder b({1, rows, 0}, false, false);
  addLinear(b, rows, in, out, bias);
  return b.finish();
}

Program attentionProgram(const tfm::AttentionShape& s, bool training, bool scores, double dropout) {
  ProgramBuilder b({s.batch, s.queries, 0}, training, scores);
  const TensorId q = b.input("q", s.batch * s.queries, s.heads * s.key_size);
  const TensorId k = b.input("k", s.batch * s.keys, s.heads * s.key_size);
  const TensorId v = b.input("v", s.batch * s.keys, s.heads * s.value_size);
  tfm::ops::attention(b, "a", q, k, v, kNoTensor, s, dropout);
  return b.finish();
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT

 private slots:
  void everyOpSaysWhatItIs() {
    std::set<std::string_view> names;
    for (const tfm::Op* op : tfm::ops::kAll) {
      QVERIFY(!op->formula.empty());
      names.insert(op->name);
    }
    QCOMPARE(names.size(), tfm::ops::kAll.size());
  }

  void theExampleHasEveryOp() {
    std::set<const tfm::Op*> used;
    for (const tfm::Step& step : tfm::test::everyOp({.dropout = 0.5}).steps) used.insert(step.op);
    QCOMPARE(used.size(), tfm::ops::kAll.size());
  }

  void onlyListedOpsMakeSteps() {
    const tfm::Op copy = tfm::ops::kAdd;
    ProgramBuilder b({1, 2, 0}, false, false);
    const TensorId x = b.input("x", 2, 2);
    QVERIFY_EXCEPTION_THROWN(b.append({&copy, "y", {x, x}, {b.activation("y", 2, 2)}, {}}),
                             std::logic_error);
  }

  void shapesFollowFromTheInputs() {
    const Program p = tfm::test::everyOp({});  // 4 sequences of 3, hidden 6, 2 heads, 5 classes
    const auto shape = [&](const char* name) {
      const TensorInfo& t = p.tensor(name);
      return std::pair(t.rows, t.cols);
    };
    using Shape = std::pair<std::int64_t, std::int64_t>;
    for (const char* name :
         {"embedding", "positions", "padded", "grouped", "reduced", "norm", "shared_key", "product", "longer",
          "residual", "masked_norm", "gated", "last_norm", "states"})
      QVERIFY2(shape(name) == Shape(12, 6), name);
    // Two positions of three: [CLS] and a pair.
    for (const char* name :
         {"shorter", "query", "asking", "attention.mixed", "output", "shorter_states"})
      QVERIFY2(shape(name) == Shape(8, 6), name);
    QVERIFY(shape("query_segments") == Shape(8, 1));
    QVERIFY(shape("shorter_pad") == Shape(8, 1));
    QVERIFY(shape("joined") == Shape(12, 12));
    QVERIFY(shape("grouped_norm.statistics") == Shape(12, 4));
    QVERIFY(shape("distances") == Shape(5, 6));
    for (const char* name : {"relative", "segment", "attention.probabilities"})
      QVERIFY2(shape(name) == Shape(16, 3), name);
    for (const char* name : {"narrow", "key", "turned_key"})
      QVERIFY2(shape(name) == Shape(12, 3), name);
    QVERIFY(shape("gate") == Shape(1, 1));
    QVERIFY(shape("norm.statistics") == Shape(12, 2));
    QVERIFY(shape("masked_norm.statistics") == Shape(12, 2));
    QVERIFY(shape("last_norm.statistics") == Shape(12, 1));
    QVERIFY(shape("pooled") == Shape(4, 6));
    QVERIFY(shape("logits") == Shape(4, 5));
    QVERIFY(shape("loss.probabilities") == Shape(4, 5));
    QVERIFY(shape("loss") == Shape(1, 1));
    QVERIFY(shape("error") == Shape(1, 1));
    QVERIFY(shape("table") == Shape(7, 6));
    QVERIFY(shape("norm.gain") == Shape(1, 6));
  }

  void everyTensorIsFoundByItsName() {
    const Program p = tfm::test::everyOp({.dropout = 0.5});
    for (std::size_t i = 0; i < p.tensors.size(); ++i)
      QCOMPARE(p.find(p.tensors[i].name), TensorId(i));
    QCOMPARE(p.find("nothing"), kNoTensor);
    QVERIFY_EXCEPTION_THROWN(p.tensor("nothing"), tfm::Error);
  }

  void memoryOfARoleDoesNotOverlap() {
    const Program p = tfm::test::everyOp({.dropout = 0.5});
    for (const TensorInfo& a : p.tensors) {
      for (const TensorInfo& b : p.tensors) {
        if (&a == &b || a.role != b.role) continue;
        QVERIFY2(a.offset + a.rows * a.cols <= b.offset || b.offset + b.rows * b.cols <= a.offset,
                 a.name.c_str());
      }
      if (a.role == Role::Activation) QCOMPARE(a.offset % 16, 0);
    }
  }

  void optionalAttentionOutputsExistOnlyWhenAsked() {
    const tfm::AttentionShape s{2, 3, 5, 2, 4, 4, false};
    const Program plain = attentionProgram(s, false, false, 0.5);
    QVERIFY(plain.find("a.probabilities") != kNoTensor);
    for (const char* name : {"a.scores", "a.masked_scores", "a.dropped_probabilities"})
      QCOMPARE(plain.find(name), kNoTensor);
    const Program full = attentionProgram(s, true, true, 0.5);
    for (const char* name : {"a.scores", "a.masked_scores", "a.dropped_probabilities"})
      QVERIFY(full.find(name) != kNoTensor);
    QCOMPARE(attentionProgram(s, true, true, 0.0).find("a.dropped_probabilities"), kNoTensor);
  }

  void dropoutVanishesOutsideTraining() {
    QCOMPARE(tfm::test::everyOp({}).find("dropout"), kNoTensor);
    QVERIFY(tfm::test::everyOp({.dropout = 0.5}).find("dropout") != kNoTensor);
  }

  void parametersAreSharedByName() {
    ProgramBuilder b({1, 2, 0}, false, false);
    const TensorId w = b.parameter("w", {wide(3), wide(3)}, kZero);
    const TensorId other = b.parameter("other", {wide(3), wide(3)}, kZero);
    QCOMPARE(b.parameter("w", {wide(3), wide(3)}, kZero), w);
    QVERIFY(other != w);
    const Program p = b.finish();
    QCOMPARE(p.parameters.parameters.size(), std::size_t(2));
    QCOMPARE(p.parameters.total, 18);
    QCOMPARE(p.parameters.find("other")->offset, 9);
    QVERIFY(p.parameters.find("nothing") == nullptr);
  }

  void wrongShapesAreRefused() {
    ProgramBuilder b({1, 4, 0}, false, false);
    const TensorId x = b.input("x", 4, 3);
    const TensorId w = b.parameter("w", {wide(2), wide(5)}, kZero);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::linear(b, "y", x, w, kNoTensor), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::add(b, "y", x, b.input("z", 4, 2)), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::padColumns(b, "y", x, 2), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::gate(b, "y", x, b.input("f", 4, 2), w), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::gate(b, "y", x, x, w), std::logic_error);
    const TensorId g = b.parameter("g", {wide(3)}, kZero);
    for (const std::int64_t size : {0, 4})
      QVERIFY_EXCEPTION_THROWN(
          tfm::ops::maskedLayerNorm(b, "y", x, g, kNoTensor, {1e-5, size, 0, 1}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::maskedLayerNorm(b, "y", x, g, kNoTensor, {1e-5, 2, 0, 0}),
                             std::logic_error);
    const TensorId pad = b.ids("pad", 3);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::meanPool(b, "y", x, pad, 2), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::sequencePool(b, "y", x, {3}, tfm::Pooling::Mean),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::poolIds(b, "y", pad, {2}, tfm::IdPooling::Min),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::upsample(b, "y", x, {2, 2, 5}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::groupedLinear(b, "y", x, w, kNoTensor, 1, false),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::joinGroups(b, "y", x, x, 2), std::logic_error);
    const TensorId narrow = b.parameter("narrow", {wide(2)}, kZero);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::layerNorm(b, "y", x, narrow, kNoTensor, 1e-5),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::relativeScores(b, "y", x, x, {{1, 4, 4, 1, 3, 3}}),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(b.input("x", 1, 1), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(b.parameter("w", {wide(3), wide(5)}, kZero), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(attentionProgram({1, 2, 3, 1, 4, 4, true}, false, false, 0.0),
                             std::logic_error);
  }

  void flopsOfALinearMap() {
    // 7 rows, 5 -> 3: 7 * 3 outputs of 5 multiply-adds, and 7 * 3 additions of the bias.
    QCOMPARE(linearProgram(7, 5, 3, false).forwardFlops(), 210);
    QCOMPARE(linearProgram(7, 5, 3, true).forwardFlops(), 231);
  }

  void flopsOfAnAttention() {
    // 2 * 3 heads of 5 x 7 cells: 4 multiply-adds for the score, 6 for the values, 5 for the
    // softmax.
    QCOMPARE(attentionProgram({2, 5, 7, 3, 4, 6, false}, false, false, 0.0).forwardFlops(),
             2 * 3 * 5 * 7 * (2 * 4 + 2 * 6 + 5));
  }

  void groupsOfALinearMapDivideItsWeightsAndFlops() {
    // 8 -> 12: 96 weights and 12 biases; in 4 groups 24 and 12. A group of all is a linear map.
    for (const auto& [groups, weights] : {std::pair{4, 24}, {1, 96}}) {
      ProgramBuilder b({1, 7, 0}, false, false);
      const TensorId x = b.input("x", 7, 8);
      const TensorId w = b.parameter("w", {wide(12), wide(8 / groups)}, kZero);
      const TensorId bias = b.parameter("b", {wide(12)}, kZero);
      tfm::ops::groupedLinear(b, "y", x, w, bias, groups, true);
      const Program p = b.finish();
      QCOMPARE(p.parameters.total, weights + 12);
      QCOMPARE(p.forwardFlops(), 7 * (2 * weights + 12));
    }
    QCOMPARE(linearProgram(7, 8, 12, true).forwardFlops(), 7 * (2 * 96 + 12));
  }

  void pooledQueriesHalveTheFlopsOfAnAttention() {
    const auto flops = [](std::int64_t queries, std::int64_t keys) {
      return attentionProgram({2, queries, keys, 3, 4, 6, false}, false, false, 0.0).forwardFlops();
    };
    QCOMPARE(2 * flops(64, 128), flops(128, 128));
    QCOMPARE(4 * flops(64, 64), flops(128, 128));
  }

  void flopsAddUpOverTheSteps() {
    const Program p = tfm::test::everyOp({});
    std::int64_t total = 0;
    for (const tfm::Step& step : p.steps)
      total += step.op->single_precision.flops(tfm::callOf<float>(p, step, {}, {}));
    QCOMPARE(p.forwardFlops(), total);
    QVERIFY(total > 12 * 4 * 2 * 6 * 6);
  }

  void memoryIsThatOfTheTensors() {
    // x: 7 x 5 = 35 numbers, rounded up to 48; y: 7 x 3 = 21, rounded up to 32. Parameters live
    // outside.
    const Program p = linearProgram(7, 5, 3, true);
    QCOMPARE(p.memoryBytes(4, false), 4 * (48 + 32));
    QCOMPARE(p.memoryBytes(8, true), 8 * (48 + 2 * 32));
  }
};

TFM_TEST(TestProgram)
#include "test_program.moc"
