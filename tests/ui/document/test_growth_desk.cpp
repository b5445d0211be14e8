// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStringList>

#include "tests/ui/views/test_document.h"
#include "ui/document/growth_desk.h"

using namespace tfm;
using namespace tfm::ui;
using expand::Kind;

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
      desk_->setPlan({{.kind = Kind::FeedForward, .size = width + more}});
      // In the same turn where the preview was there in time, which a busy machine may not manage.
      QVERIFY(told == QStringList({"plan, previewed", "preview"}) || told == QStringList("plan"));
      QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
      QCOMPARE(told.size(), 2);
      QCOMPARE(told.back(), "preview");
      QCOMPARE(desk_->preview()->grown.changes.front().growth.size, width + more);
    }
  }

  void whatIsPlannedTwiceAtOnceEndsWithTheNewest() {
    const std::int64_t width = document_->model().encoder_layers.front().feed_forward;
    for (int more = 1; more <= 5; ++more)
      desk_->setPlan({{.kind = Kind::FeedForward, .size = width + more}});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->isCurrent(), kPatience);
    QCOMPARE(desk_->preview()->grown.changes.front().growth.size, width + 5);
  }
};

QTEST_MAIN(TestGrowthDesk)
#include "test_growth_desk.moc"
