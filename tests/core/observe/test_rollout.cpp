// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <numeric>

#include "core/observe/rollout.h"
#include "core/tensor/random.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

constexpr std::int64_t kSize = 5;
using Matrix = std::vector<std::vector<double>>;

/// A map whose rows are positive and sum to 1.
Observed randomMap(std::uint64_t seed) {
  const Random random(seed, 0);
  Observed map{kSize, kSize, std::vector<float>(std::size_t(kSize * kSize))};
  for (std::int64_t i = 0; i < kSize; ++i) {
    float sum = 0.0F;
    for (std::int64_t j = 0; j < kSize; ++j) {
      float& cell = map.values[std::size_t(i * kSize + j)];
      cell = float(0.01 + random.uniform(std::uint64_t(i * kSize + j)));
      sum += cell;
    }
    for (std::int64_t j = 0; j < kSize; ++j) map.values[std::size_t(i * kSize + j)] /= sum;
  }
  return map;
}

/// As the paper writes it: rollout_l = (A_l / 2 + I / 2) rollout_(l - 1).
Matrix plainRollout(const std::vector<Observed>& maps) {
  Matrix result(kSize, std::vector<double>(kSize, 0.0));
  for (std::size_t i = 0; i < kSize; ++i) result[i][i] = 1.0;
  for (const Observed& map : maps) {
    Matrix next(kSize, std::vector<double>(kSize, 0.0));
    for (std::size_t i = 0; i < kSize; ++i)
      for (std::size_t j = 0; j < kSize; ++j)
        for (std::size_t k = 0; k < kSize; ++k)
          next[i][j] +=
              (0.5 * double(map.at(std::int64_t(i), std::int64_t(k))) + (i == k ? 0.5 : 0.0)) *
              result[k][j];
    result = next;
  }
  return result;
}

double difference(const Observed& a, const Matrix& b) {
  double worst = 0.0;
  for (std::int64_t i = 0; i < kSize; ++i)
    for (std::int64_t j = 0; j < kSize; ++j)
      worst = std::max(worst, std::abs(double(a.at(i, j)) - b[std::size_t(i)][std::size_t(j)]));
  return worst;
}

}  // namespace

class TestRollout : public QObject {
  Q_OBJECT

 private slots:
  void equalsThePlainLoop() {
    const std::vector<Observed> maps{randomMap(1), randomMap(2), randomMap(3)};
    QVERIFY(difference(rollout(maps), plainRollout(maps)) < 1e-6);
    const std::vector<Observed> otherOrder{maps[2], maps[1], maps[0]};
    QVERIFY(difference(rollout(otherOrder), plainRollout(maps)) > 1e-3);
  }

  void rowsSumToOne() {
    const Observed result = rollout({randomMap(1), randomMap(2), randomMap(3), randomMap(4)});
    for (std::int64_t i = 0; i < kSize; ++i) {
      float sum = 0.0F;
      for (std::int64_t j = 0; j < kSize; ++j) sum += result.at(i, j);
      QVERIFY(std::abs(sum - 1.0F) < 1e-6F);
    }
  }

  void takesSquareMapsOfOneSize() {
    Observed wide = randomMap(1);
    wide.cols = kSize + 1;
    wide.values.resize(std::size_t(kSize * (kSize + 1)));
    QVERIFY_EXCEPTION_THROWN(rollout({}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(rollout({wide}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(rollout({randomMap(1), wide}), std::logic_error);
  }

  void headMapPicksAndAverages() {
    AttentionSite site;
    site.shape = {.batch = 2, .queries = 2, .keys = 3, .heads = 2};
    Observed all{8, 3, std::vector<float>(24)};
    std::iota(all.values.begin(), all.values.end(), 0.0F);
    const Observed second = headMap(site, all, 1);
    QCOMPARE(second.rows, 2);
    QCOMPARE(second.cols, 3);
    QCOMPARE(second.values, (std::vector<float>{6, 7, 8, 9, 10, 11}));
    QCOMPARE(headMap(site, all, 0).values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    QCOMPARE(headMap(site, all, -1).values, (std::vector<float>{3, 4, 5, 6, 7, 8}));
  }
};

TFM_TEST(TestRollout)
#include "test_rollout.moc"
