// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/portable_math.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/tensor/random.h"
#include "tests/test_program.h"

namespace portable = tfm::portable;

namespace {

/// The distance in units of the last place of the expected number.
double ulps(double got, double expected) {
  if (got == expected) return 0.0;
  const double size = std::abs(expected);
  return std::abs(got - expected) /
         (std::nextafter(size, std::numeric_limits<double>::infinity()) - size);
}

}  // namespace

class TestPortableMath : public QObject {
  Q_OBJECT

 private slots:
  void thoseOfTheCLibraryUpToTheirLastBits() {
    const tfm::Random random(3, 1);
    double exp = 0, log = 0, angle = 0, pow = 0;
    for (std::uint64_t i = 0; i < 200'000; ++i) {
      const double u = random.uniform(i), x = (u - 0.5) * 1400, y = 20 * random.uniform(i << 20);
      const double size = i % 2 == 0 ? u : std::exp(x);
      const double turned = (u - 0.5) * (i % 3 == 0 ? 6.3 : i % 3 == 1 ? 100.0 : 59'000.0);
      exp = std::max(exp, ulps(portable::exp(x), std::exp(x)));
      log = std::max(log, ulps(portable::log(size), std::log(size)));
      angle = std::max({angle, std::abs(portable::sin(turned) - std::sin(turned)),
                        std::abs(portable::cos(turned) - std::cos(turned))});
      const double most = 4.0 + 2 * std::abs(y * std::log(u));
      pow = std::max(pow, ulps(portable::pow(u, y), std::pow(u, y)) / most);
    }
    QVERIFY2(exp <= 4, qPrintable(QString::number(exp)));
    QVERIFY2(log <= 4, qPrintable(QString::number(log)));
    QVERIFY2(angle <= 4 * 0x1p-53, qPrintable(QString::number(angle)));
    QVERIFY2(pow <= 1, qPrintable(QString::number(pow)));
    QVERIFY(std::abs(portable::sin(1e6) - std::sin(1e6)) < 1e-9);
  }

  void whatIsExactAndWhatHasNoResult() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    QCOMPARE(portable::exp(0.0), 1.0);
    QCOMPARE(portable::log(1.0), 0.0);
    QCOMPARE(portable::sin(0.0), 0.0);
    QCOMPARE(portable::cos(0.0), 1.0);
    QCOMPARE(portable::pow(0.9, 0.0), 1.0);
    QCOMPARE(portable::pow(1.0, 7.0), 1.0);
    QCOMPARE(portable::pow(0.0, 3.0), 0.0);
    QCOMPARE(portable::exp(-kInfinity), 0.0);
    QCOMPARE(portable::exp(1000.0), kInfinity);
    QCOMPARE(portable::log(0.0), -kInfinity);
    QCOMPARE(portable::log(kInfinity), kInfinity);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double none : {portable::exp(nan), portable::log(nan), portable::log(-1.0),
                              portable::sin(nan), portable::cos(kInfinity)})
      QVERIFY(std::isnan(none));
  }
};

TFM_TEST(TestPortableMath)
#include "test_portable_math.moc"
