// SPDX-License-Identifier: GPL-3.0-or-later
// Separately trained sizes, and which model they are compared with.
#include <QLineEdit>
#include <QSpinBox>

#include "core/expand/grow.h"
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"
#include "tests/ui/views/elastic_bench.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/views/elastic/nesting_form.h"
#include "ui/views/elastic/twins_panel.h"

using namespace tfm;
using namespace tfm::ui;

class TestElasticTwins : public QObject, private ElasticBench {
  Q_OBJECT

 private:
  TwinsPanel& twins() { return view_->parts().setup->twins(); }
  /// Nests the model, trains it and its twins for ten steps each.
  void trainAll() {
    nest();
    QVERIFY(trainTo(*document_, 10));
    QCOMPARE(twins().steps().value(), 10);  // no later than the model's own step
    waitForAll();
    twins().startButton()->click();
    QVERIFY(explorer().study().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!explorer().study().isRunning(), kPatience);
  }
  std::size_t rowsOfPlot() { return view_->parts().scatter->figureData().rows.size(); }

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void twinsBecomeCrosses() {
    trainAll();
    QCOMPARE(twins().steps().value(), 10);
    QCOMPARE(twins().points().size(), std::size_t{4});
    QCOMPARE(rowsOfPlot(), std::size_t{8});
    QVERIFY(twins().outcome().contains("10 steps each") && twins().outcome().contains("XL"));
    QVERIFY(twins().notPlotted().isEmpty());
  }

  void aNewModelDoesNotProposeTheStepsOfAnother() {
    const int usual = twins().steps().value();
    QVERIFY(trainTo(*document_, 12));
    QTRY_COMPARE_WITH_TIMEOUT(twins().steps().value(), 12, kPatience);
    document_->start(document_->moments().model(), document_->task()->config(),
                     document_->training().config());
    QTRY_COMPARE_WITH_TIMEOUT(twins().steps().value(), usual, kPatience);
  }

  void otherStepsAreNotPlottedAndSaySo() {
    trainAll();
    QVERIFY(trainTo(*document_, 12));
    QTRY_COMPARE_WITH_TIMEOUT(explorer().state()->step, std::int64_t(12), kPatience);
    QVERIFY(twins().points().empty());
    QVERIFY2(twins().notPlotted().contains("10 steps, the model for 12"),
             qPrintable(twins().notPlotted()));
    document_->moments().show(10);
    QTRY_COMPARE_WITH_TIMEOUT(explorer().state()->step, std::int64_t(10), kPatience);
    QVERIFY2(twins().notPlotted().isEmpty(), "the moment that is shown has as many");
    QCOMPARE(twins().points().size(), std::size_t{4});
  }

  void otherWidthsAreNotPlottedAndSaySo() {
    trainAll();
    view_->parts().setup->form().widths().setText("4 10");
    view_->parts().setup->form().applyButton()->click();
    QVERIFY(twins().points().empty());
    QVERIFY(twins().notPlotted().contains("nested widths"));
    view_->parts().setup->form().widths().setText("2 4 8");
    view_->parts().setup->form().applyButton()->click();
    QCOMPARE(twins().points().size(), std::size_t{4});
    QVERIFY(twins().notPlotted().isEmpty());
  }

  void aModelThatHasGrownHasOtherSizes() {
    trainAll();
    document_->changes().apply("wider", [](const ModelState& state) {
      return expand::grow(state, {test::growthTo(expand::Kind::FeedForward, 24)}).state;
    });
    QTRY_COMPARE_WITH_TIMEOUT(fullWidths(explorer().state()->config)[0], std::int64_t{24},
                              kPatience);
    QVERIFY(twins().points().empty());
    QVERIFY(twins().notPlotted().contains("sizes have changed"));
    QVERIFY2(twins().outcome().contains("XL"), "they remain an answer");
    document_->changes().undo();
    QTRY_COMPARE_WITH_TIMEOUT(twins().points().size(), std::size_t{4}, kPatience);
  }

  void twinsBelongToTheirDocument() {
    trainAll();
    twins().steps().setValue(100'000);
    twins().startButton()->click();  // this one is still running when another document comes
    twins().steps().setValue(10);
    document_->start(smallModel(), data::defaultTaskConfig("rot13"), nestedTraining());
    QVERIFY(explorer().study().isEnding());
    QVERIFY2(!twins().startButton()->isEnabled(), "its end is waited for");
    QVERIFY(twins().outcome().isEmpty());
    QVERIFY(trainTo(*document_, 10));
    QTRY_VERIFY_WITH_TIMEOUT(!explorer().study().isRunning(), kPatience);
    waitForAll();
    QVERIFY2(twins().points().empty(), "those of the former document");
    QVERIFY(twins().outcome().isEmpty() && twins().notPlotted().isEmpty());
    QCOMPARE(rowsOfPlot(), std::size_t{4});
    twins().startButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(!explorer().study().isRunning(), kPatience);
    QCOMPARE(rowsOfPlot(), std::size_t{8});
  }
};

TFM_TEST(TestElasticTwins)
#include "test_elastic_twins.moc"
