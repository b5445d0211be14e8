// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "tests/ui/growth/sample_growths.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/growth/growth_legend.h"
#include "ui/growth/growth_map.h"
#include "ui/growth/growth_marks.h"

using namespace tfm::ui;
using tfm::expand::Entry;

class TestGrowthMap : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<GrowthMap> map_;

  QImage picture() const { return map_->grab().toImage(); }
  QPoint centre(int row, int col) const { return map_->cellRect(row, col).center().toPoint(); }
  void show(const GrownCells& cells, const QSize& size = {760, 420}) {
    map_->setMatrix(cells);
    map_->resize(size);
    map_->show();
    QVERIFY(QTest::qWaitForWindowExposed(map_.get()));
  }
  /// The colour that `value` has in the picture.
  QRgb colorOf(float value) const {
    return ColorTable(ColorScale::signedTo(map_->matrix().limit()), style_.palette()).color(value);
  }
  /// How many different colours the middle of a cell has, leaving out its rounded corners.
  int shades(int row, int col) const {
    const QImage image = picture();
    const QRect cell = map_->cellRect(row, col).toAlignedRect().adjusted(3, 3, -3, -3);
    QSet<QRgb> seen;
    for (int y = cell.top(); y <= cell.bottom(); ++y)
      for (int x = cell.left(); x <= cell.right(); ++x) seen.insert(image.pixel(x, y));
    return static_cast<int>(seen.size());
  }
  static bool has(const QImage& image, const QColor& color) { return pixelsOf(image, color) > 0; }

 private slots:
  void init() { map_ = std::make_unique<GrowthMap>(style_); }
  void cleanup() { map_.reset(); }

  void oldCellsHaveTheColourOfTheirValueAndNothingElse() {
    show(feedForwardOut(), {400, 330});  // cells without numbers
    QVERIFY(map_->cellRect(0, 0).width() < 34);
    QCOMPARE(picture().pixel(centre(3, 2)), colorOf(map_->matrix().after(3, 2)));
    QCOMPARE(shades(3, 2), 1);
  }

  void zerosAreHatchedWhateverTheSizeOfCells() {
    show(feedForwardOut(), {400, 330});
    QVERIFY(shades(3, 7) > 3);
    // In small pictures the block carries the hatching.
    show(feedForwardOut(), {170, 170});
    QVERIFY(map_->cellRect(0, 0).width() < 18);
    const QRect block = (map_->cellRect(0, 5) | map_->cellRect(7, 8)).toAlignedRect();
    const QImage image = picture().copy(block);
    QSet<QRgb> seen;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
    QVERIFY(seen.size() > 5);
  }

  void everyMarkLooksDifferent() {
    QImage plain(40, 40, QImage::Format_RGB32);
    const QColor ground = signedColor(style_.palette(), 0.3, 1.0);
    plain.fill(ground);
    QList<QImage> seen{plain};
    for (const Entry entry : {Entry::Scaled, Entry::Adjusted, Entry::Zero, Entry::Free,
                              Entry::Derived, Entry::Padding}) {
      QImage image = plain;
      QPainter painter(&image);
      painter.setRenderHint(QPainter::Antialiasing);
      paintMark(painter, QRectF(4, 4, 32, 32), entry, ground, style_.palette(), 1.0);
      painter.end();
      QVERIFY(!seen.contains(image));
      seen << image;
    }
    QImage copied = plain;
    QPainter painter(&copied);
    paintMark(painter, QRectF(4, 4, 32, 32), Entry::Copied, ground, style_.palette(), 1.0);
    painter.end();
    QCOMPARE(copied, plain);
  }

  void rescaledCellsHaveAnAccentFrameAndOneBadge() {
    show(duplicated(), {760, 300});
    QVERIFY(has(picture().copy(map_->cellRect(2, 2).toAlignedRect()), style_.palette().accent));
    const QByteArray svg = svgOf(*map_);
    QCOMPARE(svg.count(">× 0.5<"), 1);
    show(feedForwardOut());
    QVERIFY(!has(picture().copy(map_->cellRect(2, 2).toAlignedRect()), style_.palette().accent));
    QVERIFY(!svgOf(*map_).contains(">× "));
  }

  void brokenZerosAreRed() {
    show(feedForwardOut(true), {400, 330});
    QVERIFY(has(picture().copy(map_->cellRect(3, 7).toAlignedRect()), style_.palette().bad));
    show(feedForwardOut(), {400, 330});
    QVERIFY(!has(picture(), style_.palette().bad));
  }

  void goldIsForSelectionOnly() {
    show(keys(2));
    QVERIFY(!has(picture(), style_.palette().mark));
    map_->showLock(Cell{3, 3});
    QVERIFY(has(picture(), style_.palette().mark));
  }

  void newCellsAndHeadsAreSeparated() {
    show(feedForwardOut());
    const double pitch = map_->cellRect(0, 1).left() - map_->cellRect(0, 0).left();
    QCOMPARE(map_->cellRect(0, 6).left() - map_->cellRect(0, 5).left(), pitch);
    QVERIFY(map_->cellRect(0, 5).left() - map_->cellRect(0, 4).left() > pitch + 2);
    show(keys(), {400, 900});
    const auto step = [&](int row) {
      return map_->cellRect(row, 0).top() - map_->cellRect(row - 1, 0).top();
    };
    QVERIFY(step(5) > step(1));  // what is new in a head
    QVERIFY(step(8) > step(5));  // the next head
    QCOMPARE(step(6), step(1));
  }

  void numbersAppearInLargeCells() {
    show(feedForwardOut());
    const QByteArray svg = svgOf(*map_);
    const QString number = QString::number(map_->matrix().after(0, 1), 'f', 2).remove("0.");
    QVERIFY(svg.contains(">" + number.toLatin1().replace("-", "-.") + "<") ||
            svg.contains(">." + number.toLatin1() + "<"));
    QVERIFY(svg.contains(">0<"));
    map_->setMatrix(square(60, 20));
    QVERIFY(!svgOf(*map_).contains(">0<"));
  }

  void bracketsNameTheDimensions() {
    show(keys());
    const QByteArray svg = svgOf(*map_);
    QVERIFY(svg.contains(">heads × key 35 → 56<"));
    QVERIFY(svg.contains(">hidden 8<"));
    QVERIFY(svg.contains(">35 × 8 → 56 × 8<"));
  }

  void paperHasVectorsAndManyCellsOnePicture() {
    show(feedForwardOut());
    QVERIFY(!svgOf(*map_).contains("<image"));
    map_->setMatrix(square(150, 50));
    const QByteArray svg = svgOf(*map_);
    QVERIFY(svg.contains("<image"));
    QVERIFY(svg.size() < 3'000'000);
  }

  void theGapBetweenOldAndNewIsNotACell() {
    show(feedForwardOut());
    QSignalSpy hovered(map_.get(), &CellGrid::hovered);
    QTest::mouseMove(map_->viewport(), centre(2, 6));
    QCOMPARE(hovered.takeLast(), QVariantList{2 * 9 + 6});
    const QPointF gap((map_->cellRect(0, 4).right() + map_->cellRect(0, 5).left()) / 2,
                      map_->cellRect(0, 4).center().y());
    QTest::mouseMove(map_->viewport(), gap.toPoint());
    QCOMPARE(hovered.takeLast(), QVariantList{-1});
  }

  void theTooltipSaysWhy() {
    show(feedForwardOut());
    QHelpEvent help(QEvent::ToolTip, centre(2, 6), map_->mapToGlobal(centre(2, 6)));
    QApplication::sendEvent(map_->viewport(), &help);
    QCOMPARE(QToolTip::text(), map_->matrix().describe(2, 6));
    QVERIFY(QToolTip::text().contains("zero"));
  }

  void edgesAreDragged() {
    show(feedForwardOut());
    QVERIFY(map_->handleRect(Qt::RightEdge).isEmpty());
    map_->setDraggable(Qt::RightEdge);
    QVERIFY(map_->handleRect(Qt::BottomEdge).isEmpty());
    QSignalSpy dragged(map_.get(), &GrowthMap::sizeDragged);
    const QPoint grip = map_->handleRect(Qt::RightEdge).center().toPoint();
    const int pitch = qRound(map_->cellRect(0, 1).left() - map_->cellRect(0, 0).left());
    QTest::mousePress(map_->viewport(), Qt::LeftButton, {}, grip);
    QVERIFY(!map_->lockedCell());
    QTest::mouseMove(map_->viewport(), grip + QPoint(2, 0));
    QVERIFY(dragged.isEmpty());
    QTest::mouseMove(map_->viewport(), grip + QPoint(2 * pitch, 0));
    QCOMPARE(dragged.takeLast(), (QVariantList{QVariant::fromValue(Qt::Horizontal), 11}));
    QTest::mouseMove(map_->viewport(), grip - QPoint(20 * pitch, 0));
    QCOMPARE(dragged.takeLast(), (QVariantList{QVariant::fromValue(Qt::Horizontal), 5}));
    QTest::mouseRelease(map_->viewport(), Qt::LeftButton, {}, grip);
    QTest::mouseMove(map_->viewport(), grip + QPoint(3 * pitch, 0));
    QVERIFY(dragged.isEmpty());
  }

  void aVectorIsAColumnWithoutRightEdgeToDrag() {
    show(feedForwardBias());
    map_->setDraggable(Qt::RightEdge | Qt::BottomEdge);
    QVERIFY(!map_->handleRect(Qt::BottomEdge).isEmpty());
    QVERIFY(map_->handleRect(Qt::RightEdge).isEmpty());
  }

  void cellsKeepTheirSizeWhileDragged() {
    show(feedForwardOut(), {430, 400});
    map_->setDraggable(Qt::RightEdge);
    const double width = map_->cellRect(0, 0).width();
    QTest::mousePress(map_->viewport(), Qt::LeftButton, {},
                      map_->handleRect(Qt::RightEdge).center().toPoint());
    map_->setMatrix(square(8, 16));
    QCOMPARE(map_->cellRect(0, 0).width(), width);
    QTest::mouseRelease(map_->viewport(), Qt::LeftButton);
    QVERIFY(map_->cellRect(0, 0).width() < width);
  }

  void theTableIsTheMatrix() {
    show(keys());
    QCOMPARE(map_->figureData().rows.size(), std::size_t{56 * 8});
    QCOMPARE(map_->figureData().columns.first(), QString("row"));
  }

  void manyCellsRepaintFast() {
    show(square(1000, 225), {1200, 900});
    QVERIFY(map_->itemCount() > 1'500'000);
    picture();  // fills the cache
    QElapsedTimer timer;
    timer.start();
    constexpr int kTimes = 5;
    for (int i = 0; i < kTimes; ++i) {
      map_->showLock(Cell{i, i});
      picture();
    }
    const double milliseconds = static_cast<double>(timer.elapsed()) / kTimes;
    qInfo("repaint of 1.5 million cells: %.1f ms", milliseconds);
    QVERIFY(milliseconds < 200);
  }

  void theLegendSaysWhatOccurs() {
    GrowthLegend legend(style_);
    legend.setMatrices({keys(1), feedForwardIn()});
    const QByteArray svg = svgOf(legend);
    for (const char* words :
         {">copied<", ">rescaled × 1.2649<", ">must be zero<", ">free<", ">padding<"})
      QVERIFY2(svg.contains(words), words);
    QVERIFY(!svg.contains(">adjusted<") && !svg.contains("is not"));
    legend.setMatrices({keys(1), duplicated()});
    QVERIFY2(svgOf(legend).contains(">rescaled × 1.2649, × 0.5<"),
             "all factors, where they are few");
    legend.setMatrices({feedForwardOut(true)});
    QVERIFY(svgOf(legend).contains(">should be zero, is not<"));
    QVERIFY(!svgOf(legend).contains(">free<"));
    // With less width it takes more lines.
    QVERIFY(!svgOf(legend).contains("1.5"));
    legend.setScale(ColorScale::signedTo(1.5));
    QVERIFY(svgOf(legend).contains(">+1.5"));
    QVERIFY(svgOf(legend).contains(">-1.5") || svgOf(legend).contains(">\u22121.5"));

    legend.setMatrices({keys(1), feedForwardIn()});
    QVERIFY(legend.heightForWidth(200) > 2 * legend.heightForWidth(1000));
  }
};

TFM_TEST(TestGrowthMap)
#include "test_growth_map.moc"
