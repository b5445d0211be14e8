// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/backend/registry.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "tests/test_program.h"

using tfm::ProgramBuilder;
using tfm::TensorId;

namespace {

/// Runs a program of one step. Its inputs, in the order in which they were added: real numbers and
/// integers.
template <class Real = double>
std::vector<double> run(ProgramBuilder builder, const char* wanted,
                        const std::vector<std::vector<double>>& inputs,
                        const std::vector<std::int32_t>& ids) {
  const auto backend = tfm::makeBackend<Real>();
  const auto program = std::make_shared<const tfm::Program>(builder.finish());
  tfm::Executor<Real> executor(program, *backend, false);
  auto next = inputs.begin();
  for (std::size_t i = 0; i < program->tensors.size(); ++i) {
    const tfm::Role role = program->tensors[i].role;
    if (role == tfm::Role::Input) {
      executor.upload(TensorId(i), std::vector<Real>(next->begin(), next->end()));
      ++next;
    }
    if (role == tfm::Role::Ids) executor.upload(TensorId(i), ids);
  }
  executor.forward(nullptr, {});
  const auto result = executor.values(program->find(wanted));
  return {result.data, result.data + result.size()};
}

/// One query looking at keys whose scores are given (key size 1, query 1); the probabilities.
std::vector<double> attended(const std::vector<double>& scores,
                             const std::vector<std::int32_t>& pad) {
  const auto keys = std::int64_t(scores.size());
  ProgramBuilder b({}, false, false);
  const TensorId q = b.input("q", 1, 1), k = b.input("k", keys, 1), v = b.input("v", keys, 1);
  tfm::ops::attention(b, "a", q, k, v, pad.empty() ? tfm::kNoTensor : b.ids("pad", keys),
                      {1, 1, keys, 1, 1, 1, false}, 0.0);
  return run(std::move(b), "a.probabilities",
             {{1.0}, scores, std::vector<double>(scores.size(), 1.0)}, pad);
}

/// The loss of two rows of logits with labels 0 and 1.
double lossOf(const std::vector<double>& logits, const std::vector<double>& weights) {
  ProgramBuilder b({}, false, false);
  const TensorId x = b.input("logits", 2, std::int64_t(logits.size()) / 2);
  const TensorId labels = b.ids("labels", 2), w = b.input("weights", 2, 1);
  tfm::ops::crossEntropy(b, "loss", x, labels, w);
  return run(std::move(b), "loss", {logits, weights}, {0, 1}).front();
}

}  // namespace

class TestOpEdges : public QObject {
  Q_OBJECT

 private slots:
  void aPaddedKeyGetsExactlyNothing() {
    const std::vector<double> p = attended({0.3, 900.0, -0.2}, {0, 1, 0});
    QCOMPARE(p[1], 0.0);
    QVERIFY(std::abs(p[0] + p[2] - 1.0) < 1e-15);
    QVERIFY(attended({0.3, 900.0, -0.2}, {0, 0, 0})[1] > 0.99);
  }

  void onlyPaddedKeysShareAlike() {
    for (const double p : attended({0.01, -0.01, 0.02}, {1, 1, 1}))
      QVERIFY(std::abs(p - 1.0 / 3.0) < 0.01);
  }

  void hugeScoresStayFinite() {
    const std::vector<double> p = attended({1e6, -1e6, 1e6}, {});
    QCOMPARE(p[0], 0.5);
    QCOMPARE(p[1], 0.0);
  }

  void hugeLogitsStayFinite() {
    QVERIFY(std::abs(lossOf({1000.0, 0.0, 0.0, 1000.0}, {1.0, 1.0})) < 1e-12);
    QVERIFY(std::abs(lossOf({0.0, 1000.0, 0.0, 1000.0}, {1.0, 1.0}) - 1000.0) < 1e-9);
  }

  void aRowOfNoWeightCountsNothing() {
    const double infinity = std::numeric_limits<double>::infinity();
    QVERIFY(std::abs(lossOf({0.0, 0.0, infinity, 0.0}, {1.0, 0.0}) - std::log(2.0)) < 1e-12);
    QVERIFY(!std::isfinite(lossOf({0.0, 0.0, infinity, 0.0}, {1.0, 1.0})));
  }

  void sharesInFloatAreRightToThreeUnitsInTheLastPlace() {
    // Of logits 0 and x: the second share is exp(x) times the first.
    constexpr std::int64_t kRows = 10'000;
    std::vector<double> logits;
    for (std::int64_t r = 0; r < kRows; ++r)
      logits.insert(logits.end(), {0.0, double(float(-87.0 * double(r) / kRows))});
    ProgramBuilder b({}, false, false);
    const TensorId x = b.input("logits", kRows, 2), labels = b.ids("labels", kRows);
    tfm::ops::crossEntropy(b, "loss", x, labels, b.input("weights", kRows, 1));
    const std::vector<double> shares =
        run<float>(std::move(b), "loss.probabilities", {logits, std::vector<double>(kRows, 1.0)},
                   std::vector<std::int32_t>(kRows));
    double worst = 0.0;
    for (std::size_t i = 0; i < shares.size(); i += 2)
      worst = std::max(worst, std::abs(shares[i + 1] / shares[i] / std::exp(logits[i + 1]) - 1.0));
    QVERIFY2(worst <= 3 * 0x1.0p-23, QByteArray::number(worst));
  }

  void notANumberIsNotHidden() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (const double number : attended({0.5, none, 0.5}, {})) QVERIFY(!std::isfinite(number));
    QVERIFY(!std::isfinite(lossOf({0.0, none, 0.0, 0.0}, {1.0, 1.0})));
  }

  void idsOutsideTheTableAreRefused() {
    for (const std::int32_t id : {-1, 3}) {
      ProgramBuilder b({}, false, false);
      const TensorId ids = b.ids("ids", 1), table = b.input("table", 3, 2);
      tfm::ops::embedding(b, "y", ids, table, 1.0);
      QVERIFY_EXCEPTION_THROWN(run(std::move(b), "y", {std::vector<double>(6)}, {id}),
                               std::logic_error);
    }
  }

  void labelsOutsideTheOutputAreRefused() {
    QVERIFY_EXCEPTION_THROWN(lossOf({0.0, 0.0}, {1.0, 1.0}), std::logic_error);
  }
};

TFM_TEST(TestOpEdges)
#include "test_op_edges.moc"
