// SPDX-License-Identifier: GPL-3.0-or-later
// The notebook's wiring against the published one, run from its dialog on a small classifier.
#include <QProgressBar>
#include <QSpinBox>

#include "tests/test_program.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/studies.h"
#include "ui/study/study_controls.h"
#include "ui/views/elastic/wiring_dialog.h"
#include "ui/views/elastic/wiring_words.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

train::WiringPoint pointOf(std::uint64_t seed, const char* wiring, double shuffled,
                           double changed) {
  train::WiringPoint point{seed, wiring, "XL", 32};
  point.shuffled = shuffled;
  point.changed = changed;
  return point;
}

}  // namespace

class TestWiringDialog : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<WiringDialog> dialog_;

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    train::TrainConfig train;
    train.batch_size = 8;
    train.seed = 5;
    document_->start(presetNamed("classifier").config(), data::defaultTaskConfig("parentheses"),
                     train);
    dialog_ = std::make_unique<WiringDialog>(style_, *document_);
    dialog_->show();
  }
  void cleanup() { dialog_.reset(); }

  void bothAreTrainedAndShown() {
    dialog_->steps().setValue(3);
    dialog_->seeds().setValue(2);
    QCOMPARE(dialog_->config().seeds, (std::vector<std::uint64_t>{5, 6}));
    dialog_->run().button()->click();
    QVERIFY(!dialog_->steps().isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog_->study().isRunning(), kPatience);
    QVERIFY(!dialog_->study().problem());
    QCOMPARE(dialog_->study().result()->points.size(), std::size_t(16));
    QCOMPARE(dialog_->table().rowCount(), 8);
    QCOMPARE(dialog_->table().item(0, 0)->text(), "notebook");
    QCOMPARE(dialog_->table().item(7, 0)->text(), "published");
    QCOMPARE(dialog_->table().item(7, 7)->text(), "0.0 ± 0.0 %");
    QVERIFY(dialog_->steps().isEnabled());
  }

  void aTaskWithMoreClassesIsRefused() {
    startRot13(*document_);
    dialog_ = std::make_unique<WiringDialog>(style_, *document_);
    dialog_->show();
    dialog_->run().button()->click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog_->study().problem().has_value(), kPatience);
    QVERIFY(QString(dialog_->study().problem()->what()).contains("not an encoder"));
    QVERIFY(dialog_->run().button()->isEnabled());
  }

  void theOutcomeIsInWords() {
    train::WiringStudyResult result;
    result.points = {pointOf(1, train::kNotebook, 0.7, 0.2)};
    QVERIFY(outcomeText(result).isEmpty());
    result.points.push_back(pointOf(1, train::kPublished, 0.9, 0.0));
    result.points.push_back(pointOf(2, train::kNotebook, 0.8, 0.3));
    QVERIFY(outcomeText(result).contains("notebook's XL answers 75.0 % correctly"));
    QVERIFY(outcomeText(result).contains("25.0 % of its answers change"));
    QVERIFY(outcomeText(result).contains("published XL answers 90.0 % correctly; 0.0 % change"));
  }
};

TFM_TEST(TestWiringDialog)
#include "test_wiring_dialog.moc"
