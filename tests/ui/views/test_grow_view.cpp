// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <memory>

#include "tests/ui/views/test_document.h"
#include "ui/growth/growth_animation.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/grow/suggestion.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;

namespace {

constexpr int kPatience = 20000;

}  // namespace

class TestGrowView : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<GrowView> view_;

  bool isPlanned() const {
    const auto& preview = view_->desk().preview();
    return preview && !view_->desk().plan().empty() &&
           preview->grown.changes.size() == view_->desk().plan().size();
  }
  void plan(Kind kind) {
    view_->choose(kind);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
  }
  void prove() {
    view_->proof().proveButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(view_->desk().proof() != nullptr, kPatience);
  }
  bool proofSays(const QString& text) const {
    for (const QLabel* label : view_->proof().findChildren<QLabel*>())
      if (label->text().contains(text)) return true;
    return false;
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    style_->setMotion(false);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    view_ = std::make_unique<GrowView>(*style_, *document_);
    view_->resize(1000, 800);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(view_->desk().preview() != nullptr, kPatience);
  }
  void cleanup() {
    view_.reset();
    document_.reset();
    style_.reset();
  }

  void withoutAPlanAllMatricesAreShown() {
    QCOMPARE(view_->wall().shown().size(), document_->layout().parameters.size());
    QVERIFY(!view_->proof().applyButton()->isEnabled());
  }

  void everyCardPlansAnExactExpansion_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < 6; ++kind)
      QTest::newRow(qPrintable(GrowthWords::name(Kind(kind)))) << kind;
  }
  void everyCardPlansAnExactExpansion() {
    QFETCH(int, kind);
    auto* cards = qobject_cast<GrowthCards*>(view_->cards());
    cards->card(Kind(kind))->click();
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    QVERIFY(view_->desk().preview()->grown.changes.front().exact);
    QVERIFY(!view_->wall().shown().empty());
    prove();
    QVERIFY(view_->desk().proof()->verdict.exact);
    QVERIFY(proofSays("Nothing changed"));
  }

  void applyingGrowsTheModelAndUndoShrinksIt() {
    const std::int64_t before = document_->layout().total;
    plan(Kind::FeedForward);
    view_->proof().applyButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(document_->layout().total > before, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(view_->desk().plan().empty(), kPatience);
    QCOMPARE(document_->history().events.size(), std::size_t{1});
    QVERIFY(document_->canUndo());
    document_->undo();
    QTRY_COMPARE_WITH_TIMEOUT(document_->layout().total, before, kPatience);
  }

  void aBrokenRuleIsSeen() {
    plan(Kind::KeySize);
    emit view_->proof().breakWanted(expand::Break::NoKeyRescale);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned() && !view_->desk().preview()->grown.changes.front().exact,
                             kPatience);
    prove();
    QVERIFY(!view_->desk().proof()->verdict.exact);
    QVERIFY(proofSays("The answers change"));
    // The control: with every rule kept, the same expansion changes nothing.
    emit view_->proof().breakWanted(expand::Break::None);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned() && view_->desk().preview()->grown.changes.front().exact,
                             kPatience);
    QVERIFY2(view_->desk().proof() == nullptr, "a proof of another plan is gone");
    prove();
    QVERIFY(view_->desk().proof()->verdict.exact);
  }

  void aChainCanBeReordered() {
    plan(Kind::FeedForward);
    plan(Kind::Heads);
    auto* chain = view_->inspector()->findChild<GrowthChain*>();
    QCOMPARE(chain->count(), 2);
    emit chain->moved(0, 1);
    QCOMPARE(view_->desk().plan().front().kind, Kind::Heads);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    prove();
    QVERIFY(view_->desk().proof()->verdict.exact);
    emit chain->removed(1);
    QCOMPARE(view_->desk().plan().size(), std::size_t{1});
  }

  void whatCannotBeDoneSaysWhy() {
    expand::Growth growth;
    growth.kind = Kind::Hidden;
    growth.size = document_->model().hidden + 2;  // post-norm LayerNorm wants whole copies
    view_->desk().setPlan({growth});
    QTRY_VERIFY_WITH_TIMEOUT(view_->desk().problem().has_value(), kPatience);
    QVERIFY(!view_->proof().applyButton()->isEnabled());
    QVERIFY(proofSays("LayerNorm"));
  }

  void draggingAnEdgeChangesTheSize() {
    plan(Kind::FeedForward);
    view_->showLook(GrowView::Look::One);
    auto* map = view_->findChild<GrowthMap*>();
    QVERIFY(map != nullptr);
    const std::int64_t size = view_->desk().plan().front().size;
    emit map->sizeDragged(Qt::Vertical, int(size) + 3);
    QCOMPARE(view_->desk().plan().front().size, size + 3);
  }

  void growthIsSeenInSpace() {
    plan(Kind::Heads);
    view_->showLook(GrowView::Look::Space);
    QVERIFY(view_->space().showsGrowth());
  }
};

QTEST_MAIN(TestGrowView)
#include "test_grow_view.moc"
