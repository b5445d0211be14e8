// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"

using tfm::MatrixView;

namespace {

using View = MatrixView<double>;

/// One query looking at keys whose scores are given (key size 1, query 1); the probabilities.
std::vector<double> attended(std::vector<double> scores, const std::vector<std::int32_t>& pad) {
  const auto keys = std::int64_t(scores.size());
  std::vector<double> one{1.0}, values(scores.size(), 1.0), p(scores.size()), mixed(1);
  tfm::AttentionTensors<double> t;
  t.q = View(one.data(), 1, 1);
  t.k = View(scores.data(), keys, 1);
  t.v = View(values.data(), keys, 1);
  t.key_pad = pad;
  t.probabilities = View(p.data(), 1, keys);
  t.mixed = View(mixed.data(), 1, 1);
  tfm::makeCpuBackend<double>()->attention({1, 1, keys, 1, 1, 1, false}, t);
  return p;
}

/// The loss of two rows of logits with labels 0 and 1.
double lossOf(std::vector<double> logits, std::vector<double> weights) {
  double loss = 0.0;
  std::vector<double> p(logits.size());
  const std::vector<std::int32_t> labels{0, 1};
  const auto cols = std::int64_t(logits.size()) / 2;
  tfm::makeCpuBackend<double>()->crossEntropy(View(&loss, 1, 1), View(p.data(), 2, cols),
                                              View(logits.data(), 2, cols), labels,
                                              View(weights.data(), 2, 1));
  return loss;
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

  void idsOutsideTheTableAreRefused() {
    std::vector<double> table(6), y(2);
    const auto backend = tfm::makeCpuBackend<double>();
    for (const std::int32_t id : {-1, 3}) {
      const std::vector<std::int32_t> ids{id};
      QVERIFY_EXCEPTION_THROWN(
          backend->embedding(View(y.data(), 1, 2), ids, View(table.data(), 3, 2), 1.0),
          std::logic_error);
    }
  }

  void labelsOutsideTheOutputAreRefused() {
    QVERIFY_EXCEPTION_THROWN(lossOf({0.0, 0.0}, {1.0, 1.0}), std::logic_error);
  }
};

QTEST_GUILESS_MAIN(TestOpEdges)
#include "test_op_edges.moc"
