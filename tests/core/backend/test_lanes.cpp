// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/lanes.h"
#include "tests/test_program.h"

using namespace tfm::cpu;

namespace {

/// Of exponential() against exp() in double, the largest relative error between the lowest exponent
/// and `highest`.
template <class Real>
double largestError(double highest) {
  constexpr int kPoints = 200'000;
  const double lowest = kLowestExponent<Real>;
  double worst = 0.0;
  for (int i = 0; i <= kPoints; ++i) {
    const auto x = Real(lowest + (highest - lowest) * i / kPoints);
    std::array<Real, kTile<Real>> got;
    storeLane(got.data(), exponential(allOf(x)));
    const double wanted = std::exp(double(x));
    for (const Real y : got) worst = std::max(worst, std::abs(double(y) / wanted - 1.0));
  }
  return worst;
}

/// The first numbers come and go, and nothing else does, for every number of them.
template <class Real>
bool movesTheFirst() {
  constexpr std::int64_t kAll = kTile<Real>;
  bool right = true;
  for (std::int64_t count = 1; count < kAll; ++count) {
    std::array<Real, kAll> from, loaded, kept, to;
    for (std::int64_t i = 0; i < kAll; ++i) from[i] = Real(i + 1);
    to.fill(Real(-1));
    storeLane(loaded.data(), loadFirst(from.data(), count));
    storeLane(kept.data(), firstOf(loadLane(from.data()), count));
    storeFirst(to.data(), loadLane(from.data()), count);
    for (std::int64_t i = 0; i < kAll; ++i) {
      const Real number = i < count ? from[i] : Real(0);
      right = right && loaded[i] == number && kept[i] == number;
      right = right && to[i] == (i < count ? from[i] : Real(-1));
    }
  }
  return right;
}

}  // namespace

class TestLanes : public QObject {
  Q_OBJECT

 private slots:
  void theFirstNumbersMoveAlone() {
    QVERIFY(movesTheFirst<float>());
    QVERIFY(movesTheFirst<double>());
  }

  void exponentialIsRightToTwoUnitsInTheLastPlace() {
    QVERIFY(largestError<float>(0.0) <= 0x1.0p-22);
    QVERIFY(largestError<double>(0.0) <= 0x1.0p-51);
    // A measure that cannot see a wrong function would pass everything: above its range it is one.
    QVERIFY(largestError<float>(100.0) > 1e-3);
  }

  void theLargestShareIsExactlyOne() {
    std::array<float, kTile<float>> got;
    storeLane(got.data(), exponential(allOf(0.0F)));
    QCOMPARE(got[0], 1.0F);
  }
};

TFM_TEST(TestLanes)
#include "test_lanes.moc"
