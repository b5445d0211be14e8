// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>
#include <vector>

#include "core/program/ops/ops.h"
#include "tests/core/program/ops/golden_layer.h"
#include "tests/test_program.h"

using tfm::TensorId;
using tfm::test::Golden;
using tfm::test::GoldenLayer;

namespace {

/// The attention of one of the golden's cases, composed of ops. `stride`: that of the positions, 1
/// where it is right.
tfm::Program layer(const Golden& all, const Golden& one, std::int64_t stride) {
  namespace ops = tfm::ops;
  const auto number = [&](const char* name) { return std::int64_t(all.at(name).number()); };
  const std::int64_t batch = number("batch"), length = number("length");
  tfm::ProgramBuilder b({batch, length, 0}, false, false);
  const auto parameter = [&](const std::string& name) {
    return GoldenLayer::parameter(b, one, name);
  };
  const auto linear = [&](const std::string& name, TensorId x) {
    return ops::linear(b, name, x, parameter(name + ".weight"), parameter(name + ".bias"));
  };

  const TensorId x = parameter("x");
  TensorId pad = b.ids("pad", batch * length), segments = b.ids("segments", batch * length);
  tfm::SequencePooling sequence{length, one.at("separate_cls").flag(), one.at("truncate").flag()};
  const bool pooled = one.at("pooled").flag(), queries_only = one.at("queries_only").flag();
  const auto shorten = [&](const std::string& name) {
    // The library pools what is real by its minimum: see pool_ids.cpp.
    pad = ops::poolIds(b, "pad" + name, pad, sequence, tfm::IdPooling::Max);
    segments = ops::poolIds(b, "segments" + name, segments, sequence, tfm::IdPooling::First);
    sequence.length = sequence.pooledLength();
    stride *= 2;
  };
  for (std::int64_t i = pooled ? 1 : 0; i < std::int64_t(one.at("block").number()); ++i)
    shorten(std::to_string(i));

  TensorId query = x, keys_from = x, query_segments = segments;
  std::int64_t queries = sequence.length, ratio = 1;
  if (pooled) {
    query = ops::sequencePool(b, "pooled", x, sequence,
                              one.at("maximum").flag() ? tfm::Pooling::Max : tfm::Pooling::Mean);
    queries = sequence.pooledLength();
    if (queries_only) {
      query_segments = ops::poolIds(b, "query_segments", segments, sequence, tfm::IdPooling::First);
      ratio = 2;
    } else {
      keys_from = query;
      shorten("_pooled");
      query_segments = segments;
    }
  }
  const tfm::AttentionShape shape{
      batch, queries, sequence.length, number("heads"), number("head_size"), number("head_size")};
  const tfm::RelativeArguments relative{shape, ratio, sequence.separate_cls};
  const std::int64_t hidden = b.tensor(x).cols;
  const TensorId q = ops::linear(b, "query", query, parameter("query.weight"), tfm::kNoTensor);
  const auto with = [&](const std::string& name) {
    return ops::addPositions(b, name, q, parameter(name + ".bias"), 1);
  };
  const TensorId k = linear("key", keys_from), v = linear("value", keys_from);
  const TensorId table = b.constant("table", relative.distances(), hidden,
                                    ops::distanceTable(relative, stride, hidden, hidden));
  const TensorId distances =
      ops::linear(b, "distances", table, parameter("position.weight"), tfm::kNoTensor);
  TensorId bias = ops::relativeScores(b, "relative", with("position"), distances, relative);
  bias = ops::segmentScores(b, "segmented", bias, with("segment"), parameter("segment.embedding"),
                            query_segments, segments, {shape, sequence.separate_cls});
  TensorId y = ops::attention(b, "attention", with("content"), k, v, pad, shape, 0.0, bias);
  y = ops::add(b, "residual", query, linear("output", y));
  y = ops::layerNorm(b, "norm", y, parameter("norm.weight"), parameter("norm.bias"),
                     all.at("norm_eps").number());
  ops::squaredError(b, "loss", y, b.input("target", b.tensor(y).rows, hidden), 1.0);
  return b.finish();
}

}  // namespace

class TestFunnelAttention : public QObject {
  Q_OBJECT

 private slots:
  void itIsThatOfTheTransformersLibrary() {
    const Golden all = Golden::read("funnel_attention");
    const Golden cases = all.at("cases");
    QVERIFY(cases.size() >= 9);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Golden one = cases.at(i);
      GoldenLayer right(one, layer(all, one, 1), {"pad", "segments"});
      const std::string which = "case " + std::to_string(i);
      QCOMPARE(right.parameters(), one.at("parameters").size());
      QVERIFY2(right.offIn("attention.probabilities", "probabilities") < 1e-12, which.c_str());
      QVERIFY2(right.offIn("norm", "output") < 1e-12, which.c_str());
      QVERIFY2(right.offInGradients() < 1e-9, which.c_str());
      // Positions that are farther apart than the tokens, and that count to the left.
      for (const std::int64_t stride : {3, -1}) {
        GoldenLayer wrong(one, layer(all, one, stride), {"pad", "segments"});
        QVERIFY2(wrong.offIn("norm", "output") > 1e-3, which.c_str());
      }
    }
  }
};

TFM_TEST(TestFunnelAttention)
#include "test_funnel_attention.moc"
