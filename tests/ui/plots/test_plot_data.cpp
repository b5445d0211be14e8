// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic behind the plots: averages, ranges and numbers.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/test_program.h"
#include "ui/figure/number_text.h"
#include "ui/plots/line_series.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_frame.h"

using namespace tfm::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The definition, written as slowly as it reads: weights w^k, divided by their sum.
double plainAverage(const std::vector<double>& values, std::size_t last, double weight) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    if (!std::isfinite(values[i])) continue;
    double w = 1;
    for (std::size_t k = i + 1; k <= last; ++k)
      if (std::isfinite(values[k])) w *= weight;
    sum += w * values[i];
    weights += w;
  }
  return sum / weights;
}

}  // namespace

class PlotDataTest : public QObject {
  Q_OBJECT

 private slots:
  void averageIsThePlainLoop() {
    const std::vector<double> values = {4.1, 3.9, kNan, 2.5, 8.0, 0.01, -1.0};
    for (const double weight : {0.0, 0.6, 0.99}) {
      LineSeries series;
      series.setSmoothing(weight);
      for (std::size_t i = 0; i < values.size(); ++i) series.append(double(i), values[i]);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) {
          QVERIFY(std::isnan(series.smoothed()[i]));
          continue;
        }
        QVERIFY(std::abs(series.smoothed()[i] - plainAverage(values, i, weight)) < 1e-12);
        // Control: another weight gives other numbers.
        if (i > 0) QVERIFY(std::abs(series.smoothed()[i] - plainAverage(values, i, 0.3)) > 1e-6);
      }
    }
  }

  void changingTheWeightSmoothsAgain() {
    LineSeries early, late;
    early.setSmoothing(0.9);
    for (int i = 0; i < 50; ++i) {
      early.append(i, std::cos(i));
      late.append(i, std::cos(i));
    }
    QVERIFY(early.smoothed()[49] != late.smoothed()[49]);
    late.setSmoothing(0.9);
    QCOMPARE(late.smoothed()[49], early.smoothed()[49]);
  }

  void anEarlierStepRewinds() {
    LineSeries series;
    for (int step = 0; step < 10; ++step) series.append(step, step);
    series.append(4, 40);
    QCOMPARE(series.size(), std::size_t(5));
    QCOMPARE(series.steps().back(), 4.0);
    QCOMPARE(series.values()[3], 3.0);
    QCOMPARE(series.values()[4], 40.0);
    QCOMPARE(series.nearest(2.4), std::optional<std::size_t>(2));
    QCOMPARE(series.nearest(2.6), std::optional<std::size_t>(3));
    QCOMPARE(series.indexAt(2.6), std::optional<std::size_t>(2));
    QVERIFY(!series.indexAt(-1));
  }

  void aRangeHasMarginsAndIsNeverEmpty() {
    QVERIFY(padded(3, 3).span() > 0);
    QVERIFY(padded(3, 3, true).low > 0);
    QVERIFY(padded(2, 3).low < 2 && padded(2, 3).high > 3);
  }

  void logarithmicTicksSuitTheRange() {
    using Ticks = std::vector<double>;
    QCOMPARE(logarithmicTicks({0.9, 21}, 6), (Ticks{1, 2, 5, 10, 20}));
    QCOMPARE(logarithmicTicks({0.05, 2e3}, 6), (Ticks{0.1, 1, 10, 100, 1000}));
    QCOMPARE(logarithmicTicks({0.6, 1.4}, 4), linearTicks({0.6, 1.4}, 5));  // else 1 alone
    QCOMPARE(logarithmicTicks({2.1, 4.9}, 4), linearTicks({2.1, 4.9}, 5));  // else none
    QCOMPARE(logarithmicTicks({0.015, 10}, 2), (Ticks{0.1, 1, 10}));  // every second is 1 alone
    for (const double high : {1.013, 1.5, 3.0, 40.0, 1e4, 1e9, 1e30, 1e300})
      for (const double count : {2.0, 4.0, 6.0}) {
        const Ticks ticks = logarithmicTicks({0.985, high}, count);
        QVERIFY(ticks.size() >= 2 && double(ticks.size()) <= std::max(count, 5.0) + 2);
        QVERIFY(std::is_sorted(ticks.begin(), ticks.end()));
        QVERIFY(ticks.front() >= 0.985 && ticks.back() <= high);
      }
  }

  void numbersHaveThreeDigits() {
    QCOMPARE(shortNumber(0.5), QString("0.500"));
    QCOMPARE(shortNumber(0.9996), QString("1.00"));
    QCOMPARE(shortNumber(4.1), QString("4.10"));
    QCOMPARE(shortNumber(0.00061), QString("0.000610"));
    QCOMPARE(shortNumber(0.000061), QString("6.10e-5"));
    QCOMPARE(shortNumber(-1284.4), QString("-1284"));
    QCOMPARE(shortNumber(kNan), QString("not a number"));
    QCOMPARE(tickNumber(0.5), QString("0.5"));
    QCOMPARE(tickNumber(1e-5), QString("1e-5"));
    QCOMPARE(stepNumber(12840), QString("12840"));
    QCOMPARE(shortNumber(1000), QString("1000"));  // never like one
    QCOMPARE(fixedNumber(12345.678, 2), QString("12345.68"));
  }
};

TFM_TEST(PlotDataTest)
#include "test_plot_data.moc"
