// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>
#include <QThreadPool>
#include <future>

#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/growth_planner.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

/// Takes far longer to compute than a planner waits.
expand::Plan slowPlan() { return {growthTo(Kind::Hidden, 24'000)}; }

}  // namespace

class TestGrowthPlanner : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<GrowthPlanner> planner_;

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    planner_ = std::make_unique<GrowthPlanner>(*document_);
    Need need;
    need.parameters = need.moments = true;
    document_->observing().setNeed(this, need);
    QTRY_VERIFY_WITH_TIMEOUT(planner_->preview() != nullptr, kPatience);
  }
  void cleanup() {
    planner_.reset();
    document_.reset();
  }

  /// A view that shows both on previewChanged() alone shows them once.
  void aPlanIsReportedBeforeItsPreview() {
    QStringList told;
    connect(planner_.get(), &GrowthPlanner::planChanged, this,
            [&] { told << (planner_->isCurrent() ? "plan, previewed" : "plan"); });
    connect(planner_.get(), &GrowthPlanner::previewChanged, this,
            [&] { told << (planner_->isCurrent() ? "preview" : "old preview"); });
    const std::int64_t width =
        document_->moments().model().encoder_layers.front().first<FeedForward>()->width;
    for (int more = 1; more <= 5; ++more) {
      told.clear();
      planner_->setPlan({growthTo(Kind::FeedForward, width + more)});
      // At once if the preview was ready in time, which a busy machine may not manage.
      QVERIFY(told == QStringList({"plan, previewed", "preview"}) || told == QStringList("plan"));
      QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
      QCOMPARE(told.size(), 2);
      QCOMPARE(told.back(), "preview");
      QCOMPARE(planner_->preview()->changes().front().growth.size, width + more);
    }
  }

  /// Looking back past a growth shows the small matrices and keeps the plan.
  void aMomentIsShownAndThePlanStays() {
    QVERIFY(trainTo(*document_, 20));
    const ModelConfig small = document_->moments().model();
    planner_->setPlan({growthTo(Kind::Hidden, 2 * small.hidden)});
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    planner_->apply([](const auto&) {});
    QTRY_VERIFY_WITH_TIMEOUT(document_->moments().model().hidden > small.hidden, kPatience);
    const ModelConfig grown = document_->moments().model();
    QTRY_VERIFY_WITH_TIMEOUT(planner_->preview() && planner_->isCurrent(), kPatience);
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    planner_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);

    document_->moments().showAt(0);
    QVERIFY(!planner_->showsNow());
    QVERIFY(!planner_->isCurrent());
    const auto shows = [&](const ModelConfig& model, std::size_t changes) {
      return planner_->preview() && planner_->preview()->before->config == model &&
             planner_->preview()->changes().size() == changes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(shows(small, 0), kPatience);
    QVERIFY(!planner_->isCurrent());
    QCOMPARE(planner_->plan(), plan);

    document_->moments().showNow();
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    QVERIFY(shows(grown, 1));
    QCOMPARE(planner_->plan(), plan);
  }

  /// A - B: the matrices hold the differences, and are not planned on.
  void aDifferenceOfPinsIsShown() {
    QVERIFY(trainTo(*document_, 20));
    document_->moments().pin(Pin::A);
    document_->moments().pin(Pin::B, 0);
    QTRY_VERIFY_WITH_TIMEOUT(
        document_->moments().pinnedStep(Pin::A) && document_->moments().pinnedStep(Pin::B),
        kPatience);
    document_->moments().compare(Comparison::Difference);
    QTRY_VERIFY_WITH_TIMEOUT(
        document_->observing().snapshot()->is_difference && planner_->preview() &&
            planner_->preview()->before == document_->observing().snapshot()->state,
        kPatience);
    const auto of = [&](Pin pin) { return document_->moments().pinned(pin)->state->parameters[3]; };
    QVERIFY(of(Pin::A) != of(Pin::B));
    QCOMPARE(planner_->preview()->matrices.front().after[3], of(Pin::A) - of(Pin::B));
    planner_->setPlan({growthTo(Kind::Heads, 8)});
    QTest::qWait(100);
    QVERIFY(!planner_->isCurrent());
    QVERIFY(planner_->preview()->changes().empty());
  }

  /// A plan is not based on what was shown last.
  void aPlanMadeOnTheWayBackIsForThePresent() {
    QVERIFY(trainTo(*document_, 20));
    document_->moments().showAt(0);
    QTRY_VERIFY_WITH_TIMEOUT(planner_->preview() && planner_->preview()->before->step == 0,
                             kPatience);
    document_->moments().showNow();
    planner_->setPlan({growthTo(Kind::Heads, 8)});
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    QCOMPARE(planner_->preview()->before->step, 20);
  }

  void ofTwoPlansAtOnceTheNewestCounts() {
    const std::int64_t width =
        document_->moments().model().encoder_layers.front().first<FeedForward>()->width;
    for (int more = 1; more <= 5; ++more)
      planner_->setPlan({growthTo(Kind::FeedForward, width + more)});
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    QCOMPARE(planner_->preview()->changes().front().growth.size, width + 5);
  }

  void cancellingRestoresThePreviousPlan() {
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    planner_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent() && !planner_->isWorking(), kPatience);
    const auto preview = planner_->preview();
    planner_->setPlan(slowPlan());
    QVERIFY(planner_->isWorking() && !planner_->isCurrent());
    planner_->cancel();
    QVERIFY(planner_->plan() == plan && planner_->isCurrent() && !planner_->isWorking());
    QVERIFY(planner_->preview() == preview);
    // The result of cancelled work is not shown.
    QTRY_VERIFY_WITH_TIMEOUT(planner_->preview() != preview, kPatience);
    QVERIFY(planner_->plan() == plan && planner_->isCurrent());
    QCOMPARE(planner_->preview()->changes().front().growth.size, std::int64_t{8});
  }

  void cancellingTheFirstPlanLeavesNone() {
    planner_->setPlan(slowPlan());
    planner_->cancel();
    QVERIFY(planner_->plan().empty() && planner_->isCurrent());
    QVERIFY(planner_->preview()->changes().empty());
  }

  void aCancelledProofLeavesNone() {
    planner_->setPlan({growthTo(Kind::Heads, 8)});
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    planner_->prove();
    QVERIFY(planner_->isProving() && planner_->isWorking());
    planner_->cancel();
    QVERIFY(!planner_->isProving() && !planner_->isWorking());
    QVERIFY(planner_->isCurrent() && !planner_->problem());
    planner_->prove();
    QTRY_VERIFY_WITH_TIMEOUT(!planner_->isProving(), kPatience);
    QVERIFY(planner_->proof() && !planner_->problem());
  }

  void aCancelledGrowthLeavesModelAndPlan() {
    const ModelConfig small = document_->moments().model();
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    planner_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isCurrent(), kPatience);
    // Training is busy with something else until the growth is cancelled.
    std::promise<void> over;
    document_->changes().apply("Nothing", [&](const ModelState& state) {
      over.get_future().wait();
      return state;
    });
    std::optional<Error> problem;
    int ends = 0;
    planner_->apply([&](const std::optional<Error>& met) {
      problem = met;
      ++ends;
    });
    QVERIFY(planner_->isApplying() && planner_->isWorking());
    planner_->apply([&](const auto&) { ends = 100; });  // once is enough
    QTRY_VERIFY_WITH_TIMEOUT(planner_->isSlow(), kPatience);
    planner_->cancel();
    over.set_value();
    QTRY_COMPARE_WITH_TIMEOUT(ends, 1, kPatience);
    QVERIFY(problem && !planner_->isApplying());
    QVERIFY(document_->moments().model() == small);
    QVERIFY(planner_->plan() == plan && planner_->isCurrent() && !planner_->problem());
    QCOMPARE(document_->training().history().events.size(), std::size_t{1});
  }

  /// Its worker thread is free at once, not after minutes.
  void destroyingThePlannerEndsItsWork() {
    planner_->setPlan({growthTo(Kind::Hidden, 48'000)});
    QVERIFY(planner_->isWorking());
    planner_.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
  }

  /// What could not be trained is refused before it is drawn.
  void whatCannotBeTrainedIsRefused() {
    expand::Growth layers = growthTo(Kind::Layers, 1024);
    layers.stacks = expand::Stacks::Decoder;
    planner_->setPlan({layers, growthTo(Kind::Hidden, 65'536)});
    QTRY_VERIFY_WITH_TIMEOUT(planner_->problem(), kPatience);
    QCOMPARE(planner_->problemAt(), 1);
  }
};

TFM_TEST(TestGrowthPlanner)
#include "test_growth_planner.moc"
