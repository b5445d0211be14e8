// SPDX-License-Identifier: GPL-3.0-or-later
// The scatter of accuracy against cost: drawing, input and accessibility.
#include <QApplication>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/elastic/sample_scores.h"
#include "tests/ui/heatmap/svg_of.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/mark_shape.h"
#include "ui/elastic/scatter_picture.h"
#include "ui/elastic/score_table.h"
#include "ui/style/style.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

using enum ElasticKind;

ScatterScene sceneOf(const std::vector<ElasticPoint>& points) {
  ScatterScene scene;
  scene.marks = marksOf(points);
  scene.names = granularityNames(scene.marks);
  scene.front = frontOf(scene.marks, scene.axis);
  return scene;
}

/// How many pixels have exactly this colour.
int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == colour.rgb();
  return count;
}

}  // namespace

class TestAccuracyScatter : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    style_->setTheme(Theme::Light);
    scatter_ = std::make_unique<AccuracyScatter>(*style_);
    scatter_->setPoints(sampleScores());
    scatter_->resize(700, 500);
    scatter_->show();
    picture_ = scatter_->findChild<ScatterPicture*>();
  }
  void cleanup() { scatter_.reset(); }

  void anAxisThatDoesNotStartAtZeroSaysSo() {
    ScatterScene scene = sceneOf(sampleScores());
    ScatterLayout layout = layoutScatter(scene, {0, 0, 640, 360});
    QVERIFY(layout.frame.y.low > 0);
    QVERIFY2(layout.y_title.contains("not at 0"), qPrintable(layout.y_title));
    scene.from_zero = true;
    layout = layoutScatter(scene, {0, 0, 640, 360});
    QVERIFY(layout.frame.y.low <= 0);
    QVERIFY(!layout.y_title.contains("not at 0"));
  }

  void fromZeroReachesThePicture() {
    QVERIFY(!picture_->scene().from_zero);
    scatter_->setFromZero(true);
    QVERIFY(picture_->scene().from_zero);
  }

  void everythingIsInsideAndTheLegendCoversNoPoint_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::newRow("small, on a projector") << QSizeF(312, 230);
    QTest::newRow("small") << QSizeF(500, 360);
    QTest::newRow("large") << QSizeF(900, 560);
  }
  void everythingIsInsideAndTheLegendCoversNoPoint() {
    QFETCH(QSizeF, size);
    const ScatterLayout layout = layoutScatter(sceneOf(sampleScores()), QRectF({0, 0}, size));
    const QRectF& rect = layout.frame.rect;
    QVERIFY(rect.height() > 40);
    QCOMPARE(layout.legend.size(), std::size_t(6));
    for (const auto& entry : layout.legend) {
      QVERIFY(entry.box.bottom() < rect.top());
      QVERIFY(entry.box.right() <= size.width());
    }
    for (const auto& spot : layout.spots) {
      QVERIFY(rect.contains(spot.place));
      QVERIFY(spot.interval_high >= rect.top() && spot.interval_low <= rect.bottom());
      QVERIFY(spot.interval_high < spot.place.y() && spot.interval_low > spot.place.y());
    }
  }

  void namesStandBesideAllMarks() {
    const ScatterScene scene = sceneOf(sampleScores());
    const ScatterLayout layout = layoutScatter(scene, {0, 0, 640, 360});
    QCOMPARE(layout.labels.size(), std::size_t(4));
    for (const auto& label : layout.labels) {
      QCOMPARE(scene.marks[label.mark].kind, Trained);
      for (const auto& spot : layout.spots) QVERIFY(!label.box.contains(spot.place));
    }
  }

  void aBeatenPointIsBelowTheLine() {
    const ScatterScene scene = sceneOf(sampleScores());
    const ScatterLayout layout = layoutScatter(scene, {0, 0, 640, 360});
    int below = 0;
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
      const bool drawn =
          std::count(layout.front.begin(), layout.front.end(), layout.spots[i].place);
      const bool on_front = std::count(scene.front.begin(), scene.front.end(), i);
      QCOMPARE(drawn, on_front);
      below += !drawn && scene.marks[i].kind != Separate;
    }
    QVERIFY(below > 0);
    // A step function: never a slope, which would suggest unmeasured sizes.
    for (std::size_t i = 1; i < layout.front.size(); ++i) {
      const QPointF step = layout.front[i] - layout.front[i - 1];
      QVERIFY(step.x() == 0 || step.y() == 0);
    }
  }

  void aTwinStandsBesideItsGranularity() {
    const ScatterScene scene =
        sceneOf({pointOf(Trained, "S", {8}, 70), pointOf(Separate, "S", {8}, 70)});
    const ScatterLayout layout = layoutScatter(scene, {0, 0, 640, 360});
    QVERIFY(std::abs(layout.spots[0].place.x() - layout.spots[1].place.x()) > kMarkRadius);
    QCOMPARE(layout.spots[0].place.y(), layout.spots[1].place.y());
  }

  void aCrowdOfMixesHasNoBars() {
    std::vector<ElasticPoint> points{pointOf(Trained, "S", {4}, 900)};
    for (int i = 0; i < 60; ++i)
      points.push_back(pointOf(Mixed, QString::number(8 + i), {8 + i}, 1000 + i));
    const ScatterScene scene = sceneOf(points);
    const ScatterLayout layout = layoutScatter(scene, {0, 0, 640, 360});
    for (std::size_t i = 0; i < scene.marks.size(); ++i)
      QCOMPARE(layout.spots[i].has_interval, scene.marks[i].kind == Trained);
    QVERIFY(layout.legend[3].text.contains("not of Mix'n'Match"));
  }

  void arrowKeysWalkFromLeftToRightAndEnterChooses() {
    QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    QTest::keyClick(picture_, Qt::Key_Home);
    double x = -INFINITY;
    for (int i = 0; i < 17; ++i) {
      const ElasticMark& mark = picture_->scene().marks[std::size_t(picture_->current())];
      QVERIFY(costOf(mark, CostAxis::Parameters) >= x);
      x = costOf(mark, CostAxis::Parameters);
      QTest::keyClick(picture_, Qt::Key_Right);
    }
    QCOMPARE(picture_->current(), 16);
    QTest::keyClick(picture_, Qt::Key_Home);
    QTest::keyClick(picture_, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<Submodel>(), (Submodel{{32, 32, 32, 32}, {}}));
  }

  void theCurrentPointIsSpokenWithAllNumbers() {
    QVERIFY2(!scatter_->focusProxy(), "it would hide the controls above the picture from Tab");
    QTest::keyClick(picture_, Qt::Key_Home);
    const QString text = picture_->accessibleDescription();
    for (const char* part : {"S, trained granularity", "widths 32 × 4", "parameters 230,512",
                             "MFLOPs 10.4", "ms 0.230", "accuracy 0.804 ± 0.007",
                             "95 % 0.787–0.821", "loss", "agreement", "KL", "seeds 1, 2, 3"})
      QVERIFY2(text.contains(part), qPrintable(text));
  }

  void theNearestOfTwoOverlappingMarksIsClicked() {
    scatter_->setPoints({pointOf(Trained, "S", {100}, 1600), pointOf(Mixed, "102", {102}, 1600),
                         pointOf(Trained, "XL", {300}, 1700)});
    QApplication::processEvents();
    QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    QVERIFY(placeOf(1).x() - placeOf(0).x() < 8);
    for (const std::size_t mark : {0, 1}) click(mark);
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen[0][0].value<Submodel>().widths[0], 100);
    QCOMPARE(chosen[1][0].value<Submodel>().widths[0], 102);
  }

  void thePinnedPointStaysWhenOthersComeAndGo() {
    const ElasticPoint small = pointOf(Trained, "S", {50}, 1500),
                       mix = pointOf(Mixed, "99", {99}, 1600),
                       large = pointOf(Trained, "XL", {300}, 1700);
    const auto pinned = [this] {
      return picture_->current() < 0
                 ? QString()
                 : picture_->scene().marks[std::size_t(picture_->current())].name;
    };
    scatter_->setPoints({small, mix, large});
    click(2);
    QCOMPARE(pinned(), QString("XL"));
    scatter_->setPoints({small, large});
    QCOMPARE(pinned(), QString("XL"));
    QVERIFY(picture_->accessibleDescription().startsWith("XL"));
    scatter_->setPoints({small, mix, large, pointOf(Separate, "XL", {300}, 1650)});
    QCOMPARE(pinned(), QString("XL"));
    scatter_->setPoints({small, mix});
    QVERIFY2(picture_->current() < 0, "it is gone");
    // The cheapest is the slowest here: another axis is another order.
    ElasticPoint slow = small;
    slow.score.milliseconds = 99;
    scatter_->setPoints({slow, mix, large});
    click(0);
    QCOMPARE(pinned(), QString("S"));
    scatter_->setCostAxis(CostAxis::Milliseconds);
    QCOMPARE(pinned(), QString("S"));
  }

  void theCardFollowsTheHoveredPoint() {
    scatter_->setPoints({pointOf(Mixed, "40", {40}, 1500), pointOf(Trained, "XL", {300}, 1700)});
    QTest::mouseMove(picture_, placeOf(1));
    QApplication::processEvents();
    scatter_->setPoints({pointOf(Trained, "XL", {300}, 1700)});
    const QImage shown = picture_->grab().toImage();
    QTest::mouseMove(picture_, {1, 1});
    QApplication::processEvents();
    QVERIFY2(picture_->grab().toImage() != shown, "a card was there");
  }

  void aSecondClickDeselectsThePoint() {
    const QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    for (const int current : {3, -1, 3}) {
      click(3);
      QCOMPARE(picture_->current(), current);
    }
    QCOMPARE(chosen.size(), 3);
    click(0);
    QCOMPARE(picture_->current(), 0);
    QTest::keyClick(picture_, Qt::Key_Escape);
    QCOMPARE(picture_->current(), -1);
  }

  void theChosenIsRingedOnScreenOnly() {
    const QColor gold = style_->palette().mark;
    QCOMPARE(pixelsOf(picture_->grab().toImage(), gold), 0);
    scatter_->setChosen(Submodel{{64, 64, 128, 128}, {}});
    QVERIFY(pixelsOf(picture_->grab().toImage(), gold) > 20);
    QCOMPARE(pixelsOf(figureImage(*scatter_), paperPalette().mark), 0);
    scatter_->setChosen(Submodel{{1, 2, 3, 4}, {}});
    QCOMPARE(pixelsOf(picture_->grab().toImage(), gold), 0);
  }

  void granularitiesDifferInColourAndShape() {
    const auto drawn = [](int size, bool colour) {
      QImage image(24, 24, QImage::Format_RGB32);
      image.fill(Qt::white);
      Palette palette = paperPalette();
      if (!colour) palette.series.fill(Qt::black);
      const PlotLook look(palette);
      QPainter painter(&image);
      paintMark(painter, {12, 12}, Trained, size, false, look);
      return image;
    };
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        QVERIFY(drawn(a, false) != drawn(b, false));
        QVERIFY(paperPalette().series[std::size_t(a)] != paperPalette().series[std::size_t(b)]);
      }
  }

  void nothingMeasuredSaysWhatToDo() {
    scatter_->setPoints({});
    const QByteArray svg = svgOf(*scatter_);
    QVERIFY(svg.contains("No submodel has been measured yet"));
    QVERIFY(svg.contains("Train a nested model"));
    scatter_->setPoints(sampleScores());
    QVERIFY(!svgOf(*scatter_).contains("No submodel"));
  }

  void paperSaysWhatWasMeasured() {
    scatter_->setExperiment("sentiment", 1000);
    const QByteArray svg = svgOf(*scatter_);
    for (const char* part : {"Accuracy against parameters", "sentiment · 1,000 steps",
                             "2,000 held-out examples", "thousands of parameters"})
      QVERIFY2(svg.contains(part), part);
    scatter_->setCostAxis(CostAxis::Milliseconds);
    QVERIFY(svgOf(*scatter_).contains("milliseconds per example"));
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
    QVERIFY(table->isVisible() && !picture_->isVisible());
    QCOMPARE(scatter_->figureTitle(), table->figureTitle());
    QCOMPARE(scatter_->figureData().rows.size(), sampleScores().size());
    QVERIFY(!scatter_->figureData().columns.contains("on_pareto_line"));
    QVERIFY(svgOf(*scatter_).contains(">346,096<"));
    const QSignalSpy chosen(scatter_.get(), &AccuracyScatter::chosen);
    emit scatter_->findChild<ScoreTable*>()->chosen({{32, 32, 32, 32}, {}});
    QCOMPARE(chosen.size(), 1);
    scatter_->setCostAxis(CostAxis::Operations);  // the way back
    QVERIFY(!table->isVisible() && picture_->isVisible());
    QCOMPARE(scatter_->figureTitle(), QString("Accuracy against operations"));
    QVERIFY(scatter_->figureData().columns.contains("on_pareto_line"));
  }

 private:
  QPoint placeOf(std::size_t mark) const {
    const QRectF area = QRectF(picture_->rect()).adjusted(3, 3, -3, -3);
    return layoutScatter(picture_->scene(), area).spots[mark].place.toPoint();
  }
  void click(std::size_t mark) { QTest::mouseClick(picture_, Qt::LeftButton, {}, placeOf(mark)); }

  std::unique_ptr<Style> style_;
  std::unique_ptr<AccuracyScatter> scatter_;
  ScatterPicture* picture_ = nullptr;
};

TFM_TEST(TestAccuracyScatter)
#include "test_accuracy_scatter.moc"
