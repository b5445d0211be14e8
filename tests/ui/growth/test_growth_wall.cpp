// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <numeric>

#include "core/expand/grow.h"
#include "core/model/presets.h"
#include "tests/ui/growth/sample_growths.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/growth/growth_film.h"
#include "ui/growth/growth_wall.h"

using namespace tfm;
using namespace tfm::ui;

class TestGrowthWall : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<GrowthWall> wall_;

  /// All parameters of a preset, which do not change.
  static std::vector<GrownCells> wholeModel(const char* preset) {
    const auto state =
        std::make_shared<const ModelState>(initialState(presetNamed(preset).config(), 1));
    std::vector<GrownCells> cells;
    for (expand::GrownMatrix& matrix : expand::unchangedMatrices(state))
      cells.emplace_back(std::move(matrix));
    return cells;
  }

  /// A new matrix of eight equal numbers.
  static GrownCells zeros() { return newMatrix(0.0F); }
  static GrownCells newMatrix(float value) {
    expand::GrownMatrix matrix;
    matrix.growth.after.name = "decoder.layers.0.feed_forward.in.bias";
    matrix.growth.after.shape = {dimensionOf(Axis::FeedForward, 1), dimensionOf(Axis::Hidden, 8)};
    matrix.growth.rows = longer(0, 1);
    matrix.growth.cols = longer(0, 8, Added::Zero);
    matrix.after = std::vector<float>(8, value);
    return GrownCells(std::move(matrix));
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    wall_ = std::make_unique<GrowthWall>(*style_);
    wall_->setTitle("Key size 5 to 8");
    wall_->setMatrices(sampleWall());
    wall_->resize(1000, 500);
    wall_->show();
    QVERIFY(QTest::qWaitForWindowExposed(wall_.get()));
  }
  void cleanup() {
    wall_.reset();
    style_.reset();
  }

  void onlyChangedMatricesAreShownByDefault() {
    QCOMPARE(wall_->itemCount(), 9);
    QVERIFY(wall_->matrixRect(9).isEmpty());
    wall_->setShowAll(true);
    QCOMPARE(wall_->itemCount(), 10);
    QVERIFY(!wall_->matrixRect(9).isEmpty());
  }

  void matricesDoNotOverlapAndStayInside() {
    for (int i = 0; i < 9; ++i) {
      QVERIFY(wall_->matrixRect(i).left() >= 0 &&
              wall_->matrixRect(i).right() <= wall_->viewport()->width());
      for (int j = 0; j < i; ++j) {
        const QRectF &one = wall_->matrixRect(i), &other = wall_->matrixRect(j);
        QVERIFY2(!one.intersects(other) || one.contains(other) || other.contains(one),
                 "only a bias lies in the frame of its matrix");
      }
    }
  }

  /// At first all is seen, and nothing is as small as it would have to be with all texts.
  void theWholeModelIsSeenAtFirst_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("desktop") << QSize(930, 480);
    QTest::newRow("low") << QSize(700, 260);
    QTest::newRow("narrow") << QSize(420, 600);
  }
  void theWholeModelIsSeenAtFirst() {
    QFETCH(QSize, size);
    wall_->setShowAll(true);
    wall_->setMatrices(wholeModel("rot13"));
    wall_->resize(size);
    QCOMPARE(wall_->zoom(), 1.0);
    QVERIFY(wall_->itemCount() > 20);
    const QRectF view(wall_->viewport()->rect());
    for (int i = 0; i < wall_->itemCount(); ++i) QVERIFY(view.contains(wall_->itemRect(i)));
    QVERIFY2(wall_->pitch() >= 2.0, qPrintable(QString::number(wall_->pitch())));
  }

  /// What a growth changes is seen from near, with its numbers where it is small, and 0 or Fit
  /// shows all again.
  void itZoomsToWhatGrows() {
    wall_->setShowAll(true);
    wall_->setMatrices(wholeModel("rot13"));
    const double whole = wall_->pitch();
    const auto named = [&](const char* name) {
      for (int i = 0; i < wall_->itemCount(); ++i)
        if (wall_->itemText(i).startsWith(QString(name))) return wall_->shown()[std::size_t(i)];
      return -1;
    };
    const std::vector<int> grown{named("encoder.layers.0.feed_forward.linear1.weight"),
                                 named("encoder.layers.0.feed_forward.linear2.weight")};
    QVERIFY(grown.front() >= 0 && grown.back() >= 0);
    wall_->zoomTo(grown);
    QVERIFY2(wall_->pitch() > 4 * whole, qPrintable(QString::number(wall_->pitch())));
    const QRectF view(wall_->viewport()->rect());
    for (const int matrix : grown) QVERIFY(view.contains(wall_->matrixRect(matrix)));
    // All layers together would be too small: the first one is shown.
    std::vector<int> both = grown;
    both.push_back(named("decoder.layers.0.feed_forward.linear1.weight"));
    wall_->zoomTo(both);
    wall_->resize(400, 300);  // what it zoomed to is followed
    QVERIFY(QRectF(wall_->viewport()->rect()).contains(wall_->matrixRect(both.front())));
    QVERIFY(!QRectF(wall_->viewport()->rect()).intersects(wall_->matrixRect(both.back())));
    QTest::keyClick(wall_.get(), Qt::Key_0);
    QCOMPARE(wall_->zoom(), 1.0);
    wall_->resize(420, 300);
    QCOMPARE(wall_->zoom(), 1.0);  // not any more
    QVERIFY(wall_->pitch() <= whole);
  }

  /// The cell under the pointer stays there, whatever texts do.
  void theWheelZoomsAtThePointer() {
    wall_->setMatrices(sampleWall());
    const QPointF at = wall_->matrixRect(6).center();
    wall_->setZoom(5.0, at);
    QCOMPARE(wall_->zoom(), 5.0);
    const QRectF now = wall_->matrixRect(6);
    QVERIFY2(now.contains(at) && (now.center() - at).manhattanLength() < 3,
             qPrintable(QString("%1, %2; %3, %4")
                            .arg(now.center().x())
                            .arg(now.center().y())
                            .arg(at.x())
                            .arg(at.y())));
  }

  /// The blocks of a model are in order, with little space lost between them.
  void blocksFlowWithoutGaps_data() {
    QTest::addColumn<int>("width");
    for (const int width : {760, 1000, 1400}) QTest::addRow("%d", width) << width;
  }
  void blocksFlowWithoutGaps() {
    QFETCH(int, width);
    const std::vector<GrownCells> cells = wholeModel("rot13");
    std::vector<int> all(cells.size());
    std::iota(all.begin(), all.end(), 0);
    const WallWords words(*style_);
    const WallFlow flow = wallOnPages({cells, all, words}, QSizeF(width, 600));
    QVERIFY(flow.plan.blocks.size() > 6 && flow.items.size() == cells.size());
    double filled = 0.0;
    for (std::size_t b = 0; b < flow.plan.blocks.size(); ++b) {
      const PlanBlock& block = flow.plan.blocks[b];
      const QRectF& frame = block.frame;
      filled += frame.width() * frame.height();
      QVERIFY(frame.right() <= width + 0.1);
      for (std::size_t other = 0; other < b; ++other)
        QVERIFY(!frame.intersects(flow.plan.blocks[other].frame));
      for (std::size_t i = block.first; i < block.first + block.count; ++i) {
        QVERIFY(frame.contains(flow.plan.pieces[i]));
        for (std::size_t other = block.first; other < i; ++other)
          QVERIFY(!flow.plan.pieces[i].intersects(flow.plan.pieces[other]));
      }
      // In the order of execution: never back to a row above.
      if (b > 0) QVERIFY(frame.bottom() > flow.plan.blocks[b - 1].frame.top());
    }
    for (std::size_t i = 0; i < flow.items.size(); ++i) {
      const WallItem& item = flow.items[i];
      const PlanBlock& block = flow.plan.blockOf(item.piece);
      QCOMPARE(item.matrix, int(i));
      QCOMPARE(cells[i].tag().site.layer, block.place.site.layer);
      QVERIFY(flow.plan.pieces[item.piece].contains(item.frame));
      // A bias stands beside its matrix, row by row.
      QCOMPARE(item.words.isEmpty(),
               cells[i].tag().term == Term::Bias || cells[i].tag().term == Term::Shift);
      if (item.words.isEmpty()) QCOMPARE(item.origin.y(), flow.items[i - 1].origin.y());
    }
    const double share = filled / (flow.plan.size.width() * flow.plan.size.height());
    QVERIFY2(share > 0.8, qPrintable(QString::number(share)));
  }

  void aClickSelectsInGold() {
    QSignalSpy selected(wall_.get(), &GrowthWall::selected);
    const QRectF place = wall_->matrixRect(1);
    const auto hasGold = [&] {
      return pixelsOf(wall_->grab().toImage(), style_->palette().mark) > 0;
    };
    QVERIFY(!hasGold());
    const QPoint point = (place.topLeft() + QPointF(20, 20)).toPoint();
    QTest::mouseClick(wall_->viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(selected.takeLast(), (QVariantList{1}));
    QTest::mouseClick(wall_->viewport(), Qt::LeftButton, {}, point);
    QVERIFY2(selected.isEmpty() && wall_->selection() == 1, "a second click keeps it");
    QVERIFY(hasGold());
    QTest::keyClick(wall_.get(), Qt::Key_Right);
    QCOMPARE(selected.takeLast(), (QVariantList{2}));
    QTest::keyClick(wall_.get(), Qt::Key_Escape);
    QCOMPARE(selected.takeLast(), (QVariantList{-1}));
    QVERIFY(!hasGold());
  }

  void selectingFromOutsideIsSilentAndScrolls() {
    wall_->setZoom(8.0, {});
    QSignalSpy selected(wall_.get(), &GrowthWall::selected);
    QVERIFY(wall_->verticalScrollBar()->maximum() > 0);
    QVERIFY(!QRectF(wall_->viewport()->rect()).intersects(wall_->matrixRect(8)));
    wall_->select(8);
    QVERIFY(selected.isEmpty());
    QVERIFY(wall_->matrixRect(8).top() < wall_->viewport()->height());
    QCOMPARE(wall_->selection(), 8);
  }

  void theTitleOfItsBlockIsSeenWithASelectedMatrix() {
    wall_->setZoom(3.0, {});
    wall_->verticalScrollBar()->setValue(wall_->verticalScrollBar()->maximum());
    QVERIFY(wall_->matrixRect(0).bottom() < 0);
    wall_->select(0);
    QVERIFY2(wall_->matrixRect(0).top() > 20, "room for a line of words");
  }

  void fewLargeValuesAndZerosDoNotPaleTheRest() {
    wall_->setMatrices({feedForwardIn()});
    const double usual = wall_->scale().high;
    QVERIFY(usual < 0.99);
    // Eight more zeros, whose own limit would be 1.
    wall_->setMatrices({feedForwardIn(), zeros()});
    QCOMPARE(wall_->scale().high, usual);
  }

  /// Colours of painted matrices are cached while valid.
  void coloursFollowTheValuesAndTheTheme() {
    const auto seen = [this] { return wall_->grab().toImage(); };
    wall_->setMatrices({newMatrix(0.5F)});
    const QImage blue = seen();
    wall_->setMatrices({newMatrix(-0.5F)});
    const QImage orange = seen();
    QVERIFY(orange != blue);
    wall_->setMatrices({newMatrix(0.5F)});
    QCOMPARE(seen(), blue);
    style_->setTheme(Theme::Light);
    const QImage light = seen();
    style_->setTheme(Theme::Dark);
    QVERIFY(seen() != light);
    style_->setTheme(Theme::Light);
    QCOMPARE(seen(), light);
  }

  void cellsAreOneSizeAndHovered() {
    QSignalSpy hovered(wall_.get(), &GrowthWall::cellHovered);
    const QRectF place = wall_->matrixRect(0);
    // The last row of cells ends just above the frame's lower edge.
    QTest::mouseMove(wall_->viewport(), QPointF(place.left() + 8 + wall_->pitch() / 2,
                                                place.bottom() - 8 - wall_->pitch() / 2)
                                            .toPoint());
    QVERIFY(!hovered.isEmpty());
    QCOMPARE(hovered.last().at(0).toInt(), 0);
    QCOMPARE(hovered.last().at(1).toInt(), 11);
    QCOMPARE(hovered.last().at(2).toInt(), 0);
  }

  /// Only of the selected matrix, and only draggable ones.
  void edgesAreDragged() {
    wall_->setZoom(2.5, {});
    wall_->select(5);  // 8 x 5 -> 8 x 9
    QVERIFY(wall_->handleRect(Qt::RightEdge).isEmpty());
    wall_->setDraggable(Qt::RightEdge);
    QVERIFY(wall_->handleRect(Qt::BottomEdge).isEmpty());
    QVERIFY(wall_->matrixRect(5).contains(wall_->handleRect(Qt::RightEdge)));
    QSignalSpy dragged(wall_.get(), &GrowthWall::sizeDragged);
    const QPoint grip = wall_->handleRect(Qt::RightEdge).center().toPoint();
    const int pitch = qRound(wall_->pitch());
    QWidget* view = wall_->viewport();
    QTest::mousePress(view, Qt::LeftButton, {}, grip);
    QTest::mouseMove(view, grip + QPoint(2, 0));
    QVERIFY(dragged.isEmpty());
    QTest::mouseMove(view, grip + QPoint(2 * pitch, 0));
    QCOMPARE(dragged.takeLast(), (QVariantList{QVariant::fromValue(Qt::Horizontal), 11}));
    QTest::mouseMove(view, grip - QPoint(20 * pitch, 0));
    QCOMPARE(dragged.takeLast(), (QVariantList{QVariant::fromValue(Qt::Horizontal), 5}));
    QTest::mouseRelease(view, Qt::LeftButton, {}, grip);
    QTest::mouseMove(view, grip + QPoint(3 * pitch, 0));
    QVERIFY(dragged.isEmpty());
    wall_->select(3);  // the edges are those of another
    QTest::mousePress(view, Qt::LeftButton, {}, grip);
    QTest::mouseMove(view, grip + QPoint(2 * pitch, 0));
    QVERIFY(dragged.isEmpty());
  }

  /// Its pixels keep standing for the same number of cells, whatever grows before it.
  void aDraggedMatrixDoesNotMove() {
    const auto wider = [](int more) {
      return std::vector{square(8, 4 + more), square(12, 2 + more), unchanged()};
    };
    wall_->setMatrices(wider(0));
    wall_->setDraggable(Qt::RightEdge);
    wall_->select(1);
    const QPointF place = wall_->matrixRect(1).topLeft();
    const double pitch = wall_->pitch();
    QTest::mousePress(wall_->viewport(), Qt::LeftButton, {},
                      wall_->handleRect(Qt::RightEdge).center().toPoint());
    const double grip = wall_->handleRect(Qt::RightEdge).left();
    wall_->setMatrices(wider(45));
    wall_->setMatrices(wider(90));
    QCOMPARE(wall_->pitch(), pitch);
    QCOMPARE(wall_->matrixRect(1).topLeft(), place);
    QCOMPARE(wall_->handleRect(Qt::RightEdge).left(), grip + 90 * pitch);
    QVERIFY2(wall_->matrixRect(0).right() <= place.x(), "the rows are kept");
    QTest::mouseRelease(wall_->viewport(), Qt::LeftButton);
    QVERIFY2(wall_->pitch() < pitch, "then everything finds its place again");
    QVERIFY(wall_->matrixRect(0).left() > 0);
  }

  void framesFollowTheFontSize() {
    wall_->resize(2000, 1000);
    const double narrow = wall_->matrixRect(0).width();
    style_->setScale(2.0 * style_->scale());
    wall_->resize(4000, 2000);
    QVERIFY(wall_->matrixRect(0).width() > 1.6 * narrow);
  }

  void screenReadersReadTheMatrices() {
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(wall_.get());
    QVERIFY(table);
    QCOMPARE(table->childCount(), 9);
    QCOMPARE(table->child(3)->text(QAccessible::Name),
             QString("decoder.layers.0.feed_forward.in.weight, 5 × 8 → 9 × 8, 40 → 72 parameters"));
  }

  void theWholeWallIsPrinted() {
    wall_->setCellSize(24);  // most is scrolled out of sight
    const QByteArray svg = svgOf(*wall_);
    for (const char* text :
         {">Key size 5 to 8<", ">embedding<", ">8 × 5 → 8 × 9  (40 → 72)<", ">5 × 8  (0 → 40)<"})
      QVERIFY2(svg.contains(text), text);
    QVERIFY(!svg.contains("<image"));
    QVERIFY(!svg.contains(">head<"));
    const DataTable table = wall_->figureData();
    QCOMPARE(table.rows.size(), std::size_t{9});
    QCOMPARE(table.rows[2], (QStringList{"decoder.layers.0.self_attention.key.weight", "35", "8",
                                         "56", "8", "280", "448"}));
  }

  void aFilmFillsItsFrame() {
    // As many matrices as a new hidden width changes: they must not become a thin column.
    std::vector<GrownCells> many;
    for (int i = 0; i < 4; ++i)
      for (const GrownCells& cells : sampleWall()) many.push_back(cells);
    GrowthFilm film(*style_, "Hidden width", many, {1600, 900});
    QImage image(1600, 900, QImage::Format_RGB32);
    image.fill(style_->palette().ground);
    QPainter painter(&image);
    film.paint(painter, 1.0, style_->palette());
    painter.end();
    int left = image.width(), right = 0;
    // Between the title and the legend.
    for (int y = 120; y < 780; ++y)
      for (int x = 0; x < image.width(); ++x)
        if (image.pixel(x, y) != style_->palette().ground.rgb()) {
          left = std::min(left, x);
          right = std::max(right, x);
        }
    QVERIFY2(right - left > 1200, qPrintable(QString::number(right - left)));
    QVERIFY(left > 0 && right < image.width() - 1);
  }

  void zerosAreHatchedOnPaper() {
    const auto linesOf = [&](const GrownCells& cells) {
      wall_->setMatrices({cells});
      return svgOf(*wall_).count("<polyline") + svgOf(*wall_).count("<path");
    };
    wall_->setCellSize(24);
    QVERIFY(linesOf(feedForwardOut()) > linesOf(unchanged()) + 20);
  }
};

TFM_TEST(TestGrowthWall)
#include "test_growth_wall.moc"
