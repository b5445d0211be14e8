// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic behind the plots: averages, decimation, clipping, ranges and numbers.
#include <QLocale>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/test_program.h"
#include "ui/figure/number_text.h"
#include "ui/plots/axis_ticks.h"
#include "ui/plots/line_series.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/polyline.h"

using namespace tfm::ui;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Curve {
  std::vector<double> x, y;
};

/// A quiet curve with one high and one low spike between the columns.
Curve spiky(int points) {
  Curve curve;
  for (int i = 0; i < points; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(1 + 0.1 * std::sin(0.01 * i));
  }
  curve.y[33'333] = 9;
  curve.y[77'777] = -5;
  return curve;
}

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

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
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

  void changingTheWeightSmoothsAnew() {
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

  void decimationKeepsExtremes() {
    const Curve curve = spiky(100'000);
    const AxisRange all{0, 99'999};
    const Polyline line = decimate(curve.x, curve.y, all, 500, false);
    QVERIFY(line.size() <= 4 * 500);
    QCOMPARE(largest(line.y), 9.0);
    QCOMPARE(*std::min_element(line.y.begin(), line.y.end()), -5.0);
    QVERIFY(std::is_sorted(line.x.begin(), line.x.end()));
    QCOMPARE(line.x.front(), 0.0);
    QCOMPARE(line.x.back(), 99'999.0);
    // Control: taking every 200th point, or the mean of the columns, loses the spikes.
    double sampled = 0;
    for (std::size_t i = 0; i < curve.y.size(); i += 200) sampled = std::max(sampled, curve.y[i]);
    QVERIFY(sampled < 2);
    QVERIFY(largest(averaged(curve.x, curve.y, all, 500, false).y) < 2);
  }

  void decimationReachesBeyondBothEnds() {
    const Curve curve = spiky(100'000);
    const Polyline few = decimate(curve.x, curve.y, {100.5, 102.5}, 500, false);
    QCOMPARE(few.x, (std::vector<double>{100, 101, 102, 103}));
  }

  void undrawablePointsLiftThePenAndCount() {
    const std::vector<double> x = {0, 1, 2, 3, 4, 5}, y = {1, 0, -2, 3, kNan, 4};
    const Polyline linear = decimate(x, y, {0, 5}, 10, false);
    QCOMPARE(linear.not_positive, std::size_t(0));
    QCOMPARE(linear.not_finite, std::size_t(1));
    const Polyline log = decimate(x, y, {0, 5}, 10, true);
    QCOMPARE(log.not_positive, std::size_t(2));
    QCOMPARE(log.not_finite, std::size_t(1));
    QCOMPARE(log.y[0], 1.0);
    QVERIFY(std::isnan(log.y[1]));
    QCOMPARE(log.y[2], 3.0);
  }

  void clippedLinesStayInside() {
    const PlotFrame frame{QRectF(10, 10, 100, 50), {2, 4}, {0, 1}, false};
    Polyline line;
    line.x = {0, 2.5, 3, 3.5, 6};
    line.y = {-3, 0.5, 7, 0.5, 0.5};
    const Polyline inside = clipped(line, frame);
    int lifted = 0;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (std::isnan(inside.y[i])) {
        ++lifted;
        continue;
      }
      QVERIFY(inside.x[i] > 2 - 1e-9 && inside.x[i] < 4 + 1e-9);
      QVERIFY(inside.y[i] > -1e-9 && inside.y[i] < 1 + 1e-9);
    }
    QCOMPARE(lifted, 1);  // over the top between 2.5 and 3.5
    // Control: the line itself leaves the frame.
    QVERIFY(largest(line.y) > 1);
  }

  void framesMapThereAndBack() {
    for (const bool logarithmic : {false, true}) {
      const PlotFrame frame{QRectF(30, 5, 400, 200), {0, 4000}, {1e-4, 10}, logarithmic};
      for (const double value : {1e-4, 0.003, 1.0, 10.0})
        QVERIFY(std::abs(frame.pixelToY(frame.yToPixel(value)) / value - 1) < 1e-9);
      QCOMPARE(frame.yToPixel(1e-4), 205.0);
      QCOMPARE(frame.pixelToX(230), 2000.0);
    }
    const PlotFrame log{QRectF(0, 0, 100, 100), {0, 1}, {0.01, 1}, true};
    QCOMPARE(log.yToPixel(0.1), 50.0);
  }

  void zoomKeepsItsCentreAndItsSenses() {
    const AxisRange half = zoomed({0, 100}, 25, 2);
    QCOMPARE(half, (AxisRange{12.5, 62.5}));
    const AxisRange log = zoomed({0.01, 100}, 1, 2, true);
    QVERIFY(std::abs(log.low - 0.1) < 1e-12 && std::abs(log.high - 10) < 1e-9);
    QCOMPARE(zoomed({5, 5 + 1e-12}, 5, 1e6), (AxisRange{5, 5 + 1e-12}));
    QCOMPARE(panned({0, 10}, 0.1), (AxisRange{1, 11}));
    QVERIFY(padded(3, 3).span() > 0);
    QVERIFY(padded(3, 3, true).low > 0);
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
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QCOMPARE(shortNumber(0.5), QString("0.500"));
    QCOMPARE(shortNumber(0.9996), QString("1.00"));
    QCOMPARE(shortNumber(4.1), QString("4.10"));
    QCOMPARE(shortNumber(0.00061), QString("0.000610"));
    QCOMPARE(shortNumber(0.000061), QString("6.10e-5"));
    QCOMPARE(shortNumber(-1284.4), QString("-1,284"));
    QCOMPARE(shortNumber(kNan), QString("not a number"));
    QCOMPARE(tickNumber(0.5), QString("0.5"));
    QCOMPARE(tickNumber(1e-5), QString("1e-5"));
    QCOMPARE(stepNumber(12840), QString("12,840"));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    QCOMPARE(shortNumber(0.5), QString("0,500"));
  }
};

TFM_TEST(PlotDataTest)
#include "test_plot_data.moc"
