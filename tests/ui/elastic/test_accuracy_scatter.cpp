// SPDX-License-Identifier: GPL-3.0-or-later
// The scatter of accuracy against cost: drawing, input and accessibility.
#include <qcustomplot.h>

#include "tests/ui/elastic/sample_scores.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/scatter_plot.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_table.h"
#include "ui/plots/plot_axes.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

using enum ElasticKind;

}  // namespace

class TestAccuracyScatter : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    style_->setTheme(Theme::Light);
    scatter_ = std::make_unique<AccuracyScatter>(*style_);
    plot_ = scatter_->findChild<ScatterPlot*>();
    scatter_->resize(700, 500);
    scatter_->show();
    setPoints(sampleScores());
  }
  void cleanup() { scatter_.reset(); }

  void anAxisThatDoesNotStartAtZeroSaysSo() {
    QVERIFY(values().range().lower > 0);
    QVERIFY2(plot_->yTitle().contains("not at 0"), qPrintable(plot_->yTitle()));
    scatter_->setFromZero(true);
    redraw();
    QVERIFY(values().range().lower <= 0);
    QVERIFY(!plot_->yTitle().contains("not at 0"));
  }

  void everythingIsInsideAndTheLegendCoversNoPoint_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("small, on a projector") << QSize(312, 260);
    QTest::newRow("small") << QSize(500, 360);
    QTest::newRow("large") << QSize(900, 560);
  }
  void everythingIsInsideAndTheLegendCoversNoPoint() {
    QFETCH(QSize, size);
    ScatterPlot plot(*style_);
    plot.setMarks(marksOf(sampleScores()));
    plot.resize(size);
    plot.show();
    plot.canvas().replot();
    const QRectF rect = plot.canvas().axisRect()->rect();
    QVERIFY(rect.height() > 40);
    const QCPLegend& legend = *plot.canvas().legend;
    QCOMPARE(legend.itemCount(), 6);
    QVERIFY(legend.outerRect().bottom() < rect.top());
    QVERIFY(legend.outerRect().right() <= size.width());
    for (std::size_t i = 0; i < plot.marks().size(); ++i) {
      QVERIFY(rect.contains(plot.placeOf(int(i))));
      const train::Interval& interval = plot.marks()[i].interval;
      QVERIFY(plot.canvas().yAxis->range().contains(interval.low));
      QVERIFY(plot.canvas().yAxis->range().contains(interval.high));
    }
  }

  void namesStandBesideAllMarks() {
    QCOMPARE(plot_->names().size(), std::size_t(4));
    for (const auto& [mark, box] : plot_->names()) {
      QCOMPARE(plot_->marks()[mark].kind, Trained);
      for (int i = 0; i < int(plot_->marks().size()); ++i)
        QVERIFY(!box.contains(plot_->placeOf(i)));
      for (const auto& other : plot_->names())
        QVERIFY(other.mark == mark || !box.intersects(other.box));
    }
  }

  void theLineIsLevelUpToTheNextMarkOnIt() {
    const auto* line = dynamic_cast<const QCPGraph*>(entry("Pareto line")->plottable());
    QCOMPARE(line->lineStyle(), QCPGraph::lsStepLeft);
    QCOMPARE(line->dataCount(), int(plot_->front().size()) + 1);
    for (std::size_t i = 0; i < plot_->front().size(); ++i) {
      const ElasticMark& mark = plot_->marks()[plot_->front()[i]];
      QCOMPARE(line->dataMainKey(int(i)), double(mark.cost.parameters));
      QCOMPARE(line->dataMainValue(int(i)), mark.accuracy.mean);
    }
    QCOMPARE(line->dataMainKey(line->dataCount() - 1), plot_->canvas().xAxis->range().upper);
  }

  void aTwinStandsBesideItsGranularity() {
    setPoints({pointOf(Trained, "S", {8}, 70), pointOf(Separate, "S", {8}, 70),
               pointOf(Separate, "M", {16}, 75)});
    QVERIFY(plot_->placeOf(1).x() - plot_->placeOf(0).x() > 5);
    QCOMPARE(plot_->placeOf(0).y(), plot_->placeOf(1).y());
    QCOMPARE(plot_->placeOf(2).x(),
             plot_->canvas().xAxis->coordToPixel(double(plot_->marks()[2].cost.parameters)));
  }

  void aCrowdOfMixesHasNoBars() {
    QVERIFY(entry("95 % interval (examples)") != nullptr);
    std::vector<ElasticPoint> points{pointOf(Trained, "S", {4}, 900)};
    for (int i = 0; i < 60; ++i)
      points.push_back(pointOf(Mixed, QString::number(8 + i), {8 + i}, 1000 + i));
    setPoints(points);
    for (const ElasticMark& mark : plot_->marks())
      QCOMPARE(plot_->hasInterval(mark), mark.kind == Trained);
    QVERIFY(entry("95 % interval (examples), not of Mix'n'Match") != nullptr);
  }

  void zoomKeepsWhatWasChosenUntilItFollowsAgain() {
    const QCPRange all = plot_->canvas().xAxis->range();
    QTest::keyClick(plot_, Qt::Key_Plus);
    redraw();
    const QCPRange zoomed = plot_->canvas().xAxis->range();
    QVERIFY(zoomed.size() < 0.8 * all.size());
    setPoints(sampleScores());
    QCOMPARE(plot_->canvas().xAxis->range(), zoomed);
    QTest::mouseDClick(&plot_->pointerArea(), Qt::LeftButton, {}, plot_->rect().center());
    redraw();
    QCOMPARE(plot_->canvas().xAxis->range(), all);
    // Other numbers are not where these were.
    QTest::keyClick(plot_, Qt::Key_Plus);
    scatter_->setCostAxis(CostAxis::Milliseconds);
    redraw();
    QVERIFY(plot_->canvas().xAxis->range().upper < 100);
  }

  void arrowKeysWalkFromLeftToRightAndEnterChooses() {
    QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    QTest::keyClick(plot_, Qt::Key_Home);
    double x = -INFINITY;
    for (int i = 0; i < 17; ++i) {
      const ElasticMark& mark = plot_->marks()[std::size_t(plot_->currentItem())];
      QVERIFY(costOf(mark, CostAxis::Parameters) >= x);
      x = costOf(mark, CostAxis::Parameters);
      QTest::keyClick(plot_, Qt::Key_Right);
    }
    QCOMPARE(plot_->currentItem(), 16);
    QTest::keyClick(plot_, Qt::Key_Home);
    QTest::keyClick(plot_, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Submodel>(), (Submodel{{32, 32, 32, 32}, {}}));
  }

  void theCurrentPointIsSpokenWithAllNumbers() {
    QVERIFY2(!scatter_->focusProxy(), "it would hide the controls above the picture from Tab");
    QTest::keyClick(plot_, Qt::Key_Home);
    const QString text = plot_->spokenText();
    for (const char* part :
         {"S, trained granularity", "widths 32 × 4", "parameters 230512", "MFLOPs 10.4", "ms 0.230",
          "accuracy 0.804 ± 0.007", "95 % 0.787–0.821", "loss", "agreement", "KL", "seeds 1, 2, 3"})
      QVERIFY2(text.contains(part), qPrintable(text));
  }

  void theNearestOfTwoOverlappingMarksIsClicked() {
    setPoints({pointOf(Trained, "S", {100}, 1600), pointOf(Mixed, "102", {102}, 1600),
               pointOf(Trained, "XL", {300}, 1700)});
    QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    QVERIFY(plot_->placeOf(1).x() - plot_->placeOf(0).x() < 8);
    for (const int mark : {0, 1}) click(mark);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen[0][0].value<Submodel>().widths[0], 100);
    QCOMPARE(chosen[1][0].value<Submodel>().widths[0], 102);
  }

  void thePinnedPointStaysWhenOthersComeAndGo() {
    const ElasticPoint small = pointOf(Trained, "S", {50}, 1500),
                       mix = pointOf(Mixed, "99", {99}, 1600),
                       large = pointOf(Trained, "XL", {300}, 1700);
    const auto pinned = [this] {
      return plot_->currentItem() < 0 ? QString()
                                      : plot_->marks()[std::size_t(plot_->currentItem())].name;
    };
    setPoints({small, mix, large});
    click(2);
    QCOMPARE(pinned(), QString("XL"));
    setPoints({small, large});
    QCOMPARE(pinned(), QString("XL"));
    QVERIFY(plot_->spokenText().startsWith("XL"));
    setPoints({small, mix, large, pointOf(Separate, "XL", {300}, 1650)});
    QCOMPARE(pinned(), QString("XL"));
    setPoints({small, mix});
    QVERIFY2(plot_->currentItem() < 0, "it is gone");
    // The cheapest is the slowest here: another axis is another order.
    ElasticPoint slow = small;
    slow.score.milliseconds = 99;
    setPoints({slow, mix, large});
    click(0);
    QCOMPARE(pinned(), QString("S"));
    scatter_->setCostAxis(CostAxis::Milliseconds);
    QCOMPARE(pinned(), QString("S"));
  }

  void theCardFollowsTheHoveredPoint() {
    setPoints({pointOf(Mixed, "40", {40}, 1500), pointOf(Trained, "XL", {300}, 1700)});
    QTest::mouseMove(&plot_->pointerArea(), plot_->placeOf(1).toPoint());
    QTRY_COMPARE(plot_->hoveredItem(), 1);
    setPoints({pointOf(Trained, "XL", {300}, 1700)});
    QCOMPARE(plot_->hoveredItem(), 0);
    const QImage shown = plot_->grab().toImage();
    QTest::mouseMove(&plot_->pointerArea(), {1, 1});
    QTRY_COMPARE(plot_->hoveredItem(), -1);
    QVERIFY2(plot_->grab().toImage() != shown, "a card was there");
  }

  void aSecondClickDeselectsThePoint() {
    const QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    for (const int current : {3, -1, 3}) {
      click(3);
      QCOMPARE(plot_->lockedItem(), current);
    }
    QCOMPARE(chosen.size(), 2);
    click(0);
    QCOMPARE(plot_->lockedItem(), 0);
    QTest::keyClick(plot_, Qt::Key_Escape);
    QCOMPARE(plot_->lockedItem(), -1);
  }

  void theChosenIsRingedOnScreenOnly() {
    const QColor gold = style_->palette().mark;
    QCOMPARE(pixelsOf(plot_->grab().toImage(), gold), 0);
    scatter_->setChosen(Submodel{{64, 64, 128, 128}, {}});
    QVERIFY(pixelsOf(plot_->grab().toImage(), gold) > 20);
    QCOMPARE(pixelsOf(figureImage(*scatter_), paperPalette().mark), 0);
    scatter_->setChosen(Submodel{{1, 2, 3, 4}, {}});
    QCOMPARE(pixelsOf(plot_->grab().toImage(), gold), 0);
  }

  void granularitiesDifferInShape() {
    QSet<int> shapes;
    for (int size = 0; size < 4; ++size) shapes << seriesMark(size, QPen(Qt::black), 10).shape();
    QCOMPARE(shapes.size(), 4);
  }

  void everyTrainedMarkIsFilled() {
    const QImage picture = plot_->grab().toImage();
    for (int i = 0; i < int(plot_->marks().size()); ++i)
      if (plot_->marks()[std::size_t(i)].kind == Trained)
        QVERIFY(picture.pixelColor(plot_->placeOf(i).toPoint()).hsvSaturation() > 80);
  }

  void nothingMeasuredSaysWhatToDo() {
    setPoints({});
    const QByteArray svg = svgOf(*scatter_);
    QVERIFY(svg.contains("No submodel has been measured yet"));
    QVERIFY(svg.contains("Train a nested model"));
    setPoints(sampleScores());
    QVERIFY(!svgOf(*scatter_).contains("No submodel"));
  }

  void paperSaysWhatWasMeasured() {
    scatter_->setExperiment("sentiment", 1000);
    const QByteArray svg = svgOf(*scatter_);
    for (const char* part : {"Accuracy against parameters", "sentiment · 1000 steps",
                             "2000 held-out examples", "thousands of parameters"})
      QVERIFY2(svg.contains(part), part);
    scatter_->setCostAxis(CostAxis::Milliseconds);
    QVERIFY(svgOf(*scatter_).contains("milliseconds per example"));
    scatter_->showTable();
    QVERIFY(svgOf(*scatter_).contains("sentiment · 1000 steps · seeds 1, 2, 3 · 2000"));
  }

  /// Of texts, right characters are counted, as the curves and the train log say.
  void positionsAreNotCalledAnswers() {
    std::vector<ElasticPoint> points = sampleScores();
    for (ElasticPoint& point : points) point.score.answers.by_position = true;
    setPoints(points);
    redraw();
    QVERIFY2(plot_->yTitle().startsWith("held-out position accuracy"), qPrintable(plot_->yTitle()));
    QCOMPARE(scatter_->figureTitle(), QString("Position accuracy against parameters"));
    QVERIFY2(markText(plot_->marks()[0]).contains(", position accuracy 0."),
             qPrintable(markText(plot_->marks()[0])));
    scatter_->showTable();
    const auto* table = scatter_->findChild<ScoreTable*>();
    QStringList titles;
    for (int i = 0; i < table->columnCount(); ++i) titles << table->horizontalHeaderItem(i)->text();
    QVERIFY(titles.contains("position accuracy") && !titles.contains("accuracy"));
    setPoints(sampleScores());
    QVERIFY(plot_->yTitle().startsWith("held-out accuracy"));
    QCOMPARE(table->horizontalHeaderItem(3)->text(), QString("accuracy"));
  }

  void theTableSaysWhoIsOnTheLine() {
    const DataTable table = scatter_->figureData();
    QCOMPARE(table.rows.size(), std::size_t(12 + 12 + 9));
    QCOMPARE(table.columns.last(), QString("on_pareto_line"));
    for (const QStringList& row : table.rows) {
      QCOMPARE(row.size(), table.columns.size());
      if (row[1] == "separate") QCOMPARE(row.last(), QString("0"));
      if (row[0] == "S" && row[1] == "trained") QCOMPARE(row.last(), QString("1"));
    }
  }

  void theTableShowsThePointsAndIsTheFigureThen() {
    const auto* table = scatter_->findChild<ScoreTable*>();
    QVERIFY(!table->isVisible());
    QCOMPARE(scatter_->figureTitle(), QString("Accuracy against parameters"));
    scatter_->showTable();
    QVERIFY(table->isVisible() && !plot_->isVisible());
    QCOMPARE(scatter_->figureTitle(), table->figureTitle());
    QCOMPARE(scatter_->figureData().rows.size(), sampleScores().size());
    QVERIFY(!scatter_->figureData().columns.contains("on_pareto_line"));
    QVERIFY(svgOf(*scatter_).contains(">346096<"));
    const QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    emit scatter_->findChild<ScoreTable*>()->chosen({{32, 32, 32, 32}, {}});
    QCOMPARE(chosen.size(), 1);
    scatter_->setCostAxis(CostAxis::Operations);  // the way back
    QVERIFY(!table->isVisible() && plot_->isVisible());
    QCOMPARE(scatter_->figureTitle(), QString("Accuracy against operations"));
    QVERIFY(scatter_->figureData().columns.contains("on_pareto_line"));
  }

 private:
  void redraw() { plot_->canvas().replot(); }
  void setPoints(std::vector<ElasticPoint> points) {
    scatter_->setPoints(std::move(points));
    redraw();
  }
  const QCPAxis& values() const { return *plot_->canvas().yAxis; }
  /// What the legend says so of; null for nothing.
  QCPPlottableLegendItem* entry(const QString& text) const {
    for (int i = 0; i < plot_->canvas().legend->itemCount(); ++i)
      if (auto* item = dynamic_cast<QCPPlottableLegendItem*>(plot_->canvas().legend->item(i));
          item->plottable()->name() == text)
        return item;
    return nullptr;
  }
  void click(int mark) {
    QTest::mouseClick(&plot_->pointerArea(), Qt::LeftButton, {}, plot_->placeOf(mark).toPoint());
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<AccuracyScatter> scatter_;
  ScatterPlot* plot_ = nullptr;
};

TFM_TEST(TestAccuracyScatter)
#include "test_accuracy_scatter.moc"
