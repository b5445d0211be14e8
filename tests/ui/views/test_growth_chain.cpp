// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard in the chain of planned expansions.
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>

#include "tests/core/expand/growth_to.h"
#include "tests/ui/ui_test.h"
#include "ui/views/grow/growth_chain.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

/// Accepts simulated drops, which the offscreen platform lacks.
class DroppedOn : public GrowthChain {
 public:
  using GrowthChain::dropEvent;
  using GrowthChain::GrowthChain;
};

}  // namespace

class TestGrowthChain : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<DroppedOn> chain_;

  void showPlan(int selected) {
    chain_->showPlan(
        {growthTo(Kind::FeedForward, 9), growthTo(Kind::Heads, 8), growthTo(Kind::KeySize, 8)}, {},
        -1, selected);
  }
  QPoint centre(int row) const { return chain_->visualItemRect(chain_->item(row)).center(); }
  QWidget* view() const { return chain_->viewport(); }

 private slots:
  void init() {
    chain_ = std::make_unique<DroppedOn>(style_);
    showPlan(0);
    chain_->resize(300, 120);
    chain_->show();
    QVERIFY(QTest::qWaitForWindowExposed(chain_.get()));
  }
  void cleanup() { chain_.reset(); }

  void aRowIsSelectedOnRelease() {
    QSignalSpy selected(chain_.get(), &GrowthChain::selected);
    QTest::mousePress(view(), Qt::LeftButton, {}, centre(2));
    QVERIFY2(selected.isEmpty(), "what stands above the list changes with the selection");
    showPlan(0);  // a preview of another step arrives
    QCOMPARE(chain_->currentRow(), 2);
    QTest::mouseRelease(view(), Qt::LeftButton, {}, centre(2));
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected.first().first().toInt(), 2);
  }

  void aDraggedRowIsMovedAndNotSelected() {
    QSignalSpy selected(chain_.get(), &GrowthChain::selected);
    QSignalSpy moved(chain_.get(), &GrowthChain::moved);
    QTest::mousePress(view(), Qt::LeftButton, {}, centre(1));
    showPlan(0);
    const QMimeData nothing;
    QDropEvent drop(centre(2), Qt::MoveAction, &nothing, Qt::LeftButton, {});
    chain_->dropEvent(&drop);
    QCOMPARE(moved.size(), 1);
    QCOMPARE(moved.first(), (QVariantList{1, 2}));
    QTest::mouseRelease(view(), Qt::LeftButton, {}, centre(2));
    QVERIFY2(selected.isEmpty(), "whoever moves it says what is selected");
  }

  void aDragThatEndsNowhereSelectsNothing() {
    QSignalSpy selected(chain_.get(), &GrowthChain::selected);
    QTest::mousePress(view(), Qt::LeftButton, {}, centre(1));
    QCOMPARE(chain_->currentRow(), 1);
    // The offscreen platform ends a drag as soon as it starts: which move that is depends on Qt.
    for (const QPoint& place : {centre(2), centre(2) + QPoint(1, 0)}) {
      QMouseEvent move(QEvent::MouseMove, place, view()->mapToGlobal(place), Qt::NoButton,
                       Qt::LeftButton, {});
      QApplication::sendEvent(view(), &move);
      if (chain_->currentRow() != 1) break;
    }
    QCOMPARE(chain_->currentRow(), 0);
    QVERIFY(selected.isEmpty());
  }

  void keysSelectAtOnce() {
    QSignalSpy selected(chain_.get(), &GrowthChain::selected);
    QTest::keyClick(chain_.get(), Qt::Key_Down);
    QCOMPARE(selected.takeLast().first().toInt(), 1);
    QTest::mouseClick(view(), Qt::LeftButton, {}, centre(2));
    QCOMPARE(selected.takeLast().first().toInt(), 2);
    QTest::keyClick(chain_.get(), Qt::Key_Up);
    QCOMPARE(selected.takeLast().first().toInt(), 1);
  }
};

TFM_TEST(TestGrowthChain)
#include "test_growth_chain.moc"
