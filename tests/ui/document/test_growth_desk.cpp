// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>

#include "tests/core/expand/growth_to.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/growth_desk.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;
using tfm::test::growthTo;

namespace {

constexpr int kPatience = 20000;  // milliseconds

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
};

QTEST_MAIN(TestGrowthDesk)
#include "test_growth_desk.moc"
