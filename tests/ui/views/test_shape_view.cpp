// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include "core/model/build_program.h"
#include "tests/test_program.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/views/view_bench.h"
#include "ui/views/shape/length_band.h"
#include "ui/views/shape/scaling_panel.h"
#include "ui/views/shape/shape_view.h"
#include "ui/views/shape/width_strands.h"

using namespace tfm;
using namespace tfm::ui;

class TestShapeView : public QObject, private ViewBench<ShapeView> {
  Q_OBJECT

 private:
  bool seesTheStates() {
    return QTest::qWaitFor([&] { return !view_->pictures().band().values().empty(); }, 10000);
  }

 private slots:
  void init() {
    const auto start = [](ModelDocument& document) {
      startRot13(document);
      document.observing().setQuestion("there");
    };
    setUp(start, {1000, 700});
  }
  void cleanup() { tearDown(); }

  /// A model without pooling is a band of constant length, of its real states.
  void bandShowsTheEnginesStates() {
    QVERIFY(seesTheStates());
    const auto& stages = view_->pictures().band().stages();
    const ModelConfig& model = document_->moments().model();
    QCOMPARE(stages.size(), model.encoder_layers.size() + 1);
    const auto& snapshot = *document_->observing().snapshot();
    for (std::size_t i = 0; i < stages.size(); ++i) {
      QCOMPARE(stages[i].length, 5);
      QCOMPARE(view_->pictures().band().values()[i], snapshot.observed.at(stages[i].states).values);
    }
    QVERIFY(view_->pictures().band().values()[0] != view_->pictures().band().values()[1]);
    view_->showStack(Stack::Decoder);
    QVERIFY(seesTheStates());
    QCOMPARE(view_->pictures().band().stages().front().stack, Stack::Decoder);
  }

  void hoverSaysClickLocksEscUnlocks() {
    QVERIFY(seesTheStates());
    LengthBand& band = view_->pictures().band();
    const int item = band.items().of(1, 2);
    QTest::mouseClick(band.viewport(), Qt::LeftButton, {}, band.itemRect(item).center().toPoint());
    QCOMPARE(band.lockedItem(), item);
    QVERIFY(inspectorSays("encoder layer 1, e, position 3 of 5"));
    QTest::keyClick(&band, Qt::Key_Left);
    QCOMPARE(band.lockedItem(), band.items().of(0, 2));
    QTest::keyClick(&band, Qt::Key_Down);
    QCOMPARE(band.lockedItem(), band.items().of(0, 3));
    QTest::keyClick(&band, Qt::Key_Escape);
    QCOMPARE(band.lockedItem(), -1);
  }

  void widthShowsWhatTheMapsWrite() {
    view_->showSide(ShapeSide::Width);
    WidthStrands& strands = view_->pictures().strands();
    QVERIFY(QTest::qWaitFor([&] { return !strands.values().empty(); }, 10000));
    QVERIFY(!strands.chains().empty());
    const auto& maps = strands.chains().front().maps;
    QCOMPARE(maps.size(), 2U);  // of the feed-forward
    const auto& snapshot = *document_->observing().snapshot();
    QCOMPARE(strands.values().at(maps[0].output), snapshot.observed.at(maps[0].output).values);
  }

  /// Without tensors there are outlines, never numbers.
  void presetsAreOutlines() {
    QVERIFY(seesTheStates());
    view_->showPreset("delight-sequence");
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    QVERIFY(view_->pictures().band().values().empty());
    QVERIFY(view_->pictures().strands().values().empty());
    QCOMPARE(view_->pictures().side(), ShapeSide::Width);
    view_->showPreset("");
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    QCOMPARE(view_->pictures().side(), ShapeSide::Length);
    QVERIFY(seesTheStates());
  }

  void scalingFollowsItsEnds() {
    view_->showPreset("delight-sequence");
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    ScalingPanel& panel = view_->scaling();
    ModelConfig config = presetNamed("delight-sequence").config();
    QVERIFY(panel.scaling() == *delightScaling(config));
    const auto says = [&](const ModelConfig& model) {
      return QTest::qWaitFor(
          [&] { return panel.parameters() == QString::number(parameterLayout(model).total); },
          10000);
    };
    QVERIFY(says(config));
    // By its box, and by dragging; the other end is pushed along.
    panel.mostBox().setValue(6);
    rescaleDelight(config, {3, 6, 2.0});
    QVERIFY(says(config));
    ScalingChart& chart = panel.chart();
    const QPointF from = chart.scalingLayout().handle(ScalingEnd::Most);
    const double pixels =
        chart.scalingLayout().depths.area.height() / chart.scalingLayout().depths.top;
    QTest::mousePress(chart.viewport(), Qt::LeftButton, {}, from.toPoint());
    QTest::mouseMove(chart.viewport(), (from + QPointF(0, 4 * pixels)).toPoint());
    QTest::mouseRelease(chart.viewport(), Qt::LeftButton, {},
                        (from + QPointF(0, 4 * pixels)).toPoint());
    QVERIFY(panel.scaling() == (DelightScaling{2, 2, 2.0}));
    rescaleDelight(config, {2, 2, 2.0});
    QVERIFY(says(config));
  }

  void theChosenShapeBecomesARun() {
    view_->showPreset("delight-sequence");
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    view_->scaling().leastBox().setValue(2);
    QVERIFY(QTest::qWaitFor([&] { return view_->isReady(); }, 10000));
    QSignalSpy started(view_.get(), &ShapeView::started);
    view_->scaling().startButton().click();
    QVERIFY(started.wait(20000));
    const auto scaling = delightScaling(document_->moments().model());
    QVERIFY(scaling && scaling->least == 2);
    QVERIFY(document_->changes().canUndo());
    QCOMPARE(view_->pictures().side(), ShapeSide::Width);
  }

  void bothPicturesAreFigures() {
    QVERIFY(seesTheStates());
    QVERIFY(svgOf(view_->pictures().band()).contains("5 × 8"));
    const DataTable table = view_->pictures().band().figureData();
    QCOMPARE(table.rows.size(), std::size_t(2 * 5 * 8));
    view_->showSide(ShapeSide::Width);
    QVERIFY(svgOf(view_->pictures().strands()).contains("layer 1"));
    QCOMPARE(view_->pictures().strands().figureData().rows.size(), 2U);
  }
};

TFM_TEST(TestShapeView)
#include "test_shape_view.moc"
