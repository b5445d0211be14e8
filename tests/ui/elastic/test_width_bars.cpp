// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QWheelEvent>

#include "tests/ui/ui_test.h"
#include "ui/elastic/width_bars.h"
#include "ui/elastic/width_slider.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

const std::vector<WidthTick> kTicks{{"S", 16}, {"M", 32}, {"L", 64}, {"XL", 128}};

std::vector<matformer::Granularity> twoLayers() {
  return {{"S", {{4, 4}, {2, 2}}, 0.25},
          {"M", {{8, 8}, {2, 2}}, 0.25},
          {"L", {{16, 10}, {2, 2}}, 0.25},
          {"XL", {{32, 10}, {2, 2}}, 0.25}};
}

}  // namespace

class TestWidthBars : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<WidthSlider> bar_;

  QPoint at(int width) const { return {int(bar_->placeOf(width)), bar_->height() / 4}; }

 private slots:
  void init() {
    bar_ = std::make_unique<WidthSlider>(style_, Qt::Horizontal);
    bar_->setScale(128, kTicks);
    bar_->showWidth(64);
    bar_->resize(600, 60);
    bar_->show();
    QVERIFY(QTest::qWaitForWindowExposed(bar_.get()));
  }
  void cleanup() { bar_.reset(); }

  void keysMoveByUnitsAndGranularities() {
    const QSignalSpy dragged(bar_.get(), &WidthSlider::dragged);
    struct Row {
      Qt::Key key;
      int width;
    };
    for (const Row& row : {Row{Qt::Key_Right, 65},
                           {Qt::Key_Up, 66},
                           {Qt::Key_Left, 65},
                           {Qt::Key_PageUp, 128},
                           {Qt::Key_PageDown, 64},
                           {Qt::Key_PageDown, 32},
                           {Qt::Key_Home, 1},
                           {Qt::Key_PageUp, 16},
                           {Qt::Key_End, 128}}) {
      QTest::keyClick(bar_.get(), row.key);
      QCOMPARE(bar_->value(), row.width);
      QCOMPARE(dragged.back().front().toInt(), row.width);
    }
    const auto told = dragged.size();
    QTest::keyClick(bar_.get(), Qt::Key_End);  // the control: no change, no signal
    QCOMPARE(dragged.size(), told);
  }

  void theWheelScrollsWhatIsAround() {
    QWheelEvent turn({5, 5}, {5, 5}, {}, {0, 120}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(bar_.get(), &turn);
    QVERIFY(!turn.isAccepted());
    QCOMPARE(bar_->value(), 64);
  }

  void draggingSnapsToTicks() {
    const QSignalSpy dragged(bar_.get(), &WidthSlider::dragged);
    QTest::mousePress(bar_.get(), Qt::LeftButton, {}, at(90));
    QVERIFY(std::abs(bar_->value() - 90) <= 1);
    QTest::mouseMove(bar_.get(), at(64) + QPoint(4, 0));
    QCOMPARE(bar_->value(), 64);
    QTest::mouseMove(bar_.get(), QPoint(-100, 10));
    QCOMPARE(bar_->value(), 1);
    QTest::mouseMove(bar_.get(), QPoint(5000, 10));
    QCOMPARE(bar_->value(), 128);
    QTest::mouseRelease(bar_.get(), Qt::LeftButton);
    QCOMPARE(dragged.size(), 4);
    QTest::mouseMove(bar_.get(), at(20));  // the control: no button, no drag
    QCOMPARE(bar_->value(), 128);
  }

  void aShownWidthEmitsNothing() {
    const QSignalSpy dragged(bar_.get(), &WidthSlider::dragged);
    const QSignalSpy changed(bar_.get(), &QAbstractSlider::valueChanged);
    bar_->showWidth(32);
    QCOMPARE(bar_->value(), 32);
    QVERIFY(dragged.isEmpty() && changed.isEmpty());
    QVERIFY(bar_->accessibleDescription().contains("32 of 128"));
    QVERIFY(bar_->accessibleDescription().contains("M"));
    bar_->showWidth(40, true);
    QVERIFY(bar_->accessibleDescription().contains("different widths"));
    QVERIFY(!bar_->accessibleDescription().contains("M"));
  }

  void aMixedBarEmitsEvenTheWidthItShows() {
    bar_->showWidth(64, true);
    const QSignalSpy dragged(bar_.get(), &WidthSlider::dragged);
    QTest::mouseClick(bar_.get(), Qt::LeftButton, {}, at(64));
    QCOMPARE(dragged.size(), 1);
    QTest::mouseClick(bar_.get(), Qt::LeftButton, {}, at(64));
    QCOMPARE(dragged.size(), 1);
  }

  void layersHaveTheirOwnTicksAndWidths() {
    WidthBars bars(style_);
    bars.setModel({"encoder layer 1", "decoder layer 1"}, {32, 10}, twoLayers());
    QCOMPARE(bars.count(), 2);
    QCOMPARE(bars.bar(1).maximum(), 10);
    QCOMPARE(bars.widths(), (std::vector<std::int64_t>{32, 10}));
    QCOMPARE(bars.bar(1).accessibleName(), QString("Width of decoder layer 1"));
    QVERIFY(QAccessible::queryAccessibleInterface(&bars.bar(0))->valueInterface() != nullptr);
    const QSignalSpy dragged(&bars, &WidthBars::dragged);
    const QSignalSpy touched(&bars, &WidthBars::layerTouched);
    bars.showWidths({8, 8});
    QVERIFY(dragged.isEmpty());
    QTest::keyClick(&bars.bar(1), Qt::Key_PageUp);
    QCOMPARE(bars.widths(), (std::vector<std::int64_t>{8, 10}));
    QCOMPARE(dragged.size(), 1);
    QVERIFY(touched.isEmpty());
    QTest::mousePress(&bars.bar(0), Qt::LeftButton);
    QCOMPARE(touched.size(), 1);
    QCOMPARE(touched.front().front().toInt(), 0);
  }

  void narrowLayersHaveOneTickForSeveralGranularities() {
    const std::vector<WidthTick> ticks = ticksOf(twoLayers(), 1);
    QCOMPARE(ticks.size(), std::size_t{3});
    QCOMPARE(ticks.back(), (WidthTick{"XL", 10}));
    QCOMPARE(ticksOf(twoLayers(), 0).size(), std::size_t{4});
    QCOMPARE(snapped(30, kTicks, 2.0), 32);
    QCOMPARE(snapped(29, kTicks, 2.0), 29);
  }
};

TFM_TEST(TestWidthBars)
#include "test_width_bars.moc"
