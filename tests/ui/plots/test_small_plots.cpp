// SPDX-License-Identifier: GPL-3.0-or-later
// The loss strip and the signs of tokens.
#include <cmath>
#include <limits>

#include "tests/ui/plots/plot_test.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/figure/token_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/loss_strip.h"

using namespace tfm::ui;

class SmallPlotsTest : public PlotTest {
  Q_OBJECT

 private slots:
  void withoutRoomNothingIsDrawnAndNoWarningLogged() {
    static int complaints = 0;
    const QtMessageHandler before =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
          complaints += text.startsWith("QPainter::begin");
        });
    LossStrip strip(style_);
    for (int step = 0; step <= 100; step += 10) strip.append(step, 1.0);
    LinePlot plot(style_);
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
    LossStrip strip(style_);
    for (int step = 0; step <= 1000; step += 10) strip.append(step, std::exp(-step / 100.0));
    strip.resize(612, 60);
    strip.show();
    QSignalSpy clicked(&strip, &LossStrip::stepClicked);
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
    QTest::qWait(20);
    QCOMPARE(clicked.count(), 0);  // control: hovering chooses nothing
  }

  /// Words stand over flags: a number that is crossed out cannot be read.
  void textsOfTheStripAreNotCrossedOut() {
    LossStrip strip(style_);
    for (int step = 0; step <= 100; ++step) strip.append(step, 100.0 - step);
    strip.resize(612, 60);
    strip.setFlags({{56.0, "grown", &Palette::good}});
    strip.show();
    QTest::qWait(50);
    const QColor green = style_.palette().good;
    const int free = pixelsOf(strip.grab().toImage(), green);
    QVERIFY(free > 20);
    QTest::mouseMove(&strip.pointerArea(),
                     QPoint(306, 30));  // the words of step 50 reach over the flag
    QTRY_VERIFY(pixelsOf(strip.grab().toImage(), green) < free - 8);
  }

  void stripShowsThePinInGold() {
    LossStrip strip(style_);
    for (int step = 0; step < 100; ++step) strip.append(step, 1.0 / (1 + step));
    const QColor gold = paperPalette().mark;
    QCOMPARE(pixelsOf(onPaper(strip), gold), 0);
    strip.setPins({{40.0, "A"}});
    QVERIFY(pixelsOf(onPaper(strip), gold) > 5);
  }

  void stripSurvivesUnfitValues() {
    LossStrip strip(style_);
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

  void invisibleTokensGetASign() {
    QCOMPARE(visibleToken(" "), QString(QChar(0x2423)));
    QCOMPARE(visibleToken("a\nb").size(), 3);
    QVERIFY(!visibleToken("a\nb").contains('\n'));
  }
};

TFM_TEST(SmallPlotsTest)
#include "test_small_plots.moc"
