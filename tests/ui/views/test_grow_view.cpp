// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/grow_bench.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_wall.h"
#include "ui/growth/motion.h"
#include "ui/plots/logit_overlay.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_chain.h"
#include "ui/views/grow/growth_export.h"
#include "ui/views/grow/growth_form.h"
#include "ui/views/grow/growth_kinds.h"
#include "ui/views/grow/growth_words.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;

class TestGrowView : public QObject, private GrowBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void withoutAPlanAllMatricesAreShown() {
    QCOMPARE(view_->parts().pictures->wall().shown().size(),
             document_->moments().layout().parameters.size());
    QVERIFY(!view_->parts().proof->applyButton()->isEnabled());
  }

  void everyCardPlansAnExactExpansion_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < 6; ++kind)
      QTest::newRow(qPrintable(GrowthWords::name(Kind(kind)))) << kind;
  }
  void everyCardPlansAnExactExpansion() {
    QFETCH(int, kind);
    auto* cards = qobject_cast<GrowthCards*>(view_->left());
    cards->card(Kind(kind))->click();
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    QVERIFY(view_->parts().planner->preview()->changes().front().exact);
    QVERIFY(!view_->parts().pictures->wall().shown().empty());
    prove();
    QVERIFY(view_->parts().planner->proof()->verdict.exact);
    QVERIFY(proofSays("Nothing changed"));
    QVERIFY(proofSays("16 of 16"));
    QVERIFY(proofSays(
        QString("the same at %1 of %1 positions").arg(view_->parts().planner->proof()->positions)));
    const double mean = view_->parts().planner->proof()->verdict.mean_difference;
    QVERIFY(proofSays(QString("Mean %1").arg(mean, 0, 'g', 2)));
  }

  void applyingGrowsTheModelAndUndoShrinksIt() {
    const std::int64_t before = document_->moments().layout().total;
    plan(Kind::FeedForward);
    view_->parts().proof->applyButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(document_->moments().layout().total > before, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->plan().empty(), kPatience);
    QCOMPARE(document_->training().history().events.size(), std::size_t{1});
    QTRY_VERIFY_WITH_TIMEOUT(document_->changes().canUndo(), kPatience);
    document_->changes().undo();
    QTRY_COMPARE_WITH_TIMEOUT(document_->moments().layout().total, before, kPatience);
  }

  void aBrokenRuleIsVisible() {
    plan(Kind::KeySize);
    emit view_->parts().proof->breakRequested(expand::Break::NoKeyRescale);
    QTRY_VERIFY_WITH_TIMEOUT(
        isPlanned() && !view_->parts().planner->preview()->changes().front().exact, kPatience);
    prove();
    QVERIFY(!view_->parts().planner->proof()->verdict.exact);
    QVERIFY(proofSays("The outputs change"));
    // The control: with all rules kept, the same expansion changes nothing.
    emit view_->parts().proof->breakRequested(expand::Break::None);
    QTRY_VERIFY_WITH_TIMEOUT(
        isPlanned() && view_->parts().planner->preview()->changes().front().exact, kPatience);
    QVERIFY2(view_->parts().planner->proof() == nullptr, "a proof of another plan is gone");
    prove();
    QVERIFY(view_->parts().planner->proof()->verdict.exact);
  }

  void aChainCanBeReordered() {
    plan(Kind::FeedForward);
    plan(Kind::Heads);
    auto* chain = view_->inspector()->findChild<GrowthChain*>();
    QCOMPARE(chain->count(), 2);
    emit chain->moved(0, 1);
    QCOMPARE(view_->parts().planner->plan().front().kind, Kind::Heads);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    prove();
    QVERIFY(view_->parts().planner->proof()->verdict.exact);
    emit chain->removed(1);
    QCOMPARE(view_->parts().planner->plan().size(), std::size_t{1});
  }

  void anImpossiblePlanSaysWhy() {
    expand::Growth growth;
    growth.kind = Kind::Hidden;
    growth.size =
        document_->moments().model().hidden + 2;  // post-norm LayerNorm wants whole copies
    view_->parts().planner->setPlan({growth});
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->problem().has_value(), kPatience);
    QVERIFY(!view_->parts().proof->applyButton()->isEnabled());
    QVERIFY(proofSays("LayerNorm"));
  }

  void withoutTheCardsThereIsAMenu() {
    QWidget* cards = view_->left();
    QToolButton* menu = nullptr;
    for (QToolButton* button : view_->findChildren<QToolButton*>())
      if (button->text() == "What grows") menu = button;
    QVERIFY(menu != nullptr);
    cards->show();
    QVERIFY(!menu->isVisible());
    cards->hide();  // as on a projector
    QVERIFY(menu->isVisible());
    QCOMPARE(menu->menu()->actions().size(), qsizetype{6});
    menu->menu()->actions()[int(Kind::Heads)]->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    QCOMPARE(view_->parts().planner->plan().front().kind, Kind::Heads);
  }

  void applyingIsSaidUntilItIsUndone() {
    const std::int64_t before = document_->moments().layout().total;
    plan(Kind::Heads);
    QVERIFY(!proofSays("Grown"));
    view_->parts().proof->applyButton()->setFocus();
    view_->parts().proof->applyButton()->click();
    QVERIFY2(view_->focusWidget() == &view_->parts().pictures->wall(),
             "Space plays, it presses no other button");
    QTRY_VERIFY_WITH_TIMEOUT(proofSays("Grown: Heads"), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(document_->moments().layout().total > before, kPatience);
    document_->changes().undo();
    QTRY_VERIFY_WITH_TIMEOUT(!proofSays("Grown"), kPatience);
  }

  void theSelectedGrowthsMatricesAreShown() {
    plan(Kind::FeedForward);
    plan(Kind::Heads);
    QTRY_VERIFY_WITH_TIMEOUT(selectedName().contains("attention"), kPatience);
    view_->parts().editor->choose(Kind::FeedForward);  // planned already: it is selected
    QVERIFY(selectedName().contains("linear1"));
  }

  void anotherMatrixCanBeShown() {
    plan(Kind::FeedForward);
    auto* which = view_->findChild<QComboBox*>();
    QVERIFY(!which->isVisible());
    view_->showLook(GrowView::Look::One);
    QVERIFY(which->isVisible());
    QCOMPARE(which->count(), int(view_->parts().pictures->wall().shown().size()));
    which->setCurrentIndex(2);
    emit which->activated(2);
    QCOMPARE(view_->parts().pictures->wall().selection(),
             view_->parts().pictures->wall().shown()[2]);
    QCOMPARE(view_->findChild<GrowthMap*>()->matrix().name(), selectedName());
  }

  void whatIsShownIsAValue() {
    plan(Kind::FeedForward);
    view_->showLook(GrowView::Look::One);
    view_->parts().pictures->choose("encoder.layers.0.feed_forward.linear2.weight");
    const GrowShown kept = view_->state();
    QCOMPARE(kept.matrix, std::string("encoder.layers.0.feed_forward.linear2.weight"));
    QCOMPARE(kept.growth, 0);
    view_->setState({});
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->isCurrent(), kPatience);
    QVERIFY(view_->parts().planner->plan().empty());
    QVERIFY(view_->state() != kept);
    view_->setState(kept);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
    QTRY_COMPARE(view_->state(), kept);
    QCOMPARE(view_->findChild<GrowthMap*>()->matrix().name(), selectedName());
  }

  void aNewLayersPlaceIsChosenInWords() {
    plan(Kind::Layers);
    auto* form = view_->inspector()->findChild<GrowthForm*>();
    QComboBox* places = nullptr;
    for (QComboBox* box : form->findChildren<QComboBox*>())
      if (box->findText("before the first layer") >= 0) places = box;
    QVERIFY(places != nullptr);
    QCOMPARE(places->currentText(), QString("after the last layer"));
    places->setCurrentIndex(places->findText("before the first layer"));
    emit places->activated(places->currentIndex());
    QCOMPARE(view_->parts().planner->plan().front().position, std::int64_t{0});
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
  }

  void aPlanIsKeptInAFile() {
    QTemporaryDir folder;
    const QString path = folder.filePath("plan.json");
    plan(Kind::FeedForward);
    plan(Kind::Heads);
    const expand::Plan kept = view_->parts().planner->plan();
    QSignalSpy saved(view_.get(), &GrowView::saved);
    view_->parts().files->savePlan(path);
    QCOMPARE(saved.size(), 1);
    QCOMPARE(saved.front().at(1).toString(), path);
    view_->parts().planner->setPlan({});
    view_->parts().files->openPlan(path);
    QVERIFY(view_->parts().planner->plan() == kept);
    // An invalid plan is refused, and the current one stays.
    QSignalSpy failed(view_.get(), &GrowView::failed);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"kind\": \"wings\"}");
    file.close();
    view_->parts().files->openPlan(path);
    QCOMPARE(failed.size(), 1);
    QVERIFY(view_->parts().planner->plan() == kept);
  }

  void aDragInTheChainSurvivesPreviews() {
    plan(Kind::FeedForward);
    auto* chain = view_->inspector()->findChild<GrowthChain*>();
    chain->item(0)->setData(Qt::UserRole, 7);  // a new item would not have it
    emit view_->parts().planner->previewChanged();
    QCOMPARE(chain->item(0)->data(Qt::UserRole).toInt(), 7);
  }

  /// A plan starts from the sizes of the present, even while the past is shown.
  void atAPastMomentTheChainKeepsItsSizes() {
    QVERIFY(trainTo(*document_, 20));
    plan(Kind::FeedForward);
    auto* chain = view_->inspector()->findChild<GrowthChain*>();
    const QString planned = chain->item(0)->text();
    QVERIFY(planned.contains(QString::number(
        document_->training().model().encoder_layers.front().first<FeedForward>()->width)));
    document_->moments().showAt(0);
    QTRY_COMPARE_WITH_TIMEOUT(view_->parts().planner->preview()->before->step, 0, kPatience);
    QCOMPARE(chain->item(0)->text(), planned);
  }

  void whatIsScheduledIsListedUntilItHappens() {
    const std::int64_t width =
        document_->moments().model().encoder_layers.front().first<FeedForward>()->width;
    train::TrainConfig training = document_->training().config();
    expand::Growth growth;
    growth.kind = Kind::FeedForward;
    growth.size = width + 2;
    training.growths = {{10, growth}, {30, growth}};
    training.growths.back().growth.size = width + 4;
    document_->training().setConfig(training);
    const auto lists = [this](const QString& text) {
      for (const QLabel* label : view_->inspector()->findChildren<QLabel*>())
        if (label->text().contains(text)) return true;
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(lists("after step 10:"), kPatience);
    QVERIFY(lists("after step 30:"));
    // Each begins where the one before has ended.
    QVERIFY(lists(QString("%1 → %2").arg(width + 2).arg(width + 4)));
    QVERIFY(trainTo(*document_, 20));
    QTRY_VERIFY_WITH_TIMEOUT(!lists("after step 10:"), kPatience);
    QVERIFY(lists("after step 30:"));
    for (auto* button : view_->inspector()->findChildren<QPushButton*>())
      if (button->accessibleName().contains("after step 30:")) button->click();
    QTRY_VERIFY_WITH_TIMEOUT(!lists("after step 30:"), kPatience);
    QCOMPARE(document_->training().config().growths.size(), std::size_t{1});
  }

  void tabGoesThroughTheFormFromTopToBottom() {
    SideZone& zone = *qobject_cast<SideZone*>(view_->inspector());
    zone.resize(300, 900);
    zone.show();
    plan(Kind::KeySize);
    std::vector<int> heights;
    auto* form = zone.findChild<GrowthForm*>();
    QTRY_VERIFY(form->findChildren<QPushButton*>().last()->isVisible());
    const QWidget* first = form->findChild<QLineEdit*>();
    for (const QWidget* at = first->nextInFocusChain(); at != first; at = at->nextInFocusChain())
      if (form->isAncestorOf(at) && at->isVisible() && (at->focusPolicy() & Qt::TabFocus) != 0)
        heights.push_back(at->mapTo(form, QPoint()).y());
      else if (at == zone.findChild<GrowthChain*>())
        break;
    QVERIFY(heights.size() >= 7);  // a button for each head
    QVERIFY(std::ranges::is_sorted(heights));
  }

  void aFilmIsOfTheKindThatWasChosen() {
    QCOMPARE(filmPath("a/growth.mp4", "mp4"), QString("a/growth.mp4"));
    QCOMPARE(filmPath("a/growth.mp4", "gif"), QString("a/growth.gif"));
    QCOMPARE(filmPath("a/growth.mp4", ""), QString("a/growth"));
    QCOMPARE(filmPath("a/growth", "mp4"), QString("a/growth.mp4"));
    QCOMPARE(filmPath("a/growth", ""), QString("a/growth"));
    QCOMPARE(filmPath("a/growth.gif", "mp4"), QString("a/growth.gif"));
    QCOMPARE(filmPath("v1.2/width 5", "gif"), QString("v1.2/width 5.gif"));
  }

  /// Every look has its own film that shows the growth.
  void aFilmHasTheCurrentLook() {
    plan(Kind::Heads);
    constexpr QSize kFrame(640, 360);
    const auto paint = [&](const FramePainter& film, double t) {
      QImage image(kFrame, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      film(painter, kFrame, t);
      return image;
    };
    std::vector<QImage> ends;
    for (const GrowView::Look look :
         {GrowView::Look::All, GrowView::Look::One, GrowView::Look::Space}) {
      view_->showLook(look);
      if (look == GrowView::Look::Space && !view_->parts().pictures->space().available())
        QSKIP("There is no OpenGL here");
      const FramePainter film = view_->parts().files->film(kFrame);
      const QImage begin = paint(film, 0.0), end = paint(film, 1.0);
      QVERIFY(begin != end);
      for (const QImage& other : ends) QVERIFY(other != end);
      ends.push_back(end);
    }
    QCOMPARE(view_->parts().pictures->space().growthProgress(), 1.0);  // the screen did not change
    // From the current camera.
    Camera camera = view_->parts().pictures->space().camera();
    camera.azimuth += 30;
    view_->parts().pictures->space().setCamera(camera);
    QVERIFY(paint(view_->parts().files->film(kFrame), 1.0) != ends.back());
  }

  /// What does not fit is folded; the proof stays beside the matrices.
  void aLowInspectorKeepsTheProof() {
    SideZone& zone = *view_->parts().inspector;
    ProofSection& proof = view_->parts().inspector->proof();
    zone.resize(260, 900);
    zone.show();
    plan(Kind::KeySize);
    prove();
    QTRY_VERIFY(proof.isVisible() && !proof.isFolded());
    const auto open = [&] {
      return std::ranges::count_if(zone.findChildren<Section*>(), [](const Section* one) {
        return one->isVisible() && !one->isFolded();
      });
    };
    const auto many = open();
    zone.resize(260, 480);
    QTRY_VERIFY(open() < many);
    QVERIFY(!proof.isFolded() && proof.logits().isVisible());
    auto* scroll = zone.findChild<QScrollArea*>();
    QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
    // What one opens stays open, even if it has to be scrolled.
    Section* form = zone.findChild<Section*>();
    QVERIFY(form->isFolded());
    form->findChild<QToolButton*>("fold")->click();
    QCoreApplication::processEvents();
    QVERIFY(!form->isFolded() && !proof.isFolded());
    zone.resize(260, 900);
    QTRY_COMPARE(open(), many);
  }

  void growthIsSeenInSpace() {
    plan(Kind::Heads);
    view_->showLook(GrowView::Look::Space);
    QVERIFY(view_->parts().pictures->space().showsGrowth());
    QCOMPARE(view_->parts().pictures->space().growthProgress(), 1.0);
    // Another preview looks the same as the first.
    plan(Kind::FeedForward);
    QVERIFY(view_->parts().pictures->space().showsGrowth());
    QCOMPARE(view_->parts().pictures->space().growthProgress(), 1.0);
  }
};

TFM_TEST(TestGrowView)
#include "test_grow_view.moc"
