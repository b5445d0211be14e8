// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing sizes by dragging the edge of a matrix.
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/grow_bench.h"
#include "ui/growth/growth_map.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

class TestGrowEdges : public QObject, private GrowBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void onlyEdgesThatGrowCanBeDragged() {
    auto* map = view_->findChild<GrowthMap*>();
    view_->showLook(GrowView::Look::One);
    QVERIFY(map->handleRect(Qt::RightEdge).isEmpty());  // nothing is planned
    QVERIFY(map->handleRect(Qt::BottomEdge).isEmpty());
    plan(Kind::FeedForward);  // linear1 has its units in rows
    QTRY_VERIFY_WITH_TIMEOUT(!map->handleRect(Qt::BottomEdge).isEmpty(), kPatience);
    QVERIFY(map->handleRect(Qt::RightEdge).isEmpty());
  }

  void edgesAreDraggedInTheWallToo() {
    GrowthWall& wall = view_->parts().pictures->wall();
    QVERIFY(wall.handleRect(Qt::BottomEdge).isEmpty());
    plan(Kind::FeedForward);  // linear1 is selected
    QTRY_VERIFY_WITH_TIMEOUT(!wall.handleRect(Qt::BottomEdge).isEmpty(), kPatience);
    QVERIFY(wall.handleRect(Qt::RightEdge).isEmpty());
    const std::int64_t size = view_->parts().planner->plan().front().size;
    const QPoint grip = wall.handleRect(Qt::BottomEdge).center().toPoint();
    QTest::mousePress(wall.viewport(), Qt::LeftButton, {}, grip);
    QTest::mouseMove(wall.viewport(), grip + QPoint(0, qRound(2 * wall.pitch())));
    QCOMPARE(view_->parts().planner->plan().front().size, size + 2);
    // The old size is no growth: the edge stops before it.
    QTest::mouseMove(wall.viewport(), grip - QPoint(0, qRound(20 * wall.pitch())));
    QCOMPARE(view_->parts().planner->plan().front().size, size + 2);
    QTest::mouseRelease(wall.viewport(), Qt::LeftButton, {}, grip);
  }

  void newLayersAreNotCountedInColumns() {
    plan(Kind::Layers);
    const std::int64_t size = view_->parts().planner->plan().front().size;
    emit view_->findChild<GrowthMap*>()->sizeDragged(Qt::Horizontal, 20);
    QCOMPARE(view_->parts().planner->plan().front().size, size);
  }

  void draggingAnEdgeChangesTheSize() {
    plan(Kind::FeedForward);
    view_->showLook(GrowView::Look::One);
    auto* map = view_->findChild<GrowthMap*>();
    QVERIFY(map != nullptr);
    const std::int64_t size = view_->parts().planner->plan().front().size;
    emit map->sizeDragged(Qt::Vertical, int(size) + 3);
    QCOMPARE(view_->parts().planner->plan().front().size, size + 3);
  }

  /// A mask of an earlier growth that training has opened does not block an edge.
  void edgesAreDraggedAfterAMaskHasOpened() {
    document_->changes().apply("masked", [](const ModelState& before) {
      expand::Growth masked = growthTo(Kind::Hidden, 9);
      masked.hidden_method = expand::HiddenMethod::Mask;
      masked.mask_steps = 1;
      ModelState state = expand::grow(before, {masked}).state;
      state.step = 5;
      return state;
    });
    const auto& preview = view_->parts().planner->preview();  // none until the new model has one
    QTRY_VERIFY_WITH_TIMEOUT(preview && preview->before->config.hidden == 9, kPatience);
    view_->parts().planner->setPlan({growthTo(Kind::Hidden, 18)});
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    emit view_->findChild<GrowthMap*>()->sizeDragged(Qt::Horizontal, 36);
    QCOMPARE(view_->parts().planner->plan().front().size, std::int64_t{36});
  }
};

TFM_TEST(TestGrowEdges)
#include "test_grow_edges.moc"
