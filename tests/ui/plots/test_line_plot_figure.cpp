// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a line plot: figures and tables.
#include <QMouseEvent>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/plots/plot_test.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_stack.h"

using namespace tfm::ui;

namespace {

QString exported(const Figure& figure) { return QString::fromUtf8(svgOf(figure)); }

double noisyLoss(int step) {
  return (4.1 * std::exp(-step / 300.0) + 6e-4) * (1 + 0.3 * std::sin(step * 12.9898));
}

void fill(LinePlot& plot) {
  plot.setTitle("Loss of rot13");
  plot.setAxisTitles("training step", "loss (nats per letter)");
  plot.addSeries("training");
  plot.addSeries("validation", false);
  for (int step = 0; step <= 4000; ++step) {
    plot.append(0, step, noisyLoss(step));
    if (step % 500 == 0) plot.append(1, step, 1.1 * noisyLoss(step));
  }
  plot.setFlags({{1500, "feed-forward 5 to 8"}});
}

/// The corners of all lines in the file.
QList<QPointF> polylinePoints(const QString& svg) {
  QList<QPointF> points;
  static const QRegularExpression line("<polyline[^>]*points=\"([^\"]*)\"");
  for (auto it = line.globalMatch(svg); it.hasNext();)
    for (const QString& pair : it.next().captured(1).split(' ', Qt::SkipEmptyParts)) {
      const QStringList xy = pair.split(',');
      points << QPointF(xy.value(0).toDouble(), xy.value(1).toDouble());
    }
  return points;
}

}  // namespace

class LinePlotFigureTest : public PlotTest {
  Q_OBJECT

 private slots:
  void svgIsVectorsAndText() {
    LinePlot plot(style_);
    fill(plot);
    const QString svg = exported(plot);
    QVERIFY(svg.contains("<path") || svg.contains("<polyline"));
    QVERIFY(polylinePoints(svg).size() > 500);
    for (const char* text : {"training step", "loss (nats per letter)", "validation",
                             "feed-forward 5 to 8", "Loss of rot13"})
      QVERIFY2(svg.contains(QRegularExpression(
                   QStringLiteral(">\\s*%1\\s*</text>").arg(QRegularExpression::escape(text)))),
               text);
    QVERIFY(!svg.contains("<image"));
  }

  void zoomedSvgStaysInsideTheAxes() {
    LinePlot plot(style_);
    fill(plot);
    plot.resize(plot.figureSize().toSize());
    plot.show();
    QTest::qWait(100);
    // The lower half of the first half: the curve falls into it from above.
    const QRect rect = plot.axes().toRect();
    QTest::mousePress(&plot.pointerArea(), Qt::LeftButton, {},
                      QPoint(rect.left(), rect.center().y()));
    QMouseEvent move(QEvent::MouseMove, QPointF(rect.center().x(), rect.bottom()),
                     plot.mapToGlobal(QPointF(rect.center())), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&plot.pointerArea(), &move);
    QTest::mouseRelease(&plot.pointerArea(), Qt::LeftButton, {},
                        QPoint(rect.center().x(), rect.bottom()));
    QTest::qWait(150);
    const AxisRange x = plot.shownX(), y = plot.shownY();
    const QRectF axes = plot.axes();
    // Control: the data does leave the range that is shown.
    QVERIFY(noisyLoss(static_cast<int>(x.low) + 1) > y.high);
    QVERIFY(noisyLoss(static_cast<int>(x.high)) < y.high);

    double highest = INFINITY;
    const QList<QPointF> points = polylinePoints(exported(plot));
    for (const QPointF& point : points) highest = std::min(highest, point.y());
    QVERIFY(points.size() > 500);
    // The flag's line begins beside its text above the axes, the curves do not.
    QVERIFY(highest >= axes.top() - 20);
  }

  void aCurveFinerThanTheScreenIsOneLine() {
    LinePlot plot(style_);
    plot.setTitle("Alternating");
    plot.addSeries("training");
    plot.setSmoothing(0.3);
    for (int step = 0; step <= 4000; ++step) plot.append(0, step, step % 2);
    const QString name = paperPalette().series[0].name();
    const auto heightOf = [&](const QString& svg) {
      const QRegularExpression drawn("stroke=\"" + name +
                                     "\"[^>]*>\\s*<polyline[^>]*points=\"([^\"]*)\"");
      double low = INFINITY, high = -INFINITY;
      const QStringList pairs = drawn.match(svg).captured(1).split(' ', Qt::SkipEmptyParts);
      for (const QString& pair : pairs.mid(pairs.size() / 2)) {
        low = std::min(low, pair.section(',', 1).toDouble());
        high = std::max(high, pair.section(',', 1).toDouble());
      }
      return high - low;
    };
    const double smooth = heightOf(exported(plot));
    QVERIFY2(smooth >= 0 && smooth < 15, qPrintable(QString::number(smooth)));
    plot.setSmoothing(0);  // the control: the values themselves keep their extremes
    QVERIFY(heightOf(exported(plot)) > 100);
  }

  void theLegendStandsBesideTheTitleOfTheAxis() {
    LinePlot plot(style_);
    fill(plot);
    plot.setLegend(true);
    const QString svg = exported(plot);
    const auto baseline = [&](const QString& text) {
      const QRegularExpression found("<text[^>]* y=\"([^\"]*)\"[^>]*>\\s*" +
                                     QRegularExpression::escape(text) + "\\s*</text>");
      return found.match(svg).captured(1).toDouble();
    };
    const double title = baseline("loss (nats per letter)");
    QVERIFY(title > 0);
    for (const char* name : {"training", "validation"})
      QVERIFY2(std::abs(baseline(name) - title) < 5, name);
  }

  void paperHasItsOwnPalette() {
    LinePlot plot(style_);
    fill(plot);
    QVERIFY(exported(plot).contains(paperPalette().series[0].name()));
    QVERIFY(paperPalette().series[0] != style_.palette().series[0]);
  }

  void tableEqualsTheData() {
    LinePlot plot(style_);
    fill(plot);
    plot.append(0, 4001, std::numeric_limits<double>::quiet_NaN());
    const DataTable table = plot.figureData();
    QCOMPARE(table.columns, QStringList({"step", "training", "validation"}));
    QCOMPARE(table.rows.size(), std::size_t(4002));
    for (int step = 0; step <= 4000; ++step) {
      const QStringList& row = table.rows[std::size_t(step)];
      QCOMPARE(row[0].toDouble(), double(step));
      QCOMPARE(row[1].toDouble(), noisyLoss(step));
      if (step % 500 == 0)
        QCOMPARE(row[2].toDouble(), 1.1 * noisyLoss(step));
      else
        QVERIFY(row[2].isEmpty());
    }
    QVERIFY(std::isnan(table.rows.back()[1].toDouble()));
    // Control: the three digits of the screen would not do.
    QVERIFY(shortNumber(noisyLoss(7)).toDouble() != noisyLoss(7));
  }

  void plotsStayInTheirAreas() {
    LinePlot plot(style_);
    fill(plot);
    QVERIFY(staysInItsArea(plot));
    PlotStack stack(style_);
    fill(stack.addPlot(2));
    fill(stack.addPlot(1));
    QVERIFY(staysInItsArea(stack));
  }

  void stackTableHasTheColumnsOfAllPlots() {
    PlotStack stack(style_);
    stack.setTitle("Training");
    LinePlot& loss = stack.addPlot(2);
    LinePlot& accuracy = stack.addPlot(1);
    loss.addSeries("loss");
    accuracy.addSeries("words");
    loss.append(0, 1, 0.25);
    loss.append(0, 2, 0.125);
    accuracy.append(0, 2, 0.5);
    const DataTable table = stack.figureData();
    QCOMPARE(table.columns, QStringList({"step", "loss", "words"}));
    QCOMPARE(table.rows[0], QStringList({"1", "0.25", ""}));
    QCOMPARE(table.rows[1], QStringList({"2", "0.125", "0.5"}));
    QVERIFY(exported(stack).contains("words"));
    loss.setTitle("Loss");
    accuracy.setTitle("Accuracy");
    for (LinePlot* plot : {&loss, &accuracy}) plot->addSeries("held-out");
    QCOMPARE(stack.figureData().columns, QStringList({"step", "Loss: loss", "Loss: held-out",
                                                      "Accuracy: words", "Accuracy: held-out"}));
  }

  void stackedPlotsShareTheirMargins_data() {
    QTest::addColumn<int>("height");
    for (const int height : {180, 240, 300, 360, 480}) QTest::addRow("%d", height) << height;
  }
  void stackedPlotsShareTheirMargins() {
    QFETCH(int, height);
    PlotStack stack(style_);
    for (const int share : {3, 2}) {
      LinePlot& plot = stack.addPlot(share);
      plot.setMinimumHeight(60);
      plot.addSeries("training");
      plot.addSeries("held-out", false);
      for (int step = 0; step < 7; ++step) plot.append(0, step, 1.0 / (1 + step));
    }
    stack.resize(680, height);
    stack.show();
    QVERIFY(QTest::qWaitForWindowExposed(&stack));
    const auto& upper = stack.plot(0);
    const auto& lower = stack.plot(1);
    QTRY_COMPARE(upper.axes().right(), lower.axes().right());
    QCOMPARE(upper.axes().left(), lower.axes().left());
    QCOMPARE(upper.labelsAtEnds(), lower.labelsAtEnds());
    QVERIFY(lower.labelsAtEnds() == (height >= 300));
  }

  void aLogarithmicAxisSaysSoAndHasTicks() {
    LinePlot plot(style_);
    plot.setAxisTitles("step", "length");
    plot.addSeries("gradient", false);
    for (int step = 0; step < 50; ++step)
      plot.append(0, step, std::exp(0.09 + 1.9 * std::sin(step)));
    QVERIFY(!exported(plot).contains("logarithmic"));
    plot.setLogarithmic(true);
    const QString svg = exported(plot);
    QVERIFY(svg.contains("length, logarithmic"));
    static const QRegularExpression tick(">(0\\.2|0\\.5|1|2|5)<");
    QVERIFY2(svg.count(tick) >= 3, "1 is the only power of ten there");
  }

  void aZeroShareReadsAsZero() {
    LinePlot plot(style_);
    plot.addSeries("training");
    plot.append(0, 0, 1);
    for (int step = 1; step < 60; ++step) plot.append(0, step, 0);
    QVERIFY(exported(plot).contains(QRegularExpression("\\de-\\d+<")));
    plot.setFixedY(AxisRange{0, 1});
    QVERIFY(!exported(plot).contains(QRegularExpression("\\de-\\d+<")));
    QVERIFY(exported(plot).contains(">0.000<"));
  }

  void shortRunsHaveWholeTicks_data() {
    QTest::addColumn<int>("last");
    for (int last = 1; last <= 30; ++last) QTest::addRow("%d steps", last) << last;
  }
  void shortRunsHaveWholeTicks() {
    QFETCH(int, last);
    LinePlot plot(style_);
    plot.addSeries("training");
    for (int step = 0; step <= last; ++step) plot.append(0, step, 0.001 * step);
    // Equal distances: a half step that is written as a whole one has a neighbour too near.
    QList<int> ticks;
    static const QRegularExpression text(">(\\d+)<");
    for (auto it = text.globalMatch(exported(plot)); it.hasNext();)
      ticks << it.next().captured(1).toInt();
    ticks.removeIf([&](int tick) { return tick > last; });
    std::sort(ticks.begin(), ticks.end());
    ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    QVERIFY(ticks.size() >= 2);
    for (qsizetype i = 2; i < ticks.size(); ++i)
      QCOMPARE(ticks[i] - ticks[i - 1], ticks[1] - ticks[0]);
  }
};

TFM_TEST(LinePlotFigureTest)
#include "test_line_plot_figure.moc"
