// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QScrollBar>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/heatmap/heat_grid.h"

using namespace tfm::ui;

namespace {

/// Maps of 2 x 3 cells whose values all are layer * 0.1 + head * 0.01.
HeatGroup group(const QString& name, int layers, int heads) {
  HeatGroup group{name, 2, 3, std::vector<int>(layers, heads), {}, {}};
  for (int layer = 0; layer < layers; ++layer)
    for (int head = 0; head < heads; ++head)
      group.values.insert(group.values.end(), 6, 0.1F * layer + 0.01F * head);
  return group;
}

}  // namespace

class TestHeatGrid : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<HeatGrid> grid_;

  QPoint centre(const MapId& id) const { return grid_->mapRect(id).center().toPoint(); }
  void click(const MapId& id) {
    QTest::mouseClick(grid_->viewport(), Qt::LeftButton, {}, centre(id));
  }
  void press(Qt::Key key) { QTest::keyClick(grid_.get(), key); }

 private slots:
  void init() {
    grid_ = std::make_unique<HeatGrid>(style_);
    grid_->setGroups({group("encoder self", 2, 3), group("cross", 1, 5)}, {}, "All heads");
    grid_->resize(420, 640);
    grid_->show();
    QVERIFY(QTest::qWaitForWindowExposed(grid_.get()));
  }
  void cleanup() { grid_.reset(); }

  void mapsAndMeansAreHovered() {
    QSignalSpy hovered(grid_.get(), &CellGrid::hovered);
    const MapId id{0, 1, 2};
    QTest::mouseMove(grid_->viewport(), centre(id));
    QVERIFY(grid_->mapOf(hovered.takeLast().first().toInt()) == id);
    click(id);
    QVERIFY(grid_->lockedMap() == id);
    click({0, -1, -1});
    QVERIFY(grid_->lockedMap() == (MapId{0, -1, -1}));
  }

  void arrowsWalkTheTableAndIntoTheNextGroup() {
    press(Qt::Key_Down);
    QVERIFY(grid_->shownMap() == (MapId{0, -1, -1}));
    press(Qt::Key_Left);
    press(Qt::Key_Up);
    QVERIFY(grid_->shownMap() == (MapId{0, -1, -1}));
    press(Qt::Key_Right);
    press(Qt::Key_Down);
    QVERIFY(grid_->shownMap() == (MapId{0, 0, 0}));
    press(Qt::Key_Return);
    press(Qt::Key_Down);
    QVERIFY(grid_->lockedMap() == (MapId{0, 1, 0}));
    press(Qt::Key_Down);
    QCOMPARE(grid_->lockedMap()->group, 1);
  }

  void meansAreNamedAndComputed() {
    QCOMPARE(grid_->mapText({0, 1, 2}), QString("encoder self, layer 2, head 3"));
    QCOMPARE(grid_->mapText({0, 1, -1}), QString("encoder self, layer 2, mean over heads"));
    QCOMPARE(grid_->mapText({0, -1, 2}), QString("encoder self, head 3, mean over layers"));
    QCOMPARE(grid_->mapText({0, -1, -1}), QString("encoder self, mean of all heads"));
    QVERIFY(qAbs(grid_->map({0, 1, -1})[0] - 0.11F) < 1e-6F);
    QVERIFY(qAbs(grid_->map({0, -1, 2})[5] - 0.07F) < 1e-6F);
  }

  void newValuesAreShown() {
    const auto colorAt = [&] {
      return grid_->grab().toImage().pixelColor(
          grid_->viewport()->pos() + grid_->mapRect({0, 0, 0}).topLeft().toPoint() + QPoint(5, 5));
    };
    const QColor before = colorAt();
    grid_->setValues(0, std::vector<float>(36, 1.0F));
    QCOMPARE(colorAt().rgb(), cividis(1.0).rgb());
    QVERIFY(colorAt() != before);
  }

  void theLockedMapIsFramedInGold() {
    const auto goldLeftOf = [&](const MapId& id) {
      const QRectF map = grid_->mapRect(id);
      return grid_->grab().toImage().pixelColor(
                 QPointF(map.left() - 4, map.center().y()).toPoint()) == style_.palette().mark;
    };
    QVERIFY(!goldLeftOf({0, 1, 1}));
    grid_->showLock(MapId{0, 1, 1});
    QVERIFY(goldLeftOf({0, 1, 1}));
    QVERIFY(!goldLeftOf({0, 0, 1}));
  }

  void manyMapsScrollAndTheLockIsShown() {
    QCOMPARE(grid_->verticalScrollBar()->maximum(), 0);
    grid_->setGroups({group("self", 20, 4)});
    QVERIFY(grid_->verticalScrollBar()->maximum() > 0);
    grid_->showLock(MapId{0, 19, 3});
    QVERIFY(QRectF(grid_->viewport()->rect()).contains(grid_->mapRect({0, 19, 3})));
    QVERIFY(!QRectF(grid_->viewport()->rect()).contains(grid_->mapRect({0, 0, 0})));
    click({0, 19, 2});
    QVERIFY(grid_->lockedMap() == (MapId{0, 19, 2}));
  }

  void theCurrentMapStaysVisible() {
    const auto inSight = [&](const MapId& id) {
      return QRectF(grid_->viewport()->rect()).contains(grid_->mapRect(id));
    };
    grid_->setGroups({group("self", 1, 60), group("cross", 1, 60)});
    QVERIFY(!inSight({1, 0, 59}));
    grid_->setCurrent({1, 0, 59});
    QVERIFY(inSight({1, 0, 59}));
    grid_->resize(300, 300);
    QTRY_VERIFY(inSight({1, 0, 59}));
    press(Qt::Key_Up);  // keys go on from it
    QVERIFY(grid_->shownMap() && grid_->shownMap()->group == 1 && grid_->shownMap()->head > 40);
    // What the pointer is on stays where it is.
    const QRectF before = grid_->mapRect({1, 0, 59});
    QTest::mouseMove(grid_->viewport(), before.center().toPoint());
    QVERIFY(grid_->shownMap() == (MapId{1, 0, 59}));
    grid_->setCurrent({0, 0, 0});
    QCOMPARE(grid_->mapRect({1, 0, 59}), before);
  }

  void mapsShrinkBeforeTheyScroll() {
    grid_->setGroups({group("self", 1, 8), group("cross", 1, 8)});
    const double side = grid_->mapRect({0, 0, 0}).width();
    grid_->resize(420, 300);
    QTRY_COMPARE(grid_->verticalScrollBar()->maximum(), 0);
    QVERIFY(grid_->mapRect({0, 0, 0}).width() < side);
    grid_->resize(420, 130);  // not smaller than can be told apart
    QTRY_VERIFY(grid_->verticalScrollBar()->maximum() > 0);
  }

  void theLockGoesWithItsMap() {
    click({0, 1, 2});
    QSignalSpy unlocked(grid_.get(), &CellGrid::unlocked);
    grid_->setGroups({group("encoder self", 2, 3)});
    QVERIFY(grid_->lockedMap().has_value());
    grid_->setGroups({group("encoder self", 2, 2)});
    QCOMPARE(unlocked.size(), 1);
    QVERIFY(!grid_->shownMap());
  }

  void screenReadersReadTheMap() {
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(grid_.get());
    QVERIFY(table);
    QCOMPARE(table->text(QAccessible::Name), QString("All heads"));
    QCOMPARE(table->childCount(), 12 + 6);
    QCOMPARE(table->child(0)->text(QAccessible::Name), QString("encoder self, mean of all heads"));
    grid_->showLock(MapId{0, 0, 1});
    QCOMPARE(table->text(QAccessible::Value), QString("encoder self, layer 1, head 2"));
  }

  void paperHasCaptionsAndTheTableHasValues() {
    const QByteArray svg = svgOf(*grid_);
    for (const char* text : {">head 3<", ">layer 2<", ">mean<", ">largest 0.12<", ">1.00<"})
      QVERIFY2(svg.contains(text), text);
    QVERIFY(!svg.contains(">masked<"));

    const DataTable table = grid_->figureData();
    QCOMPARE(table.rows.size(), std::size_t((12 + 6) * 6));
    const QStringList mean = table.rows[0];
    QCOMPARE(mean.mid(0, 3), (QStringList{"encoder self", "mean", "mean"}));
    for (const QStringList& row : table.rows) {
      if (row[0] != "encoder self" || row[1] == "mean" || row[2] == "mean") continue;
      const float expected = 0.1F * (row[1].toInt() - 1) + 0.01F * (row[2].toInt() - 1);
      QCOMPARE(row[5].toFloat(), expected);
    }
  }
};

TFM_TEST(TestHeatGrid)
#include "test_heat_grid.moc"
