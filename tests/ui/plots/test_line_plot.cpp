// SPDX-License-Identifier: GPL-3.0-or-later
// A LinePlot with data, mouse and keyboard.
#include <QClipboard>
#include <QHelpEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>
#include <limits>

#include "tests/ui/plots/plot_test.h"
#include "tests/ui/ui_test.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_stack.h"

using namespace tfm::ui;

namespace {

std::unique_ptr<LinePlot> shownPlot(Style& style) {
  auto plot = std::make_unique<LinePlot>(style);
  plot->setTitle("Loss");
  plot->setAxisTitles("step", "loss (nats)");
  plot->addSeries("training");
  for (int step = 0; step <= 1000; ++step) plot->append(0, step, 4.1 * std::exp(-step / 200.0));
  plot->resize(640, 320);
  plot->show();
  return plot;
}

QPoint at(const LinePlot& plot, double x_share, double y_share) {
  const QRectF rect = plot.axes();
  return QPointF(rect.left() + x_share * rect.width(), rect.top() + y_share * rect.height())
      .toPoint();
}

void drag(LinePlot& plot, const QPoint& from, const QPoint& to) {
  QTest::mousePress(&plot.pointerArea(), Qt::LeftButton, {}, from);
  const QPoint middle = (from + to) / 2;
  for (const QPoint& place : {middle, to}) {
    QMouseEvent move(QEvent::MouseMove, place, plot.mapToGlobal(place), Qt::NoButton,
                     Qt::LeftButton, {});
    QApplication::sendEvent(&plot.pointerArea(), &move);
  }
  QTest::mouseRelease(&plot.pointerArea(), Qt::LeftButton, {}, to);
}

void waitForRedraw(LinePlot& plot) {
  QSignalSpy redrawn(&plot, &LinePlot::redrawn);
  QVERIFY(redrawn.wait(2000));
}

}  // namespace

class LinePlotTest : public PlotTest {
  Q_OBJECT

 private slots:
  void dragZoomsAndDoubleClickFollowsAgain() {
    const auto plot = shownPlot(style_);
    QVERIFY(plot->following());
    const AxisRange all = plot->shownX();
    QCOMPARE(all, (AxisRange{0, 1000}));
    drag(*plot, at(*plot, 0.25, 0.2), at(*plot, 0.5, 0.8));
    waitForRedraw(*plot);
    QVERIFY(!plot->following());
    const AxisRange zoomed = plot->shownX();
    const double pixels = 2 * all.high / plot->axes().width();
    QVERIFY(std::abs(zoomed.low - 250) < pixels && std::abs(zoomed.high - 500) < pixels);

    plot->append(0, 1001, 0.1);
    waitForRedraw(*plot);
    QCOMPARE(plot->shownX(), zoomed);  // new data does not move the view

    QTest::mouseDClick(&plot->pointerArea(), Qt::LeftButton, {}, at(*plot, 0.5, 0.5));
    waitForRedraw(*plot);
    QVERIFY(plot->following());
    QCOMPARE(plot->shownX().high, 1001.0);
  }

  void aThinRectangleDoesNotZoom() {
    const auto plot = shownPlot(style_);
    const QPoint place = at(*plot, 0.5, 0.5);
    drag(*plot, place, place + QPoint(2, 2));
    QVERIFY(plot->following());
  }

  void wheelKeepsThePlaceUnderTheMouse() {
    const auto plot = shownPlot(style_);
    const QPoint place = at(*plot, 0.3, 0.4);
    const AxisRange x = plot->shownX(), y = plot->shownY();
    const auto stepThere = [&] {
      const double share = (place.x() - plot->axes().left()) / plot->axes().width();
      return plot->shownX().low + share * plot->shownX().span();
    };
    const double step = stepThere();
    QWheelEvent wheel(place, plot->mapToGlobal(place), {}, QPoint(0, 120), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot->pointerArea(), &wheel);
    QVERIFY(plot->shownX().span() < x.span() && plot->shownY().span() < y.span());
    QVERIFY(std::abs(stepThere() - step) < 2);
  }

  void shiftAndDragMoves() {
    const auto plot = shownPlot(style_);
    const AxisRange before = plot->shownX();
    const QPoint from = at(*plot, 0.5, 0.5), to = at(*plot, 0.4, 0.5);
    QTest::mousePress(&plot->pointerArea(), Qt::LeftButton, Qt::ShiftModifier, from);
    QMouseEvent move(QEvent::MouseMove, to, plot->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::ShiftModifier);
    QApplication::sendEvent(&plot->pointerArea(), &move);
    QTest::mouseRelease(&plot->pointerArea(), Qt::LeftButton, Qt::ShiftModifier, to);
    QVERIFY(std::abs(plot->shownX().span() - before.span()) < 1e-6);
    QVERIFY(std::abs(plot->shownX().low - (before.low + 0.1 * before.span())) < 5);
  }

  void keysZoomMoveAndReset() {
    const auto plot = shownPlot(style_);
    QTest::keyClick(plot.get(), Qt::Key_Plus);
    waitForRedraw(*plot);
    const AxisRange zoomed = plot->shownX();
    QVERIFY(zoomed.span() < 1000);
    QTest::keyClick(plot.get(), Qt::Key_Right);
    waitForRedraw(*plot);
    QVERIFY(plot->shownX().low > zoomed.low);
    QTest::keyClick(plot.get(), Qt::Key_0);
    waitForRedraw(*plot);
    QVERIFY(plot->following());
  }

  void logarithmicAxisSaysWhatItCannotShow() {
    const auto plot = shownPlot(style_);
    plot->append(0, 1001, 0);
    plot->append(0, 1002, -3);
    plot->append(0, 1003, std::numeric_limits<double>::quiet_NaN());
    waitForRedraw(*plot);
    QVERIFY(!plot->note().contains("logarithmic"));  // control: linear shows zeros
    QVERIFY(plot->note().contains("1 values are NaN or infinite"));
    QSignalSpy changed(plot.get(), &LinePlot::logarithmicChanged);
    QTest::keyClick(plot.get(), Qt::Key_L);
    waitForRedraw(*plot);
    QCOMPARE(changed.count(), 1);
    QVERIFY(plot->note().contains("2 values at or below 0"));
    const AxisRange y = plot->shownY();
    QVERIFY(y.low > 0 && std::isfinite(y.high));
    plot->clearPoints();
    plot->append(0, 0, -1);
    waitForRedraw(*plot);
    QVERIFY(plot->note().contains("needs values above 0"));
    QVERIFY(!plot->grab().isNull());
  }

  void logarithmZoomSurvivesNegativeRange() {
    const auto plot = shownPlot(style_);
    drag(*plot, at(*plot, 0.1, 0.1), at(*plot, 0.9, 1.0));  // reaches below zero
    waitForRedraw(*plot);
    QVERIFY(plot->shownY().low < 0);
    plot->setLogarithmic(true);
    waitForRedraw(*plot);
    QVERIFY(plot->shownY().low > 0);
  }

  void closeFlagsAreCountedAndListedOnHover() {
    const auto plot = shownPlot(style_);
    const QString longest = "feed-forward of all layers of the encoder and the decoder, 5 to 12";
    plot->setFlags({{500, longest}, {504, "learning rate 0.003"}, {508, "two heads more, 7 to 9"}});
    plot->resize(640, 200);
    QTRY_VERIFY(plot->placedFlags().size() == 3);
    QTRY_VERIFY(plot->placedFlags()[2].hidden == 2);
    const auto& flags = plot->placedFlags();
    QVERIFY(flags[0].text.isEmpty() && flags[1].text.isEmpty());
    QVERIFY(flags[2].text.startsWith(QString("3 changes %1 two heads").arg(QChar(0x00b7))));
    const QPoint place = flags[2].box.center().toPoint();
    QHelpEvent hover(QEvent::ToolTip, place, plot->mapToGlobal(place));
    QApplication::sendEvent(&plot->pointerArea(), &hover);
    QCOMPARE(QToolTip::text(), longest + "\nlearning rate 0.003\ntwo heads more, 7 to 9");
    // The control: one alone counts nothing.
    plot->setFlags({{500, longest}});
    QTRY_COMPARE(plot->placedFlags().size(), std::size_t(1));
    QVERIFY(longest.startsWith(plot->placedFlags()[0].text.left(20)));
    QCOMPARE(plot->placedFlags()[0].hidden, 0);
    QVERIFY(!plot->placedFlags()[0].leftwards);
    QToolTip::hideText();
    // At the end of the axis there is more room to its left.
    plot->setFlags({{995, "two heads more, 7 to 9"}});
    QTRY_VERIFY(plot->placedFlags()[0].leftwards);
    const auto& last = plot->placedFlags()[0];
    QCOMPARE(last.text, QString("two heads more, 7 to 9"));
    QCOMPARE(last.box.right(), last.x);
    QVERIFY(last.box.left() >= plot->axes().left());
    // Also where it counts others.
    plot->setFlags({{995, "a layer"},
                    {995, "key size 5 to 7"},
                    {995, "heads"},
                    {995, "two heads more, 7 to 9"}});
    QTRY_COMPARE(plot->placedFlags().size(), std::size_t(4));
    QTRY_VERIFY(plot->placedFlags().back().text.contains("changes"));
    QVERIFY(plot->placedFlags().back().leftwards);
  }

  void flagsAreClicked() {
    const auto plot = shownPlot(style_);
    plot->setFlags({{250, "learning rate 0.003"}, {700, "wider", &Palette::mark}});
    waitForRedraw(*plot);
    QSignalSpy activated(plot.get(), &LinePlot::flagActivated);
    QTest::mouseClick(&plot->pointerArea(), Qt::LeftButton, {}, at(*plot, 0.7, 0.5));
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.takeFirst().at(0).toInt(), 1);
    const QRectF label = plot->placedFlags()[0].box;
    QTest::mouseClick(&plot->pointerArea(), Qt::LeftButton, {}, label.center().toPoint());
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.takeFirst().at(0).toInt(), 0);
    // Control: beside a flag there is nothing to click.
    QTest::mouseClick(&plot->pointerArea(), Qt::LeftButton, {}, at(*plot, 0.5, 0.5));
    QCOMPARE(activated.count(), 0);
    QTest::keyClick(plot.get(), Qt::Key_PageDown);
    QCOMPARE(plot->cursorStep(), std::optional<double>(250));
    QTest::keyClick(plot.get(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
  }

  void removedFlagsAreNeitherPaintedNorReported() {
    const auto plot = shownPlot(style_);
    const auto spoken = [&](const QPoint& place) {
      QHelpEvent hover(QEvent::ToolTip, place, plot->mapToGlobal(place));
      QApplication::sendEvent(&plot->pointerArea(), &hover);
      return QToolTip::text();
    };
    QSignalSpy activated(plot.get(), &LinePlot::flagActivated);
    plot->setFlags({{250, "learning rate 0.003"}, {700, "wider", &Palette::mark}});
    QTRY_COMPARE(plot->placedFlags().size(), std::size_t(2));
    const QPoint second = at(*plot, 0.7, 0.5);
    QTest::mouseClick(&plot->pointerArea(), Qt::LeftButton, {}, second);
    QCOMPARE(activated.count(), 1);
    // Before the next redraw: a paint, a hover and a click in between must not miss the second.
    plot->setFlags({{250, "learning rate 0.003"}});
    QCOMPARE(plot->grab().size(), plot->size());
    QVERIFY(spoken(second).isEmpty());
    QTest::mouseClick(&plot->pointerArea(), Qt::LeftButton, {}, second);
    QCOMPARE(activated.count(), 1);
    QTRY_COMPARE(plot->placedFlags().size(), std::size_t(1));  // the one that stays is back
    QCOMPARE(spoken(at(*plot, 0.25, 0.5)), QString("learning rate 0.003"));
    QToolTip::hideText();
  }

  void aNewCurveWaitsForTheRedraw() {
    const auto plot = shownPlot(style_);
    const QImage before = plot->grab().toImage();
    const int added = plot->addSeries("held-out", false);
    plot->append(added, 500, 2);
    plot->setInterval(added, AxisRange{1, 3});
    QCOMPARE(plot->grab().toImage(), before);
    QTRY_VERIFY(plot->grab().toImage() != before);
  }

  void cursorReadsExactValues() {
    const auto plot = shownPlot(style_);
    QTest::mouseMove(&plot->pointerArea(), at(*plot, 0.4, 0.5));
    QTRY_VERIFY(plot->cursorStep().has_value());
    const double step = *plot->cursorStep();
    QVERIFY(std::abs(step - 400) < 3);
    QTest::keyClick(plot.get(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(*plot->cursorStep(), step + 1);
    QVERIFY(plot->accessibleDescription().contains(QString::number(step + 1)));
    QTest::keyClick(plot.get(), Qt::Key_C, Qt::ControlModifier);
    const QStringList cells = QApplication::clipboard()->text().split('\t');
    QCOMPARE(cells.value(0), QString("training"));
    QCOMPARE(cells.value(2).toDouble(), 4.1 * std::exp(-(step + 1) / 200.0));
  }

  void hiddenPlotDrawsNothingAndBurstsDrawOnce() {
    LinePlot plot(style_);
    plot.addSeries("training");
    QSignalSpy redrawn(&plot, &LinePlot::redrawn);
    for (int step = 0; step < 100; ++step) plot.append(0, step, step);
    QTest::qWait(150);
    QCOMPARE(redrawn.count(), 0);
    plot.show();
    QTRY_VERIFY(redrawn.count() > 0);
    QTest::qWait(150);
    redrawn.clear();
    for (int step = 100; step < 1100; ++step) plot.append(0, step, step);
    QTest::qWait(150);
    QCOMPARE(redrawn.count(), 1);
  }

  void themeChangeKeepsDataAndView() {
    const auto plot = shownPlot(style_);
    plot->setZoomX(AxisRange{100, 200});
    waitForRedraw(*plot);
    const QImage dark = plot->grab().toImage();
    style_.setTheme(Theme::Light);
    waitForRedraw(*plot);
    QVERIFY(plot->grab().toImage() != dark);
    QCOMPARE(plot->shownX(), (AxisRange{100, 200}));
    QCOMPARE(plot->curves()[0].data.size(), std::size_t(1001));
    style_.setTheme(Theme::Dark);
  }

  void stackedPlotsZoomReadAndAlignTogether() {
    PlotStack stack(style_);
    LinePlot& loss = stack.addPlot(2);
    LinePlot& accuracy = stack.addPlot(1);
    loss.addSeries("a rather long name");
    accuracy.addSeries("words");
    accuracy.setFixedY(AxisRange{0, 1});
    for (int step = 0; step < 500; ++step) {
      loss.append(0, step, 4);
      accuracy.append(0, step, 0.5);
    }
    stack.resize(800, 500);
    stack.show();
    QTRY_COMPARE(accuracy.axes().right(), loss.axes().right());
    QTest::keyClick(&loss, Qt::Key_Plus);
    QTRY_VERIFY(accuracy.shownX().span() < 400);
    QTest::keyClick(&accuracy, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(accuracy.cursorStep().has_value());
    QCOMPARE(loss.cursorStep(), accuracy.cursorStep());
    QTest::keyClick(&accuracy, Qt::Key_0);
    QTRY_VERIFY(loss.following());
  }
};

TFM_TEST(LinePlotTest)
#include "test_line_plot.moc"
