// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>
#include <QThreadPool>
#include <future>

#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/growth_desk.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

constexpr int kPatience = 20000;  // milliseconds

/// Takes far longer to work out than a desk waits for.
expand::Plan slowPlan() { return {growthTo(Kind::Hidden, 24'000)}; }

}  // namespace

class TestGrowthDesk : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<GrowthDesk> desk_;

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    desk_ = std::make_unique<GrowthDesk>(*document_);
    Wants wants;
    wants.parameters = true;
    document_->setWants(this, wants);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->preview() != nullptr, kPatience);
  }
  void cleanup() {
    desk_.reset();
    document_.reset();
  }

  /// Who shows both on the preview alone shows them once.
  void aPlanIsToldBeforeItsPreview() {
    QStringList told;
    connect(desk_.get(), &GrowthDesk::planChanged, this,
            [&] { told << (desk_->isCurrent() ? "plan, previewed" : "plan"); });
    connect(desk_.get(), &GrowthDesk::previewChanged, this,
            [&] { told << (desk_->isCurrent() ? "preview" : "old preview"); });
    const std::int64_t width = document_->model().encoder_layers.front().feed_forward;
    for (int more = 1; more <= 5; ++more) {
      told.clear();
      desk_->setPlan({growthTo(Kind::FeedForward, width + more)});
      // In the same turn where the preview was there in time, which a busy machine may not manage.
      QVERIFY(told == QStringList({"plan, previewed", "preview"}) || told == QStringList("plan"));
      QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
      QCOMPARE(told.size(), 2);
      QCOMPARE(told.back(), "preview");
      QCOMPARE(desk_->preview()->changes().front().growth.size, width + more);
    }
  }

  /// Looking back over a growth shows the small matrices and costs no plan.
  void aMomentIsShownAndThePlanStays() {
    QVERIFY(trainTo(*document_, 20));
    const ModelConfig small = document_->model();
    desk_->setPlan({growthTo(Kind::Hidden, 2 * small.hidden)});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    desk_->apply([](const auto&) {});
    QTRY_VERIFY_WITH_TIMEOUT(document_->model().hidden > small.hidden, kPatience);
    const ModelConfig grown = document_->model();
    QTRY_VERIFY_WITH_TIMEOUT(desk_->preview() && desk_->isCurrent(), kPatience);
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    desk_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);

    document_->showMomentAt(0);
    QVERIFY(!desk_->showsNow());
    QVERIFY(!desk_->isCurrent());
    const auto shows = [&](const ModelConfig& model, std::size_t changes) {
      return desk_->preview() && desk_->preview()->before->config == model &&
             desk_->preview()->changes().size() == changes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(shows(small, 0), kPatience);
    QVERIFY(!desk_->isCurrent());
    QCOMPARE(desk_->plan(), plan);

    document_->showNow();
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    QVERIFY(shows(grown, 1));
    QCOMPARE(desk_->plan(), plan);
  }

  /// A - B: the matrices hold the differences, and no plan is made of them.
  void aDifferenceOfPinsIsShown() {
    QVERIFY(trainTo(*document_, 20));
    document_->pin(Pin::A);
    document_->pin(Pin::B, 0);
    QTRY_VERIFY_WITH_TIMEOUT(document_->pinnedStep(Pin::A) && document_->pinnedStep(Pin::B),
                             kPatience);
    document_->setComparison(Comparison::Difference);
    QTRY_VERIFY_WITH_TIMEOUT(document_->snapshot()->is_difference && desk_->preview() &&
                                 desk_->preview()->before == document_->snapshot()->state,
                             kPatience);
    const auto of = [&](Pin pin) { return document_->pinnedSnapshot(pin)->state->parameters[3]; };
    QVERIFY(of(Pin::A) != of(Pin::B));
    QCOMPARE(desk_->preview()->matrices.front().after[3], of(Pin::A) - of(Pin::B));
    desk_->setPlan({growthTo(Kind::Heads, 8)});
    QTest::qWait(100);
    QVERIFY(!desk_->isCurrent());
    QVERIFY(desk_->preview()->changes().empty());
  }

  /// What was shown last is no ground to plan on.
  void aPlanMadeOnTheWayBackIsForThePresent() {
    QVERIFY(trainTo(*document_, 20));
    document_->showMomentAt(0);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->preview() && desk_->preview()->before->step == 0, kPatience);
    document_->showNow();
    desk_->setPlan({growthTo(Kind::Heads, 8)});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    QCOMPARE(desk_->preview()->before->step, 20);
  }

  void whatIsPlannedTwiceAtOnceEndsWithTheNewest() {
    const std::int64_t width = document_->model().encoder_layers.front().feed_forward;
    for (int more = 1; more <= 5; ++more)
      desk_->setPlan({growthTo(Kind::FeedForward, width + more)});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    QCOMPARE(desk_->preview()->changes().front().growth.size, width + 5);
  }

  void aPlanThatIsCancelledIsTheOneBefore() {
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    desk_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent() && !desk_->isWorking(), kPatience);
    const auto preview = desk_->preview();
    desk_->setPlan(slowPlan());
    QVERIFY(desk_->isWorking() && !desk_->isCurrent());
    desk_->cancel();
    QVERIFY(desk_->plan() == plan && desk_->isCurrent() && !desk_->isWorking());
    QVERIFY(desk_->preview() == preview);
    // What comes of the work that was ended is not shown.
    QTRY_VERIFY_WITH_TIMEOUT(desk_->preview() != preview, kPatience);
    QVERIFY(desk_->plan() == plan && desk_->isCurrent());
    QCOMPARE(desk_->preview()->changes().front().growth.size, std::int64_t{8});
  }

  void theFirstPlanThatIsCancelledLeavesNone() {
    desk_->setPlan(slowPlan());
    desk_->cancel();
    QVERIFY(desk_->plan().empty() && desk_->isCurrent());
    QVERIFY(desk_->preview()->changes().empty());
  }

  void aProofThatIsCancelledIsNone() {
    desk_->setPlan({growthTo(Kind::Heads, 8)});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    desk_->prove();
    QVERIFY(desk_->isProving() && desk_->isWorking());
    desk_->cancel();
    QVERIFY(!desk_->isProving() && !desk_->isWorking());
    QVERIFY(desk_->isCurrent() && !desk_->problem());
    desk_->prove();
    QTRY_VERIFY_WITH_TIMEOUT(!desk_->isProving(), kPatience);
    QVERIFY(desk_->proof() && !desk_->problem());
  }

  void aGrowthThatIsCancelledLeavesTheModelAndThePlan() {
    const ModelConfig small = document_->model();
    const expand::Plan plan{growthTo(Kind::Heads, 8)};
    desk_->setPlan(plan);
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    // Training is busy with something else until the growth is cancelled.
    std::promise<void> over;
    document_->changeModel("Nothing", [&](const ModelState& state) {
      over.get_future().wait();
      return state;
    });
    std::optional<Error> problem;
    int ends = 0;
    desk_->apply([&](const std::optional<Error>& met) {
      problem = met;
      ++ends;
    });
    QVERIFY(desk_->isApplying() && desk_->isWorking());
    desk_->apply([&](const auto&) { ends = 100; });  // once is enough
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isSlow(), kPatience);
    desk_->cancel();
    over.set_value();
    QTRY_COMPARE_WITH_TIMEOUT(ends, 1, kPatience);
    QVERIFY(problem && !desk_->isApplying());
    QVERIFY(document_->model() == small);
    QVERIFY(desk_->plan() == plan && desk_->isCurrent() && !desk_->problem());
    QCOMPARE(document_->history().events.size(), std::size_t{1});
  }

  /// The thread that works for it is free at once, not after minutes.
  void whoLeavesTakesTheWorkAlong() {
    desk_->setPlan({growthTo(Kind::Hidden, 48'000)});
    QVERIFY(desk_->isWorking());
    desk_.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
  }

  /// What training could not hold is refused before it is drawn.
  void whatCannotBeTrainedIsRefused() {
    expand::Growth layers = growthTo(Kind::Layers, 1024);
    layers.stacks = expand::Stacks::Decoder;
    desk_->setPlan({layers, growthTo(Kind::Hidden, 65'536)});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->problem(), kPatience);
    QCOMPARE(desk_->problemAt(), 1);
  }
};

TFM_TEST(TestGrowthDesk)
#include "test_growth_desk.moc"
