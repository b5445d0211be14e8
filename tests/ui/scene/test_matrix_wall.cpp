// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPdfWriter>
#include <QtTest>
#include <algorithm>

#include "sample_slabs.h"
#include "tests/test_program.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

using namespace tfm::ui;

namespace {

const QSize kSize(800, 600);

/// The mean place and number of pixels with the colour of the largest positive value.
std::pair<QPointF, int> positiveSpot(const QImage& image, const Palette& palette) {
  const QColor wanted = signedColor(palette, 1, 1);
  QPointF sum;
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel(image.pixel(x, y));
      if (std::abs(pixel.red() - wanted.red()) + std::abs(pixel.green() - wanted.green()) +
              std::abs(pixel.blue() - wanted.blue()) >
          24)
        continue;
      sum += QPointF(x + 0.5, y + 0.5);
      ++count;
    }
  }
  return {count ? sum / count : QPointF(), count};
}

}  // namespace

class TestMatrixWall : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void manyCanBeMadeAndDestroyed();
  void sceneIsNotEmpty();
  void picksTheCellThatIsDrawnThere_data();
  void picksTheCellThatIsDrawnThere();
  void longVectorsStandUpright();
  void newValuesChangeThePicture();
  void theOutsideFadesInChangedSlabs();
  void automaticLimitFollowsTheValues();
  void fixedLimitStays();
  void aProjectorShowsLargeAndStrongSlabs();
  void resizingKeepsTheWallInView();
  void captureHasTheSizeAskedFor();
  void themesChangeTheGround();
  void figureIsOnPaperAndLeavesTheScreenAlone();
  void figureGoesIntoAPdf();
  void dataHasEveryValue();
  void wrongShapesAreRefused();
  void withoutOpenGlItSaysSo();

 private:
  std::unique_ptr<Style> style_;
};

void TestMatrixWall::initTestCase() {
  style_ = std::make_unique<Style>(*qApp);
  style_->setMotion(false);
}

void TestMatrixWall::manyCanBeMadeAndDestroyed() {
  for (int i = 0; i < 12; ++i) {
    MatrixWall wall(*style_), other(*style_);
    wall.setSlabs(tfm::test::smallModel());
    other.setSlabs(tfm::test::largeModel());
    QVERIFY(!wall.grab().isNull());
    QVERIFY(!other.grab().isNull());
    QVERIFY(!wall.grab().isNull());
  }
}

void TestMatrixWall::sceneIsNotEmpty() {
  MatrixWall wall(*style_);
  QVERIFY(wall.available());
  wall.resize(kSize);
  const QColor ground = style_->palette().ground;
  const auto drawn = [&] {
    const QImage image = wall.capture(kSize, 1);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += QColor(image.pixel(x, y)) != ground;
    return count;
  };
  wall.grab();
  QCOMPARE(drawn(), 0);
  wall.setSlabs(tfm::test::smallModel());
  wall.grab();
  QVERIFY(drawn() > kSize.width() * kSize.height() / 20);
}

void TestMatrixWall::picksTheCellThatIsDrawnThere_data() {
  QTest::addColumn<int>("slab");
  QTest::addColumn<int>("row");
  QTest::addColumn<int>("col");
  QTest::newRow("first") << 0 << 0 << 0;
  QTest::newRow("in a tall one") << 2 << 30 << 6;
  QTest::newRow("in a wide one") << 8 << 2 << 31;
  QTest::newRow("in a bias") << 3 << 17 << 0;
  QTest::newRow("in the nearest") << 24 << 27 << 7;
}

void TestMatrixWall::picksTheCellThatIsDrawnThere() {
  QFETCH(int, slab);
  QFETCH(int, row);
  QFETCH(int, col);
  auto slabs = tfm::test::smallModel();
  MatrixSlab& matrix = slabs[static_cast<std::size_t>(slab)];
  tfm::test::put(matrix, static_cast<std::size_t>(row * matrix.cols + col), 1);
  const CellRef cell{slab, row, col};

  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(slabs);
  wall.setFixedLimit(1.0);
  for (const auto view : {MatrixWall::View::Front, MatrixWall::View::Iso, MatrixWall::View::Top}) {
    wall.showView(view);
    wall.grab();
    const auto [spot, count] = positiveSpot(wall.capture(kSize, 1), style_->palette());
    QVERIFY2(count > 0, "the cell is drawn");
    QCOMPARE(wall.cellAt(spot), std::optional(cell));
    // A camera that is not the one drawn with picks something else.
    Camera other = wall.camera();
    other.orbit(4, 4);
    other.zoom(0.9f, {0, 0}, kSize);
    wall.setCamera(other);
    QVERIFY(wall.cellAt(spot) != std::optional(cell));
  }
  QVERIFY(wall.describe(cell).contains(matrix.name));
  QVERIFY(wall.describe(cell).contains(
      QStringLiteral("hidden %1, key %2\n1").arg(row + 1).arg(col + 1)));
}

void TestMatrixWall::longVectorsStandUpright() {
  auto slabs = std::vector{tfm::test::slab("weight", 300, 40), tfm::test::slab("bias", 300, 1)};
  for (std::size_t i = 0; i < 150; ++i) tfm::test::put(slabs[1], i, 1.f);
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(slabs);
  wall.setFixedLimit(1.0);
  wall.showView(MatrixWall::View::Front);
  const auto [spot, count] = positiveSpot(wall.capture(kSize, 1), style_->palette());
  QVERIFY(count > 0);
  const auto cell = wall.cellAt(spot);
  QVERIFY(cell && cell->slab == 1);
  QVERIFY2(std::abs(cell->row - 75) < 4, "the upper half is coloured, not the left one");
}

void TestMatrixWall::newValuesChangeThePicture() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(tfm::test::smallModel());
  wall.setFixedLimit(1.0);
  wall.grab();
  const QImage before = wall.capture(kSize, 1);
  wall.grab();
  QCOMPARE(tfm::test::differingPixels(before, wall.capture(kSize, 1)), 0);
  wall.setValues(2, std::vector<float>(35 * 8, -1.f));
  wall.grab();
  const int changed = tfm::test::differingPixels(before, wall.capture(kSize, 1));
  QVERIFY(changed > 500 && changed < kSize.width() * kSize.height() / 4);
}

void TestMatrixWall::theOutsideFadesInChangedSlabs() {
  auto slabs = std::vector{tfm::test::slab("a", 20, 20), tfm::test::slab("b", 20, 20)};
  for (MatrixSlab& slab : slabs) tfm::test::fill(slab, 1.0F);
  MatrixWall wall(*style_), fresh(*style_);
  for (MatrixWall* one : {&wall, &fresh}) {
    one->resize(kSize);
    one->setSlabs(slabs);
    one->setFixedLimit(1.0);
  }
  const auto picture = [](MatrixWall& of, std::vector<QSize> inside) {
    of.setInside(std::move(inside));
    of.grab();
    return of.capture(kSize, 1);
  };
  const QImage whole = picture(wall, {});
  const QImage first = picture(wall, {{4, 4}, {20, 20}});
  QVERIFY(first != whole);
  const QImage second = picture(wall, {{4, 4}, {5, 5}});
  QVERIFY(second != first);
  QCOMPARE(second, picture(fresh, {{4, 4}, {5, 5}}));
  QCOMPARE(picture(wall, {}), whole);
}

void TestMatrixWall::automaticLimitFollowsTheValues() {
  MatrixWall wall(*style_);
  wall.setSlabs({tfm::test::slab("a", 10, 20), tfm::test::slab("b", 10, 20)});
  QCOMPARE(wall.limit(), 1.0);
  wall.setValues(0, std::vector<float>(200, 0.28f));
  QVERIFY(std::abs(wall.limit() - 0.3) < 1e-9);
  std::vector<float> one_outlier(200, 0.01f);
  one_outlier[7] = -100;
  wall.setValues(1, one_outlier);
  QVERIFY(std::abs(wall.limit() - 0.3) < 1e-9);
}

void TestMatrixWall::fixedLimitStays() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs({tfm::test::slab("a", 10, 20)});
  wall.setFixedLimit(0.8);
  wall.setValues(0, std::vector<float>(200, 5.f));
  QCOMPARE(wall.limit(), 0.8);
  wall.grab();
  const QImage strong = wall.capture(kSize, 1);
  wall.setFixedLimit(20.0);
  wall.grab();
  QVERIFY(tfm::test::differingPixels(strong, wall.capture(kSize, 1)) > 1000);
  wall.setFixedLimit(std::nullopt);
  QCOMPARE(wall.limit(), 5.0);
}

void TestMatrixWall::aProjectorShowsLargeAndStrongSlabs() {
  MatrixWall wall(*style_);
  std::vector<float> few_large(200, 0.1f);
  std::fill_n(few_large.begin(), 10, 1.f);
  wall.setSlabs({tfm::test::slab("a", 10, 20)});
  wall.setValues(0, few_large);
  QCOMPARE(wall.limit(), 1.0);
  style_->setScale(1.6);
  QVERIFY(std::abs(wall.limit() - 0.1) < 1e-9);

  wall.setSlabs(tfm::test::smallModel());
  wall.resize(1250, 450);
  wall.grab();
  // How much of the picture is slabs, not ground.
  int cells = 0, all = 0;
  for (int y = 2; y < wall.height(); y += 5)
    for (int x = 2; x < wall.width(); x += 5, ++all)
      cells += wall.cellAt(QPointF(x, y)).has_value();
  style_->setScale(1.0);
  QVERIFY2(cells > 0.045 * all, qPrintable(QString("%1 of %2").arg(cells).arg(all)));
}

void TestMatrixWall::resizingKeepsTheWallInView() {
  auto slabs = tfm::test::smallModel();
  tfm::test::fill(slabs.back(), 1.f);
  MatrixWall wall(*style_);
  wall.setSlabs(slabs);
  wall.setFixedLimit(1.0);
  for (const QSize& size : {QSize(300, 900), QSize(1200, 300), QSize(640, 480)}) {
    wall.resize(size);
    QCOMPARE(wall.grab().size(), size);
    const auto [spot, count] = positiveSpot(wall.capture(size, 1), style_->palette());
    QVERIFY(count > 0);
    const auto cell = wall.cellAt(spot);
    QVERIFY(cell && cell->slab == static_cast<int>(slabs.size()) - 1);
  }
}

void TestMatrixWall::captureHasTheSizeAskedFor() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(tfm::test::smallModel());
  wall.grab();
  QCOMPARE(wall.capture(kSize, 1).size(), kSize);
  const QImage large = wall.capture(kSize, 3);
  QCOMPARE(large.size(), kSize * 3);
  // The same picture: scaled down it hardly differs.
  const QImage small = wall.capture(kSize, 1);
  const QImage again = large.scaled(kSize, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  double difference = 0;
  for (int y = 0; y < kSize.height(); ++y)
    for (int x = 0; x < kSize.width(); ++x)
      difference += std::abs(qGray(small.pixel(x, y)) - qGray(again.pixel(x, y)));
  QVERIFY(difference / (kSize.width() * kSize.height()) < 2);
}

void TestMatrixWall::themesChangeTheGround() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(tfm::test::smallModel());
  for (const Theme theme : {Theme::Light, Theme::HighContrast, Theme::Dark}) {
    style_->setTheme(theme);
    const QImage image = wall.grab().toImage();
    QCOMPARE(QColor(image.pixel(2, 2)), palette(theme).ground);
  }
}

void TestMatrixWall::figureIsOnPaperAndLeavesTheScreenAlone() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  auto slabs = tfm::test::smallModel();
  tfm::test::put(slabs[0], 0, 1);
  wall.setSlabs(slabs);
  const QImage screen = wall.grab().toImage();
  QImage paper(kSize * 2, QImage::Format_RGB32);
  paper.fill(Qt::red);
  QPainter painter(&paper);
  painter.scale(2, 2);
  wall.paintFigure(painter, QRectF(QPointF(), wall.figureSize()), paperPalette());
  painter.end();
  QCOMPARE(QColor(paper.pixel(3, 3)), paperPalette().ground);
  QVERIFY(positiveSpot(paper, paperPalette()).second > 0);
  wall.scheduleRender();
  QCOMPARE(tfm::test::differingPixels(screen, wall.grab().toImage()), 0);
}

void TestMatrixWall::figureGoesIntoAPdf() {
  MatrixWall wall(*style_);
  wall.resize(kSize);
  wall.setSlabs(tfm::test::smallModel());
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(96);
    QPainter painter(&writer);
    wall.paintFigure(painter, QRectF(QPointF(), wall.figureSize()), paperPalette());
  }
  QVERIFY(buffer.data().startsWith("%PDF"));
  QVERIFY2(buffer.data().contains("/FontFile"), "the names are text");
  QVERIFY2(buffer.data().contains("/Image"), "the slabs are an image");
}

void TestMatrixWall::dataHasEveryValue() {
  auto slabs = std::vector{tfm::test::slab("a", 2, 3), tfm::test::slab("b", 1, 2)};
  slabs[0].values = std::vector<float>{1, 2, 3, 4, 5, 0.1f};
  MatrixWall wall(*style_);
  wall.setSlabs(slabs);
  const DataTable table = wall.figureData();
  QCOMPARE(table.columns.size(), 4);
  QCOMPARE(table.rows.size(), std::size_t{8});
  QCOMPARE(table.rows[5].mid(0, 3), QStringList({"a", "1", "2"}));
  QCOMPARE(table.rows[5][3].toFloat(), 0.1f);
}

void TestMatrixWall::wrongShapesAreRefused() {
  MatrixWall wall(*style_);
  wall.setSlabs({tfm::test::slab("a", 2, 3)});
  QVERIFY_EXCEPTION_THROWN(wall.setValues(0, std::vector<float>(5)), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(wall.setValues(1, std::vector<float>(6)), std::logic_error);
  MatrixSlab bad = tfm::test::slab("bad", 2, 3);
  bad.values = std::vector<float>(5);
  QVERIFY_EXCEPTION_THROWN(wall.setSlabs({bad}), std::logic_error);
}

void TestMatrixWall::withoutOpenGlItSaysSo() {
  MatrixWall wall(*style_, nullptr, nullptr);
  wall.resize(kSize);
  wall.setSlabs(tfm::test::smallModel());
  wall.setValues(0, std::vector<float>(28 * 8, 1.f));
  QVERIFY(!wall.available());
  QVERIFY(wall.rendererName().isEmpty());
  QVERIFY(wall.capture(kSize, 1).isNull());
  const QImage image = wall.grab().toImage();
  QCOMPARE(QColor(image.pixel(2, 2)), style_->palette().ground);
  QImage empty(image.size(), image.format());
  empty.fill(style_->palette().ground);
  QVERIFY2(tfm::test::differingPixels(image, empty) > 200, "there is a message");
}

TFM_TEST(TestMatrixWall)
#include "test_matrix_wall.moc"
