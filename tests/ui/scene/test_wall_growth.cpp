// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QtTest>

#include "tests/test_program.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/scene/sample_growth.h"
#include "ui/scene/growth_overlay.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

const QSize kWallSize(900, 640);

/// Pixels that differ from `colour` by little.
int pixelsOf(const QColor& colour, const QImage& image) {
  constexpr int kNear = 2;
  const auto near = [](int a, int b) { return std::abs(a - b) <= kNear; };
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QRgb pixel = image.pixel(x, y);
      count += near(qRed(pixel), colour.red()) && near(qGreen(pixel), colour.green()) &&
               near(qBlue(pixel), colour.blue());
    }
  return count;
}

}  // namespace

/// A wall of two matrices, the first of which grows within its heads and by columns.
class TestWallGrowth : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<MatrixWall> wall_;
  std::vector<MatrixSlab> before_, after_;
  std::vector<expand::GrownMatrix> growth_;

  QImage seen() {
    wall_->grab();
    return wall_->capture(kWallSize, 1);
  }
  /// Where the centre of a cell is drawn, found with cellAt().
  std::vector<CellRef> cellsSeen() {
    std::vector<CellRef> cells;
    for (int y = 0; y < kWallSize.height(); y += 2)
      for (int x = 0; x < kWallSize.width(); x += 2)
        if (const auto cell = wall_->cellAt(QPointF(x, y)))
          if (std::ranges::find(cells, *cell) == cells.end()) cells.push_back(*cell);
    return cells;
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    style_->setMotion(false);
    before_ = {tfm::test::slab("key", 8, 6), tfm::test::slab("output", 5, 5)};
    for (std::size_t i = 0; i < 48; ++i) tfm::test::put(before_[0], i, i % 2 ? 0.5f : -0.5f);
    growth_ = {tfm::test::grown(before_[0], tfm::test::widened(8, 2, 1, Added::Zero),
                                tfm::test::widened(6, 6, 2, Added::Free), 1.f, 1.5),
               tfm::test::grown(before_[1], tfm::test::unchanged(5), tfm::test::unchanged(5), 0.f)};
    after_ = {tfm::test::slab("key", 12, 8), tfm::test::slab("output", 5, 5)};
    wall_ = std::make_unique<MatrixWall>(*style_);
    wall_->resize(kWallSize);
    wall_->setSlabs(before_);
    wall_->setFixedLimit(1.0);
  }
  void cleanup() {
    wall_.reset();
    style_.reset();
  }

  void previewShowsTheOldCellsAndOutlines() {
    seen();
    const QImage plain = wall_->grab().toImage();
    wall_->setGrowth(after_, growth_);
    QVERIFY(wall_->showsGrowth());
    QCOMPARE(wall_->growthProgress(), 0.0);
    QVERIFY(tfm::test::differingPixels(plain, wall_->grab().toImage()) > 2000);
    QCOMPARE(cellsSeen().size(), std::size_t{8 * 6 + 5 * 5});
    wall_->setPickedCell(CellRef{0, 7, 5});
    QVERIFY(wall_->describe({0, 7, 5}).contains("hidden 8, key 6"));
  }

  void newPartsAreOutlinedOnceInPlace() {
    const auto slabs = matchGrowth(before_, after_, growth_);
    std::vector<bool> covered(std::size_t{12 * 8});
    for (const FreshBlock& block : freshBlocks(slabs, after_)) {
      QCOMPARE(block.slab, 0);  // the other one does not grow
      for (int row = block.row; row < block.row + block.rows; ++row)
        for (int col = block.col; col < block.col + block.cols; ++col)
          covered[std::size_t(row * 8 + col)] = true;
    }
    QCOMPARE(std::ranges::count(covered, false), 8 * 6);  // the old cells
    wall_->setGrowth(after_, growth_);
    wall_->setGrowthProgress(1.0);
    seen();
    QVERIFY(svgOf(*wall_).contains("stroke-dasharray"));
    wall_->clearGrowth();
    QVERIFY(!svgOf(*wall_).contains("stroke-dasharray"));
  }

  void duringGrowthNoCellIsNamed() {
    wall_->setGrowth(after_, growth_);
    wall_->setPickedCell(CellRef{0, 1, 1});
    wall_->setGrowthProgress(0.4);
    QVERIFY(!wall_->pickedCell());
    QVERIFY(cellsSeen().empty());
  }

  void everyMomentIsAnotherPicture() {
    wall_->setGrowth(after_, growth_);
    QImage last = seen();
    for (const double progress : {0.2, 0.4, 0.8, 1.0}) {
      wall_->setGrowthProgress(progress);
      const QImage now = seen();
      QVERIFY(tfm::test::differingPixels(last, now) > 500);
      last = now;
    }
    wall_->setGrowthProgress(1.0);
    QCOMPARE(tfm::test::differingPixels(last, seen()), 0);
  }

  void newCellsAppearOverTheSlabsBack() {
    wall_->setGrowth(after_, growth_);
    const QColor blue = signedColor(style_->palette(), 1, 1), back = style_->palette().raised;
    constexpr float kProgress = 0.75f;
    const float share = GrowingWall::appearance(kProgress);
    const auto part = [share](int from, int to) {
      return qRound(float(from) + share * float(to - from));
    };
    const QColor between(part(back.red(), blue.red()), part(back.green(), blue.green()),
                         part(back.blue(), blue.blue()));
    wall_->setGrowthProgress(kProgress);
    const QImage halfway = seen();
    QVERIFY(pixelsOf(between, halfway) > 5000);
    QCOMPARE(pixelsOf(blue, halfway), 0);
    wall_->setGrowthProgress(1);
    QVERIFY(pixelsOf(blue, seen()) > 200);
  }

  /// All at once would be one long frame.
  void numbersChangeOneSlabAfterTheOther() {
    tfm::test::fill(before_[0], 0.25f);
    tfm::test::fill(before_[1], -0.25f);
    growth_[0] =
        tfm::test::grown(before_[0], tfm::test::unchanged(8), tfm::test::unchanged(6), 0.f, 4.0);
    growth_[1] =
        tfm::test::grown(before_[1], tfm::test::unchanged(5), tfm::test::unchanged(5), 0.f, 4.0);
    after_[0] = tfm::test::slabAfter(before_[0], growth_[0]);
    after_[1] = tfm::test::slabAfter(before_[1], growth_[1]);
    wall_->setSlabs(before_);
    wall_->setGrowth(after_, growth_);
    const auto has = [&](double value) {
      return pixelsOf(signedColor(style_->palette(), value, 1), seen()) > 50;
    };
    struct Moment {
      double progress, first, second;
    };
    for (const Moment& moment :
         {Moment{0.55, 0.25, -0.25}, {0.65, 1, -0.25}, {0.85, 1, -1}, {0.65, 1, -0.25}}) {
      wall_->setGrowthProgress(moment.progress);
      QVERIFY(has(moment.first));
      QVERIFY(has(moment.second));
      QVERIFY(!has(1.25 - moment.first));
      QVERIFY(!has(-1.25 - moment.second));
    }
  }

  void grownCellsArePickedByTheirNewPlace() {
    wall_->setGrowth(after_, growth_);
    wall_->setGrowthProgress(1);
    QCOMPARE(cellsSeen().size(), std::size_t{12 * 8 + 5 * 5});
    QVERIFY(wall_->describe({0, 0, 0}).contains(QString("rescaled %1 1.5").arg(QChar(0x00d7))));
    QVERIFY(wall_->describe({0, 2, 0}).contains("zero"));
    QVERIFY(wall_->describe({0, 0, 7}).contains("free"));
    QVERIFY(!wall_->describe({1, 0, 0}).contains("free"));
    // A free entry of 1 is the only full blue; it is picked where it is drawn.
    const QImage image = seen();
    const QColor blue = signedColor(style_->palette(), 1, 1);
    int right = 0, wrong = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        const QColor pixel(image.pixel(x, y));
        if (std::abs(pixel.red() - blue.red()) + std::abs(pixel.green() - blue.green()) +
                std::abs(pixel.blue() - blue.blue()) >
            6)
          continue;
        const auto cell = wall_->cellAt(QPointF(x + 0.5, y + 0.5));
        (cell && cell->slab == 0 && cell->col >= 6 && cell->row % 3 != 2 ? right : wrong) += 1;
      }
    }
    QVERIFY(right > 200);
    QCOMPARE(wrong, 0);
  }

  void clearingGoesBack() {
    const Camera home = wall_->camera();
    const QImage before = seen();
    wall_->setGrowth(after_, growth_);
    wall_->setGrowthProgress(1);
    QVERIFY(tfm::test::differingPixels(before, seen()) > 1000);
    wall_->clearGrowth();
    QVERIFY(!wall_->showsGrowth());
    QCOMPARE(tfm::test::differingPixels(before, seen()), 0);
    QCOMPARE(wall_->camera().distance, home.distance);
    QVERIFY(wall_->grownSlabs().empty());
  }

  void applyingMovesNothing() {
    wall_->setGrowth(after_, growth_);
    wall_->setGrowthProgress(1);
    const Camera camera = wall_->camera();
    const auto cells = cellsSeen();
    wall_->setSlabs(std::vector(wall_->grownSlabs().begin(), wall_->grownSlabs().end()));
    QVERIFY(!wall_->showsGrowth());
    QCOMPARE(wall_->camera().distance, camera.distance);
    QCOMPARE(cellsSeen(), cells);
  }

  void valuesUpdateWhileAGrowthIsShown() {
    wall_->setGrowth(after_, growth_);
    const QImage before = seen();
    wall_->setValues(0, std::vector<float>(48, 1.f));
    QVERIFY(tfm::test::differingPixels(before, seen()) > 500);
    QCOMPARE(wall_->slabs()[0].value(0, 0), 1.f);
  }

  void roomIsMadeInMotion() {
    style_->setMotion(true);
    wall_->show();
    QVERIFY(QTest::qWaitForWindowExposed(wall_.get()));
    wall_->setGrowth(after_, growth_);
    const QImage first = wall_->grab().toImage();
    QTest::qWait(900);
    const QImage last = wall_->grab().toImage();
    QVERIFY(tfm::test::differingPixels(first, last) > 500);
  }

  void theLegendNamesTheMarks() {
    QStringList words;
    for (const GrowthMark& mark : growthMarks({growth_.begin(), growth_.end()}))
      words << mark.words;
    QCOMPARE(words.size(), 4);
    QCOMPARE(words[0], QString("copied"));
    QCOMPARE(words[1], QString("rescaled %1 1.5").arg(QChar(0x00d7)));
    wall_->setGrowth(after_, growth_);
    const QImage with = wall_->grab().toImage().copy(0, kWallSize.height() - 40, 400, 40);
    wall_->clearGrowth();
    const QImage without = wall_->grab().toImage().copy(0, kWallSize.height() - 40, 400, 40);
    QVERIFY(tfm::test::differingPixels(with, without) > 300);
  }

  void theFigureHasTheLegend() {
    const auto legend = [this] {
      QImage paper(wall_->figureSize().toSize(), QImage::Format_RGB32);
      QPainter painter(&paper);
      wall_->paintFigure(painter, paper.rect(), paperPalette());
      painter.end();
      return paper.copy(0, paper.height() - 40, 400, 40);
    };
    const QImage plain = legend();
    wall_->setGrowth(after_, growth_);
    QVERIFY(tfm::test::differingPixels(legend(), plain) > 300);
    wall_->setGrowthProgress(1);
    QCOMPARE(wall_->figureData().rows.size(), std::size_t{12 * 8 + 25});
  }

  void aMismatchChangesNothing() {
    after_[0] = tfm::test::slab("key", 11, 8);
    QVERIFY_EXCEPTION_THROWN(wall_->setGrowth(after_, growth_), std::logic_error);
    QVERIFY(!wall_->showsGrowth());
    QVERIFY_EXCEPTION_THROWN(wall_->setGrowthProgress(0.5), std::logic_error);
  }
};

TFM_TEST(TestWallGrowth)
#include "test_wall_growth.moc"
