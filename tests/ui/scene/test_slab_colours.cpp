// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>

#include "sample_slabs.h"
#include "tests/test_program.h"
#include "ui/heatmap/color_scale.h"
#include "ui/scene/growing_slab.h"
#include "ui/scene/mark_texture.h"
#include "ui/scene/slab_texture.h"
#include "ui/style/palette.h"

using namespace tfm::ui;

namespace {

const Palette& lightPalette() { return palette(Theme::Light); }

ColorTable colorsTo(double limit) { return {ColorScale::signedTo(limit), lightPalette()}; }

}  // namespace

class TestSlabColours : public QObject {
  Q_OBJECT

 private slots:
  void notANumberIsMarked();
  void openGlReadsRedFirst();
  void quantileFindsTheOutliers();
  void limitsAreRoundNumbers_data();
  void limitsAreRoundNumbers();
  void largeMatrixHasAPixelPerCell();
  void smallMatrixHasLinesBetweenCells();
  void hugeMatrixLeavesRowsOut();
  void theOutsideFadesIntoTheBackground();
  void marksLeaveTheValuesVisible_data();
  void marksLeaveTheValuesVisible();
};

void TestSlabColours::notANumberIsMarked() {
  const ColorTable colors = colorsTo(1);
  QCOMPARE(QColor(colors.color(std::numeric_limits<float>::quiet_NaN())), lightPalette().bad);
  QVERIFY(QColor(colors.color(0)) != lightPalette().bad);
  const QRgb grey = qRgb(9, 9, 9);
  QCOMPARE(colors.withBad(grey).color(NAN), grey);
}

void TestSlabColours::openGlReadsRedFirst() {
  const ColorTable colors = colorsTo(1);
  for (const float value : {-1.F, 0.3F, NAN}) {
    const QColor wanted(colors.color(value));
    const QRgb pixel = colors.inGlOrder().color(value);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&pixel);
    QCOMPARE(QColor(bytes[0], bytes[1], bytes[2], bytes[3]), wanted);
  }
}

void TestSlabColours::quantileFindsTheOutliers() {
  std::vector<float> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[static_cast<std::size_t>(i)] = (i % 2 ? 1.f : -1.f) * static_cast<float>(i + 1) / 1000;
  values[999] = 1e6f;
  values.push_back(std::numeric_limits<float>::quiet_NaN());
  MagnitudeHistogram histogram;
  histogram.add(values);
  QVERIFY(std::abs(histogram.quantile(0.99) - 0.99) < 0.01);
  QVERIFY(std::abs(histogram.quantile(0.5) - 0.5) < 0.005);
  QVERIFY(histogram.quantile(1) > 9e5);
  QCOMPARE(MagnitudeHistogram().quantile(0.99), 0.0);
}

void TestSlabColours::limitsAreRoundNumbers_data() {
  QTest::addColumn<double>("magnitude");
  QTest::addColumn<double>("limit");
  QTest::newRow("none") << 0.0 << 1.0;
  QTest::newRow("infinite") << double(INFINITY) << 1.0;
  QTest::newRow("exact") << 0.5 << 0.5;
  QTest::newRow("above") << 0.51 << 0.7;
  QTest::newRow("next power") << 0.071 << 0.1;
  QTest::newRow("small") << 0.0000117 << 0.000015;
  QTest::newRow("large") << 1234.0 << 1500.0;
}

void TestSlabColours::limitsAreRoundNumbers() {
  QFETCH(double, magnitude);
  QFETCH(double, limit);
  QVERIFY(std::abs(niceLimit(magnitude) - limit) < 1e-9 * limit);
}

void TestSlabColours::largeMatrixHasAPixelPerCell() {
  MatrixSlab matrix = tfm::test::slab("large", 200, 300);
  tfm::test::put(matrix, 200 * 300 - 1, 1);
  const TextureGrid grid(200, 300);
  QVERIFY(!grid.hasLines());
  QCOMPARE(grid.width(), 300);
  const ColorTable colors = colorsTo(1);
  std::vector<QRgb> pixels(200 * 300);
  paintTexture(matrix.values, grid, colors, {}, pixels);
  QCOMPARE(pixels.back(), colors.color(1));
  QCOMPARE(pixels.front(), colors.color(0));
}

void TestSlabColours::smallMatrixHasLinesBetweenCells() {
  MatrixSlab matrix = tfm::test::slab("small", 3, 5);
  tfm::test::put(matrix, 1 * 5 + 2, 1);
  const TextureGrid grid(3, 5);
  const int side = grid.pixels_per_cell;
  QVERIFY(side > 1);
  const ColorTable colors = colorsTo(1);
  const QRgb line = qRgb(1, 2, 3);
  std::vector<QRgb> pixels(static_cast<std::size_t>(grid.width()) *
                           static_cast<std::size_t>(grid.height()));
  paintTexture(matrix.values, grid, colors, line, pixels);
  const auto at = [&](int x, int y) {
    return pixels[static_cast<std::size_t>(y * grid.width() + x)];
  };
  for (int row = 0; row < 3; ++row) {
    for (int col = 0; col < 5; ++col) {
      const QRgb wanted = colors.color(row == 1 && col == 2 ? 1.f : 0.f);
      QCOMPARE(at(col * side, row * side), wanted);
      QCOMPARE(at(col * side + side - 2, row * side + side - 2), wanted);
      QCOMPARE(at(col * side + side - 1, row * side), line);
      QCOMPARE(at(col * side, row * side + side - 1), line);
    }
  }
}

void TestSlabColours::hugeMatrixLeavesRowsOut() {
  MatrixSlab matrix = tfm::test::slab("huge", 20000, 2);
  const TextureGrid grid(20000, 2);
  QVERIFY(grid.height() <= 8192);
  tfm::test::put(matrix, 2 * static_cast<std::size_t>(grid.row_step), 1);
  const ColorTable colors = colorsTo(1);
  std::vector<QRgb> pixels(static_cast<std::size_t>(grid.width()) *
                           static_cast<std::size_t>(grid.height()));
  paintTexture(matrix.values, grid, colors, {}, pixels);
  QCOMPARE(pixels[2], colors.color(1));
  QCOMPARE(pixels[3], colors.color(0));
}

void TestSlabColours::theOutsideFadesIntoTheBackground() {
  const TextureGrid grid(4, 3);
  const QRgb white = qRgb(255, 255, 255), ground = qRgb(10, 20, 30);
  std::vector<QRgb> pixels(static_cast<std::size_t>(grid.width() * grid.height()), white);
  fadeOutside(2, 1, grid, ground, pixels);
  const auto cell = [&](int row, int col) {
    const int side = grid.pixels_per_cell;
    return pixels[static_cast<std::size_t>((row * side + 3) * grid.width() + col * side + 3)];
  };
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col < 3; ++col) {
      const bool inside = row < 2 && col < 1;
      QCOMPARE(cell(row, col) == white, inside);
      if (!inside) QVERIFY(qRed(cell(row, col)) > 10 && qRed(cell(row, col)) < 100);
      QCOMPARE(qAlpha(cell(row, col)), 255);
    }
  fadeOutside(4, 3, grid, ground, pixels);  // the control: nothing is outside of the whole
  QCOMPARE(cell(0, 0), white);
}

void TestSlabColours::marksLeaveTheValuesVisible_data() {
  QTest::addColumn<int>("copies");
  for (const int copies : {1, 6}) QTest::addRow("%d copies", copies) << copies;
}

/// Rescaled entries are framed once, not each by itself and not each copy.
void TestSlabColours::marksLeaveTheValuesVisible() {
  QFETCH(int, copies);
  constexpr int kRows = 10, kOld = 4;
  const int cols = copies * kOld;
  tfm::expand::ParameterGrowth growth;
  growth.after.shape = {tfm::Dimension{{tfm::Axis::FeedForward, kRows}},
                        tfm::Dimension{{tfm::Axis::Hidden, cols}}};
  growth.before = growth.after;
  for (int r = 0; r < kRows; ++r) growth.rows.push_back({.source = r});
  for (int c = 0; c < cols; ++c) growth.cols.push_back({.source = c % kOld, .share = 0.3});
  MatrixSlab slab;
  slab.rows = kRows;
  slab.cols = cols;
  slab.values = std::vector<float>(std::size_t(kRows) * std::size_t(cols), 0.1F);
  const TextureGrid grid(kRows, cols);
  const ColorTable colors = colorsTo(1);
  std::vector<QRgb> plain(std::size_t(grid.width()) * std::size_t(grid.height()));
  paintTexture(slab.values, grid, colors, colors.color(0), plain);
  std::vector<QRgb> marked = plain;
  paintMarks(GrowingSlab(growth, slab, 0), slab.values, grid, lightPalette(), marked);
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) hidden += plain[i] != marked[i] ? 1 : 0;
  const double share = double(hidden) / double(plain.size());
  QVERIFY2(share > 0.01 && share < 0.25, qPrintable(QString::number(share)));
}

TFM_TEST(TestSlabColours)
#include "test_slab_colours.moc"
