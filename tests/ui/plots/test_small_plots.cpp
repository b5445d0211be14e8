// SPDX-License-Identifier: GPL-3.0-or-later
// The loss strip, the schedule and the signs of tokens.
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>
#include <memory>

#include "tests/test_program.h"
#include "ui/figure/token_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/loss_strip.h"
#include "ui/plots/schedule_plot.h"
#include "ui/style/style.h"

using namespace tfm::ui;

namespace {

QImage painted(const Figure& figure) {
  QImage image(figure.figureSize().toSize(), QImage::Format_RGB32);
  image.fill(paperPalette().panel);
  QPainter painter(&image);
  figure.paintFigure(painter, QRectF(QPointF(), figure.figureSize()), paperPalette());
  return image;
}

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
  return count;
}

}  // namespace

class SmallPlotsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QLocale::setDefault(QLocale::c());
    style_ = std::make_unique<Style>(*qApp);
  }
  void cleanupTestCase() { style_.reset(); }

  void withoutRoomNothingIsDrawnAndNoWarningLogged() {
    static int complaints = 0;
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
          complaints += text.startsWith("QPainter::begin");
        });
    LossStrip strip(*style_);
    for (int step = 0; step <= 100; step += 10) strip.append(step, 1.0);
    LinePlot plot(*style_);
    for (QWidget* widget : {static_cast<QWidget*>(&strip), static_cast<QWidget*>(&plot)}) {
      QWidget window;
      widget->setParent(&window);
      window.show();
      widget->resize(0, 60);
      QTest::qWait(100);
      widget->setParent(nullptr);
    }
    qInstallMessageHandler(before);
    QCOMPARE(complaints, 0);
  }

  void stripChoosesRecordedSteps() {
    LossStrip strip(*style_);
    for (int step = 0; step <= 1000; step += 10) strip.append(step, std::exp(-step / 100.0));
    strip.resize(612, 60);
    strip.show();
    QSignalSpy clicked(&strip, &LossStrip::stepClicked);
    QSignalSpy hovered(&strip, &LossStrip::stepHovered);
    QTest::mouseClick(&strip.pointerArea(), Qt::LeftButton, {}, QPoint(306, 30));
    QCOMPARE(clicked.takeFirst().at(0).toDouble(), 500.0);
    QTest::keyClick(&strip, Qt::Key_Left);
    QCOMPARE(clicked.takeFirst().at(0).toDouble(), 490.0);
    QTest::keyClick(&strip, Qt::Key_PageDown);
    QCOMPARE(clicked.takeFirst().at(0).toDouble(), 590.0);
    QTest::keyClick(&strip, Qt::Key_End);
    QCOMPARE(clicked.takeFirst().at(0).toDouble(), 1000.0);
    QVERIFY(strip.accessibleDescription().contains("1000"));
    QTest::mouseMove(&strip.pointerArea(), QPoint(126, 30));
    QTRY_COMPARE(hovered.count(), 1);
    QCOMPARE(hovered.at(0).at(0).toDouble(), 200.0);
    QCOMPARE(clicked.count(), 0);  // control: hovering chooses nothing
  }

  /// Words stand over flags: a number that is crossed out cannot be read.
  void textsOfTheStripAreNotCrossedOut() {
    LossStrip strip(*style_);
    for (int step = 0; step <= 100; ++step) strip.append(step, 100.0 - step);
    strip.resize(612, 60);
    strip.setFlags({{56.0, "grown", &Palette::good}});
    strip.show();
    QTest::qWait(50);
    const QColor green = style_->palette().good;
    const int free = pixelsOf(strip.grab().toImage(), green);
    QVERIFY(free > 20);
    QTest::mouseMove(&strip.pointerArea(),
                     QPoint(306, 30));  // the words of step 50 reach over the flag
    QTRY_VERIFY(pixelsOf(strip.grab().toImage(), green) < free - 8);
  }

  void stripShowsThePinInGold() {
    LossStrip strip(*style_);
    for (int step = 0; step < 100; ++step) strip.append(step, 1.0 / (1 + step));
    const QColor gold = paperPalette().mark;
    QCOMPARE(pixelsOf(painted(strip), gold), 0);
    strip.setPinnedStep(40);
    QVERIFY(pixelsOf(painted(strip), gold) > 5);
  }

  void stripSurvivesUnfitValues() {
    LossStrip strip(*style_);
    strip.show();
    QVERIFY(!strip.grab().isNull());
    strip.append(0, -1);
    strip.append(1, std::numeric_limits<double>::quiet_NaN());
    strip.append(2, 0);
    QSignalSpy changed(&strip, &LossStrip::logarithmicChanged);
    QTest::keyClick(&strip, Qt::Key_L);
    QVERIFY(strip.logarithmic());
    QCOMPARE(changed.count(), 1);
    QTest::qWait(100);
    QVERIFY(!strip.grab().isNull());
    QCOMPARE(strip.figureData().rows[0], QStringList({"0", "-1"}));
  }

  void scheduleDotMoves() {
    SchedulePlot plot(*style_);
    plot.setCurve({{0, 0}, {100, 0.01}, {1000, 0}});
    plot.setNow(100, 0.01);
    const QImage early = painted(plot);
    QVERIFY(plot.accessibleDescription().contains("0.0100 at step 100"));
    QCOMPARE(painted(plot), early);
    plot.setNow(700, 0.004);
    QVERIFY(painted(plot) != early);
    QCOMPARE(plot.figureData().rows[1], QStringList({"100", "0.01"}));
  }

  void invisibleTokensGetASign() {
    QCOMPARE(visibleToken(" "), QString(QChar(0x2423)));
    QCOMPARE(visibleToken("a\nb").size(), 3);
    QVERIFY(!visibleToken("a\nb").contains('\n'));
  }

 private:
  std::unique_ptr<Style> style_;
};

TFM_TEST(SmallPlotsTest)
#include "test_small_plots.moc"
