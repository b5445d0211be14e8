// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "tests/core/golden.h"
#include "tests/test_program.h"

using tfm::TensorId;
using tfm::test::Golden;

namespace {

/// The attention of one of the golden's cases, composed of ops. `stride`: that of the positions is
/// so many times the right one.
class Layer {
 public:
  Layer(const Golden& all, const Golden& one, std::int64_t stride)
      : golden_(one), program_(std::make_shared<const tfm::Program>(build(all, one, stride))) {
    parameters_.resize(std::size_t(program_->parameters.total));
    for (const tfm::ParameterInfo& info : program_->parameters.parameters) {
      const std::vector<double> values = one.at("parameters").at(info.name).numbers();
      std::copy(values.begin(), values.end(), parameters_.begin() + info.offset);
    }
    for (const char* name : {"pad", "segments"}) {
      const std::vector<double> values = one.at(name).numbers();
      executor_.upload(program_->find(name),
                       std::vector<std::int32_t>(values.begin(), values.end()));
    }
    executor_.upload(program_->find("target"), one.at("target").numbers());
    executor_.forward(parameters_.data(), {});
  }

  double offIn(const char* tensor, const char* name) {
    const auto values = executor_.values(program_->find(tensor));
    return worst(golden_.at(name).numbers(), {values.data, values.data + values.size()});
  }
  /// The largest difference of a gradient.
  double offInGradients() {
    tfm::AlignedVector<double> gradients(parameters_.size());
    executor_.backward(parameters_.data(), gradients.data(), {program_->find("loss")}, {});
    double result = 0.0;
    for (const tfm::ParameterInfo& info : program_->parameters.parameters) {
      const auto first = gradients.begin() + info.offset;
      result = std::max(result, worst(golden_.at("gradients").at(info.name).numbers(),
                                      {first, first + info.size()}));
    }
    return result;
  }
  std::size_t parameters() const { return program_->parameters.parameters.size(); }

 private:
  static double worst(const std::vector<double>& a, const std::vector<double>& b) {
    double result = a.size() == b.size() ? 0.0 : 1e300;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      result = std::max(result, std::abs(a[i] - b[i]));
    return result;
  }

  static tfm::Program build(const Golden& all, const Golden& one, std::int64_t stride) {
    namespace ops = tfm::ops;
    const auto number = [&](const char* name) { return std::int64_t(all.at(name).number()); };
    const std::int64_t batch = number("batch"), length = number("length");
    tfm::ProgramBuilder b({batch, length, 0}, false, false);
    const auto parameter = [&](const std::string& name) {
      const auto shape = one.at("parameters").at(name).shape();
      const auto axis = [](std::size_t size) {
        return tfm::Dimension{{tfm::Axis::Hidden, std::int64_t(size)}};
      };
      return b.parameter(name, {axis(shape[0]), axis(shape[1])}, {});
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
        query_segments =
            ops::poolIds(b, "query_segments", segments, sequence, tfm::IdPooling::First);
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

  Golden golden_;
  std::shared_ptr<const tfm::Program> program_;
  std::unique_ptr<tfm::Backend<double>> backend_ = tfm::makeCpuBackend<double>();
  tfm::Executor<double> executor_{program_, *backend_, true};
  tfm::AlignedVector<double> parameters_;
};

}  // namespace

class TestFunnelAttention : public QObject {
  Q_OBJECT

 private slots:
  void itIsThatOfTheTransformersLibrary() {
    const Golden all = Golden::read("funnel_attention");
    const Golden cases = all.at("cases");
    QVERIFY(cases.size() >= 9);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Layer layer(all, cases.at(i), 1);
      const std::string which = "case " + std::to_string(i);
      QCOMPARE(layer.parameters(), cases.at(i).at("parameters").size());
      QVERIFY2(layer.offIn("attention.probabilities", "probabilities") < 1e-12, which.c_str());
      QVERIFY2(layer.offIn("norm", "output") < 1e-12, which.c_str());
      QVERIFY2(layer.offInGradients() < 1e-9, which.c_str());
      // Positions that ignore how far pooled tokens are apart.
      Layer wrong(all, cases.at(i), 3);
      QVERIFY2(wrong.offIn("norm", "output") > 1e-3, which.c_str());
    }
  }
};

TFM_TEST(TestFunnelAttention)
#include "test_funnel_attention.moc"
