// SPDX-License-Identifier: GPL-3.0-or-later
// The growth study, run from its dialog on the rot13 preset.
#include <qcustomplot.h>

#include <QDoubleSpinBox>
#include <QProgressBar>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <cmath>
#include <memory>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"
#include "ui/document/studies.h"
#include "ui/study/study_plots.h"
#include "ui/study/study_sizes.h"
#include "ui/study/study_words.h"
#include "ui/views/grow/growth_study_dialog.h"
#include "ui/views/grow/growth_kinds.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

template <class Widget>
Widget& named(const GrowthStudyDialog& dialog, const QString& name) {
  for (auto* found : dialog.findChildren<Widget*>())
    if (found->accessibleName() == name) return *found;
  qFatal("no %s", qPrintable(name));
}

QPushButton& button(const GrowthStudyDialog& dialog, const QString& text) {
  for (auto* found : dialog.findChildren<QPushButton*>())
    if (found->text() == text) return *found;
  qFatal("no button %s", qPrintable(text));
}

bool says(const GrowthStudyDialog& dialog, const QString& text) {
  for (const auto* label : dialog.findChildren<QLabel*>())
    if (label->isVisibleTo(&dialog) && label->text().startsWith(text)) return true;
  return false;
}

QStringList lines(const DataTable& table) {
  QStringList all;
  for (const QStringList& row : table.rows) all << row.join('\t');
  return all;
}

void save(const QString& path, const std::string& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text.data(), qint64(text.size()));
}

void addRun(train::StudyCurves& curves, const char* arm, std::uint64_t seed, double loss,
            double flops) {
  curves.points.push_back({arm, seed, 10, loss + 1, 0.5, flops / 2, 1, 9});
  curves.points.push_back({arm, seed, 20, loss, 0.5, flops, 2, 9});
}

}  // namespace

class TestStudyDialog : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    const expand::Growth first =
        suggestedGrowth(expand::Kind::FeedForward, document_->training().model());
    dialog_ = std::make_unique<GrowthStudyDialog>(
        style_, *document_,
        expand::Plan{first, suggestedGrowth(expand::Kind::Heads, document_->training().model())});
    dialog_->show();
  }

  void cleanup() { dialog_.reset(); }

  void growthsAreSpreadUntilTheUserPlacesThem() {
    QSpinBox& steps = named<QSpinBox>(*dialog_, "Steps per run");
    steps.setValue(300);
    QCOMPARE(dialog_->config().train.growths[0].step, 100);
    QCOMPARE(dialog_->config().train.growths[1].step, 200);
    dialog_->findChildren<QSpinBox*>()[1]->setValue(250);
    steps.setValue(400);
    QCOMPARE(dialog_->config().train.growths[1].step, 250);
    steps.setValue(200);  // a growth has to come before the end
    QCOMPARE(dialog_->config().train.growths[1].step, 199);
  }

  void aStudyRunsToItsEnd() {
    QTableWidget& table = *dialog_->findChild<QTableWidget*>();
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(table.item(1, 4)->text(), "–");
    QVERIFY(!button(*dialog_, "Save table...").isEnabled());
    run(20, 2);
    QVERIFY(!dialog_->study().result()->cancelled);
    QCOMPARE(dialog_->plots().figureData().rows.size(), std::size_t(4 * 20));
    QCOMPARE(dialog_->findChild<QProgressBar*>()->value(), 1000);
    QVERIFY(says(*dialog_, "Done."));
    QVERIFY(says(*dialog_, "After "));
    QVERIFY(button(*dialog_, "Save table...").isEnabled());
    for (int row = 0; row < 2; ++row) {
      QCOMPARE(table.item(row, 1)->text(), "2");
      QCOMPARE(table.item(row, 2)->text(), "20");
      QVERIFY(table.item(row, 4)->text().contains("±"));
    }
    // Both ways end with as many parameters.
    QCOMPARE(table.item(0, 3)->text(), table.item(1, 3)->text());
    QVERIFY(table.item(0, 6)->text() != table.item(1, 6)->text());
  }

  void aCancelledStudySaysSo() {
    named<QSpinBox>(*dialog_, "Steps per run").setValue(100000);
    QSignalSpy advanced(&dialog_->study(), &BackgroundStudy::advanced);
    QSignalSpy finished(&dialog_->study(), &BackgroundStudy::finished);
    button(*dialog_, "Start").click();
    QVERIFY(advanced.wait(30000));
    dialog_->reject();
    QVERIFY(dialog_->isVisible());
    QVERIFY(finished.wait(30000));
    QVERIFY(dialog_->study().result()->cancelled);
    QVERIFY(says(*dialog_, "Cancelled"));
    QVERIFY(button(*dialog_, "Start").isEnabled());
    dialog_->reject();
    QVERIFY(!dialog_->isVisible());
  }

  void aRunningStudyEndsWithItsDialog() {
    named<QSpinBox>(*dialog_, "Steps per run").setValue(10000);
    button(*dialog_, "Start").click();
    QVERIFY(dialog_->study().isRunning());
    dialog_.reset();
  }

  void anImpossiblePlanIsReported() {
    expand::Growth smaller;
    smaller.size = 1;
    dialog_ = std::make_unique<GrowthStudyDialog>(style_, *document_, expand::Plan{smaller});
    dialog_->show();
    button(*dialog_, "Start").click();
    QTRY_VERIFY(dialog_->study().problem().has_value());
    QVERIFY(says(*dialog_, QString::fromStdString(dialog_->study().problem()->what())));
    QVERIFY(button(*dialog_, "Start").isEnabled());
  }

  /// A study of the command line is shown as a figure.
  void aSavedStudyIsShownAgain() {
    run(20, 2);
    const QStringList figure = lines(dialog_->plots().figureData());
    QTemporaryDir folder;
    const QString path = folder.filePath("a study.tsv");
    save(path, train::toTsv(*dialog_->study().result()));
    dialog_ = std::make_unique<GrowthStudyDialog>(style_, *document_, expand::Plan{});
    dialog_->show();
    QVERIFY(!button(*dialog_, "Save table...").isEnabled());
    dialog_->openTable(path);
    QCOMPARE(lines(dialog_->plots().figureData()), figure);
    QVERIFY(says(*dialog_, "Opened: a study.tsv"));
    QVERIFY(says(*dialog_, "After "));
    QCOMPARE(dialog_->findChild<QTableWidget*>()->item(0, 1)->text(), "2");
    QVERIFY(button(*dialog_, "Save table...").isEnabled());
    QVERIFY2(!button(*dialog_, "Start").isEnabled(), "nothing is planned");
  }

  void aBadTableIsReportedAndChangesNothing() {
    run(20, 1);
    const QStringList figure = lines(dialog_->plots().figureData());
    QTemporaryDir folder;
    const QString path = folder.filePath("other.tsv");
    save(path, "sentence\tlabel\n");
    dialog_->openTable(path);
    QVERIFY(says(*dialog_, path + ", line 1: "));
    QCOMPARE(lines(dialog_->plots().figureData()), figure);
    dialog_->openTable(folder.filePath("none.tsv"));
    QVERIFY(says(*dialog_, folder.filePath("none.tsv")));
    save(path, train::toTsv(*dialog_->study().result()));
    dialog_->openTable(path);
    QVERIFY(says(*dialog_, "Opened: other.tsv"));
    run(10, 1);  // the next study is shown, and not what was opened before
    QVERIFY(says(*dialog_, "Done."));
    QVERIFY(lines(dialog_->plots().figureData()) != figure);
  }

  void bothPlotsZoomInXTogether() {
    auto result = std::make_shared<train::StudyCurves>();
    addRun(*result, train::kGrown, 1, 0.1, 1e6);
    StudyPlots plots(style_);
    plots.setResult(result, {});
    plots.show();
    plots.canvas().replot();
    const auto x = [&](int pane) {
      return plots.canvas().axisRect(pane)->axis(QCPAxis::atBottom)->range();
    };
    const QCPRange all = x(0);
    QCOMPARE(x(1), all);
    plots.canvas().axisRect(1)->axis(QCPAxis::atBottom)->setRange(2, 5);  // as the wheel does
    plots.canvas().replot();
    QCOMPARE(x(0), QCPRange(2, 5));
    QCOMPARE(x(1), QCPRange(2, 5));
    QTest::keyClick(&plots, Qt::Key_0);
    plots.canvas().replot();
    QCOMPARE(x(0), all);
  }

  void theOutcomeIsNamedEitherWay() {
    const auto outcome = [](double grown, double scratch) {
      train::StudyCurves curves;
      for (const std::uint64_t seed : {1u, 2u}) {
        addRun(curves, train::kGrown, seed, grown + 0.01 * double(seed), 1e6);
        addRun(curves, train::kFromScratch, seed, scratch + 0.01 * double(seed), 1e6);
      }
      return outcomeText(curves);
    };
    QVERIFY(outcome(0.1, 0.5).contains("Growing paid"));
    QVERIFY(outcome(0.5, 0.1).contains("did not pay"));
    // The deviation of 0.01 between two seeds is 0.007 in each arm.
    QVERIFY(outcome(0.1, 0.112).contains("No clear difference"));
    QVERIFY(outcome(0.1, 0.116).contains("Growing paid"));
    train::StudyCurves single;
    addRun(single, train::kGrown, 1, 0.1, 1e6);
    addRun(single, train::kFromScratch, 1, 0.5, 1e6);
    QVERIFY(outcomeText(single).contains("single seed"));
  }

  void bothAreComparedAfterTheSameOperations() {
    train::StudyCurves curves;
    addRun(curves, train::kGrown, 1, 0.1, 1.5e6);
    addRun(curves, train::kFromScratch, 1, 0.5, 2e6);
    // From scratch, the loss fell from 1.5 to 0.5 between 1e6 and 2e6 operations.
    QVERIFY(outcomeText(curves).contains("from scratch a loss of 1.00"));
    QVERIFY(outcomeText(curves).startsWith("After 1.50 × 10⁶ operations"));
    QVERIFY(outcomeText(curves).contains("From scratch, 20 steps took 2.00 × 10⁶ operations"));
  }

  void anyModelsHaveAnOutcome() {
    train::StudyCurves curves;
    for (const std::uint64_t seed : {1u, 2u})
      for (const auto& [arm, loss] :
           {std::pair{"standard", 0.5}, std::pair{"funnel", 0.1}, std::pair{"other", 1.0}})
        addRun(curves, arm, seed, loss, 1e6);
    QVERIFY(outcomeText(curves).contains("standard reached a loss of 0.5"));
    QVERIFY(outcomeText(curves).contains("The loss of funnel is lower at the same cost."));
    QCOMPARE(curveRows(curves).size(), 3);
  }

  void aMeanCoversAllStartedSeeds() {
    train::StudyCurves curves;
    addRun(curves, train::kGrown, 1, 0.1, 1e6);
    addRun(curves, train::kGrown, 2, 0.3, 1e6);
    QCOMPARE(wholeSpreads(curves, train::kGrown).size(), std::size_t(2));
    curves.points.pop_back();
    const auto whole = wholeSpreads(curves, train::kGrown);
    QCOMPARE(whole.size(), std::size_t(1));
    QCOMPARE(whole.back().step, 10);
  }

  void stepsCanBeGivenInEpochs() {
    StudySizes sizes(style_);
    sizes.offerEpochs([](double) { return std::int64_t{0}; });
    QVERIFY(sizes.epochs() == nullptr);  // generated examples
    sizes.steps().setValue(30);
    sizes.offerEpochs([](double epochs) { return std::int64_t(std::ceil(12 * epochs)); });
    QCOMPARE(sizes.epochs()->value(), 2.5);
    sizes.epochs()->setValue(10);
    QCOMPARE(sizes.steps().value(), 120);
    sizes.steps().setValue(6);
    QCOMPARE(sizes.epochs()->value(), 0.5);
  }

 private:
  void run(int steps, int seeds) {
    named<QSpinBox>(*dialog_, "Steps per run").setValue(steps);
    named<QSpinBox>(*dialog_, "Seeds").setValue(seeds);
    QSignalSpy finished(&dialog_->study(), &BackgroundStudy::finished);
    button(*dialog_, "Start").click();
    QVERIFY(finished.wait(60000));
  }

  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<GrowthStudyDialog> dialog_;
};

TFM_TEST(TestStudyDialog)
#include "test_study_dialog.moc"
