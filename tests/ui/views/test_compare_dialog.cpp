// SPDX-License-Identifier: GPL-3.0-or-later
// Any models compared from the dialog, on the rot13 preset.
#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"
#include "ui/study/compare_dialog.h"
#include "ui/study/study_controls.h"
#include "ui/study/study_plots.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

class TestCompareDialog : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    dialog_ = std::make_unique<CompareDialog>(style_, *document_);
    dialog_->show();
  }
  void cleanup() { dialog_.reset(); }

  void twoModelsAreNeeded() {
    QCOMPARE(names(), QStringList{"this model"});
    QVERIFY(!dialog_->run().button()->isEnabled());
    QVERIFY(says("Add a second model"));
    dialog_->addPreset("small-sequence");
    QCOMPARE(names(), (QStringList{"this model", "small-sequence"}));
    QVERIFY(dialog_->run().button()->isEnabled());
    dialog_->removeModel();
    QVERIFY(!dialog_->run().button()->isEnabled());
  }

  void aComparisonRunsToItsEnd() {
    dialog_->addPreset("small-sequence");
    dialog_->equal().setCurrent(1);
    run(20, 2);
    const auto& points = dialog_->study().result()->points;
    double small = 0, large = 0;
    for (const train::StudyPoint& point : points)
      (point.arm == "this model" ? small : large) = point.flops;
    QVERIFY(large <= small);
    QCOMPARE(dialog_->table().rowCount(), 2);
    QVERIFY(dialog_->table().item(0, 4)->text().contains("±"));
    QVERIFY(says("Done."));
    // Negative control: with as many steps, the larger one takes more.
    dialog_->equal().setCurrent(0);
    run(20, 1);
    QVERIFY(dialog_->study().result()->points.back().flops > small);
  }

  void modelsMayStartAlike() {
    QVERIFY(!dialog_->config().same_start);
    dialog_->addPreset("small-sequence");
    dialog_->addOpen();
    dialog_->sameStart().setChecked(true);
    QVERIFY(dialog_->config().same_start);
    QVERIFY(says("this model 2: ") && says("100.0 %"));
    run(4, 1);
    dialog_->sameStart().setChecked(false);
    QVERIFY(!says("100.0 %"));
  }

  void theAxisCanBeChosen() {
    dialog_->addPreset("small-sequence");
    run(8, 2);
    for (const auto against : {StudyPlots::Against::Operations, StudyPlots::Against::Parameters,
                               StudyPlots::Against::Seconds, StudyPlots::Against::Steps}) {
      dialog_->plots().setAgainst(against);
      QVERIFY(!dialog_->plots().grab().isNull());
    }
  }

  void namesAreUnique() {
    dialog_->addOpen();
    dialog_->addOpen();
    QCOMPARE(names(), (QStringList{"this model", "this model 2", "this model 3"}));
    dialog_->models().item(2)->setText("this model 2");
    QCOMPARE(names().back(), QString("this model 2 2"));
    dialog_->models().item(1)->setText("a/b");
    QCOMPARE(names()[1], QString("ab"));
    dialog_->models().item(1)->setText("");
    QCOMPARE(names()[1], QString("ab"));
  }

  void aTrainedModelStartsFromItsWeights() {
    QVERIFY(trainTo(*document_, 30));
    dialog_->addTrained();
    QTRY_COMPARE(dialog_->models().count(), 2);
    QVERIFY(!dialog_->config().arms[0].weights);
    QVERIFY(dialog_->config().arms[1].weights);
    QTemporaryDir folder;
    document_->save(folder.filePath("saved.safetensors"));
    dialog_->addFile(folder.filePath("saved.safetensors"));
    QCOMPARE(names().back(), QString("saved"));
    QVERIFY(*dialog_->config().arms[1].weights == *dialog_->config().arms[2].weights);
  }

  void whatCannotLearnTheTaskIsNotAdded() {
    dialog_->addPreset("classifier");
    QCOMPARE(names().size(), 1);
    QVERIFY(says("this model cannot learn the task"));
    dialog_->addFile("nowhere.safetensors");
    QVERIFY(says("nowhere.safetensors"));
    QCOMPARE(names().size(), 1);
    dialog_->addPreset("rot13");
    QVERIFY(!says("nowhere.safetensors"));
  }

  void aNestedModelIsMeasuredAsASubmodel() {
    QVERIFY(!dialog_->measured().isVisible());
    train::TrainConfig train = document_->training().config();
    train.nesting.widths = {2};
    document_->start(document_->training().model(), document_->task()->config(), train);
    dialog_ = std::make_unique<CompareDialog>(style_, *document_);
    dialog_->show();
    QVERIFY(dialog_->measured().isVisible());
    QCOMPARE(dialog_->measured().count(), 3);
    dialog_->measured().setCurrentIndex(1);
    emit dialog_->measured().activated(1);
    QCOMPARE(dialog_->config().arms[0].granularity, std::string("S"));
    dialog_->addPreset("small-sequence");  // which is not nested
    QVERIFY(!dialog_->measured().isVisible());
    QVERIFY(dialog_->config().arms[1].train.nesting.widths.empty());
  }

  void cancelling() {
    dialog_->addOpen();
    dialog_->steps().setValue(100000);
    QSignalSpy advanced(&dialog_->study(), &BackgroundStudy::advanced);
    QSignalSpy finished(&dialog_->study(), &BackgroundStudy::finished);
    dialog_->run().button()->click();
    QVERIFY(!dialog_->models().isEnabled());
    QVERIFY(advanced.wait(30000));
    dialog_->reject();
    QVERIFY(finished.wait(30000));
    QVERIFY(dialog_->study().result()->cancelled);
    QVERIFY(dialog_->models().isEnabled());
  }

 private:
  QStringList names() const {
    QStringList all;
    for (int i = 0; i < dialog_->models().count(); ++i) all << dialog_->models().item(i)->text();
    return all;
  }
  bool says(const QString& text) const {
    for (const auto* label : dialog_->findChildren<QLabel*>())
      if (label->isVisibleTo(dialog_.get()) && label->text().contains(text)) return true;
    return false;
  }
  void run(int steps, int seeds) {
    dialog_->steps().setValue(steps);
    dialog_->seeds().setValue(seeds);
    QSignalSpy finished(&dialog_->study(), &BackgroundStudy::finished);
    dialog_->run().button()->click();
    QVERIFY(finished.wait(60000));
    QVERIFY(!dialog_->study().problem());
  }

  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<CompareDialog> dialog_;
};

TFM_TEST(TestCompareDialog)
#include "test_compare_dialog.moc"
