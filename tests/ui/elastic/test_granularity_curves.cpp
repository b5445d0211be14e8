// SPDX-License-Identifier: GPL-3.0-or-later
// Accuracy and loss of each granularity over training.
#include <QRegularExpression>

#include "tests/ui/elastic/sample_scores.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"

using namespace tfm;
using namespace tfm::ui;

class TestGranularityCurves : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    curves_ = std::make_unique<GranularityCurves>(style_);
    curves_->setEvaluations({"S", "M", "L", "XL"}, sampleEvaluations());
    curves_->setExperiment("sentiment", 7);
    curves_->resize(700, 500);
    curves_->show();
    QApplication::processEvents();
  }
  void cleanup() { curves_.reset(); }

  void everyGranularityEndsWithItsName() {
    QVERIFY(plot().labelsAtEnds());
    QCOMPARE(plot().curves().size(), std::size_t(4));
    QCOMPARE(plot().curves()[3].name, QString("XL"));
    const QByteArray svg = svgOf(*curves_);
    const double last = sampleEvaluations().back().granularities[3].accuracy;
    QVERIFY(svg.contains(">" + shortNumber(last).toUtf8() + "<"));
  }

  void oneCursorReadsAllFour() {
    plot().setCursorStep(500);
    const QString spoken = plot().accessibleDescription();
    for (const char* name : {"S 0.", "M 0.", "L 0.", "XL 0."})
      QVERIFY2(spoken.contains(name), qPrintable(spoken));
    QVERIFY(spoken.contains("step 500"));
  }

  void evaluationsOfAnotherNestingAreLeftOut() {
    std::vector<train::Evaluation> evaluations = sampleEvaluations();
    evaluations[0].granularities.pop_back();
    evaluations[1].granularities.clear();
    curves_->setEvaluations({"S", "M", "L", "XL"}, evaluations);
    QCOMPARE(plot().curves()[0].data.size(), evaluations.size() - 2);
    QCOMPARE(curves_->figureData().rows.size(), evaluations.size() - 2);
  }

  void otherNamesMakeOtherCurves() {
    std::vector<train::Evaluation> evaluations = sampleEvaluations();
    for (auto& evaluation : evaluations) evaluation.granularities.resize(2);
    curves_->setEvaluations({"S", "M"}, evaluations);
    QCOMPARE(plot().curves().size(), std::size_t(2));
    QCOMPARE(plot().curves()[1].data.size(), evaluations.size());
  }

  void anAxisThatDoesNotStartAtZeroSaysWhereItStarts() {
    QCOMPARE(startInTitle(), tickNumber(plot().shownY().low));
    curves_->setFromZero(true);
    QTRY_VERIFY(plot().shownY().low <= 0);
    QVERIFY(startInTitle().isEmpty());
    QTest::keyClick(&plot(), Qt::Key_Plus);  // zooms in, away from 0
    QTRY_VERIFY(plot().shownY().low > 0);
    QCOMPARE(startInTitle(), tickNumber(plot().shownY().low));
    QTest::keyClick(&plot(), Qt::Key_0);
    curves_->setFromZero(false);
    QTest::keyClick(&plot(), Qt::Key_L);
    QTRY_VERIFY(plot().logarithmic());
    QCOMPARE(plot().yTitle(), QString("held-out accuracy, logarithmic"));
  }

  void theAxisStartsBelowTheBarOnPaperToo() {
    train::Evaluation only = sampleEvaluations().front();
    only.examples = 60;  // the bar reaches far below all curves
    curves_->setEvaluations({"S", "M", "L", "XL"}, {only});
    QTRY_COMPARE(plot().curves()[0].data.size(), std::size_t(1));
    QApplication::processEvents();
    QTRY_VERIFY(plot().shownY().low < plot().curves()[3].interval->low);
    QVERIFY(only.granularities[0].accuracy - plot().shownY().low > 0.05);
    const QString start = tickNumber(plot().shownY().low);
    QCOMPARE(startInTitle(), start);
    QVERIFY(svgOf(*curves_).contains(QString("axis starts at %1, not").arg(start).toUtf8()));
    curves_->setFromZero(true);
    QTRY_VERIFY(plot().shownY().low <= 0);
    QVERIFY2(plot().shownY().high > plot().curves()[3].interval->high, "nor is the bar cut above");
  }

  void oneEvaluationIsTheOnlyTick() {
    curves_->setEvaluations({"S", "M", "L", "XL"}, {sampleEvaluations()[1]});
    const QByteArray svg = svgOf(*curves_);
    QVERIFY(svg.contains(">100<"));
    QVERIFY(!svg.contains(">99<") && !svg.contains(">101<"));
  }

  void aBarSaysHowSureTheLastAccuracyIs() {
    const train::Evaluation last = sampleEvaluations().back();
    const double share = last.granularities.back().accuracy;
    const auto intervalOf = [&](std::int64_t answers) {
      return train::wilsonInterval({std::llround(share * double(answers)), answers});
    };
    const train::Interval interval = intervalOf(last.examples);
    const auto& curves = plot().curves();
    QVERIFY(curves[3].interval && !curves[2].interval);
    QCOMPARE(curves[3].interval->low, interval.low);
    QCOMPARE(curves[3].interval->high, interval.high);
    const AxisRange shown = plot().shownY();
    QVERIFY2(shown.low <= interval.low && shown.high >= interval.high, "all of it is seen");
    const QByteArray svg = svgOf(*curves_);
    QVERIFY(svg.contains("bar: 95 % interval of XL"));
    curves_->setMeasure(GranularityCurves::Measure::Loss);
    QVERIFY(!curves[3].interval);
    QVERIFY(!svgOf(*curves_).contains("interval"));
    // Each example of a text has many answers, one per character.
    curves_->setExperiment("text", 7, 64);
    curves_->setMeasure(GranularityCurves::Measure::Accuracy);
    QCOMPARE(curves[3].interval->low, intervalOf(64 * last.examples).low);
  }

  void marksAtTheEdgeAreWhole() {
    QApplication::processEvents();
    const QRectF axes = plot().axes();
    const AxisRange shown = plot().shownY();
    const double first = sampleEvaluations().front().granularities[0].accuracy;
    const double y = axes.bottom() - (first - shown.low) / shown.span() * axes.height();
    const QImage image = plot().grab().toImage();
    const double ratio = image.devicePixelRatio();
    const QColor left = image.pixelColor((QPointF(axes.left() - 2, y) * ratio).toPoint());
    QVERIFY2(left != style_.palette().panel, "half of the first mark lies left of the axes");
  }

  void theLossIsAnotherMeasure() {
    curves_->setMeasure(GranularityCurves::Measure::Loss);
    QVERIFY(plot().yTitle().contains("loss (nats)"));
    QCOMPARE(plot().curves()[2].data.values().back(),
             sampleEvaluations().back().granularities[2].loss);
    QCOMPARE(curves_->figureTitle(), QString("Loss of each granularity over training"));
  }

  void nothingToShowSaysWhatToDo() {
    const QLabel* words = nullptr;
    for (const QLabel* label : curves_->findChildren<QLabel*>())
      if (label->text().contains("Nothing to show yet")) words = label;
    QVERIFY(words != nullptr);
    QVERIFY(plot().isVisible() && !words->isVisible());
    curves_->setEvaluations({}, {train::Evaluation{}});
    QVERIFY(!plot().isVisible() && words->isVisible());
    QVERIFY(words->text().contains("Train a nested model"));
    QVERIFY(svgOf(*curves_).contains("Train a nested model"));
  }

  void paperSaysWhatWasTrained() {
    const QByteArray svg = svgOf(*curves_);
    for (const char* part : {"Accuracy of each granularity over training",
                             "sentiment · 1000 steps · seed 7 · 2000 held-out examples", "XL"})
      QVERIFY2(svg.contains(part), part);
  }

  void theTableHasBothMeasures() {
    const DataTable table = curves_->figureData();
    QCOMPARE(table.columns.size(), 2 + 2 * 4);
    QCOMPARE(table.columns.last(), QString("accuracy_XL"));
    QCOMPARE(table.rows.back().last().toDouble(),
             sampleEvaluations().back().granularities[3].accuracy);
  }

 private:
  /// The start of the axis named in the title; empty if none.
  QString startInTitle() const {
    static const QRegularExpression said("axis starts at ([^,]+), not at 0");
    return said.match(plot().yTitle()).captured(1);
  }
  LinePlot& plot() const { return *curves_->findChild<LinePlot*>(); }

  std::unique_ptr<GranularityCurves> curves_;
};

TFM_TEST(TestGranularityCurves)
#include "test_granularity_curves.moc"
