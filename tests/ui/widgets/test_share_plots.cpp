// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of two sides as bars and as a histogram: what is drawn are shares of each side.
#include <QApplication>
#include <QPainter>
#include <QTest>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/style/style.h"
#include "ui/widgets/share_bars.h"
#include "ui/widgets/share_histogram.h"

using namespace tfm::ui;

namespace {

const std::vector<SideCounts> kSides{{"training", {600, 300, 0}}, {"held-out", {5, 10, 5}}};

/// The extent of a side's colour below the legend, in pixels.
QRect extent(const QImage& image, std::size_t side, const QRect& part) {
  QRect found;
  for (int y = part.top(); y <= part.bottom(); ++y)
    for (int x = part.left(); x <= part.right(); ++x)
      if (image.pixelColor(x, y).rgb() == sideColor(paperPalette(), side).rgb())
        found |= QRect(x, y, 1, 1);
  return found;
}

}  // namespace

class TestSharePlots : public QObject {
  Q_OBJECT

 private slots:
  void init() { style_ = std::make_unique<Style>(*qApp); }
  void cleanup() { style_.reset(); }

  void barsAreAsLongAsTheirShares() {
    ShareBars bars(*style_);
    bars.setGroups({"a", "b", "c"}, kSides);
    const QImage image = onPaper(bars);
    const int row = (image.height() - int(kSideLegendHeight)) / 3;
    const auto length = [&](std::size_t side, int group) {
      return extent(image, side, {0, int(kSideLegendHeight) + group * row, image.width(), row})
          .width();
    };
    const int whole = length(0, 0);  // two thirds, the largest share
    QVERIFY(whole > 80);
    QVERIFY(std::abs(whole - 2 * length(0, 1)) <= 3);
    QCOMPARE(length(0, 2), 0);  // none is no bar
    // A quarter of 20 against two thirds of 900: shares count, not numbers.
    QVERIFY(std::abs(length(1, 0) - whole * 3 / 8) <= 3);
    QVERIFY(std::abs(length(1, 1) - 2 * length(1, 0)) <= 3);
  }

  void columnsAreAsHighAsTheirShares() {
    ShareHistogram histogram(*style_);
    histogram.setBins({{1, 4}, {5, 8}, {9, 12}}, kSides, "tokens");
    const QImage image = onPaper(histogram);
    const int left = 44;  // of the plot
    const int bin = (image.width() - left - 8) / 3;
    const auto height = [&](std::size_t side, int group) {
      return extent(image, side,
                    {left + group * bin, int(kSideLegendHeight), bin,
                     image.height() - int(kSideLegendHeight)})
          .height();
    };
    const int whole = height(0, 0);
    QVERIFY(whole > 60);
    QVERIFY(std::abs(whole - 2 * height(0, 1)) <= 3);
    QCOMPARE(height(0, 2), 0);
    QVERIFY(std::abs(height(1, 0) - whole * 3 / 8) <= 3);
    QVERIFY(std::abs(height(1, 1) - whole * 3 / 4) <= 3);
  }

  void numbersAreThoseGiven() {
    ShareBars bars(*style_);
    bars.setGroups({"a", "b", "c"}, kSides);
    const DataTable table = bars.figureData();
    QCOMPARE(table.columns.size(), 5);
    QCOMPARE(table.rows[1], QStringList({"b", "300", fullPrecision(1.0 / 3), "10", "0.5"}));
    QVERIFY(
        bars.accessibleDescription().contains("b: training 300 (33.3 %), held-out 10 (50.0 %)"));
    ShareHistogram histogram(*style_);
    histogram.setBins({{1, 4}, {5, 8}, {9, 12}}, kSides, "tokens");
    QCOMPARE(histogram.figureData().rows[2][0], QString("9-12"));
    QVERIFY(histogram.accessibleDescription().contains("9 to 12 tokens: training 0 (0.0 %)"));
  }

  void anEmptySideHasNoShares() {
    const SideCounts none{"training", {0, 0}};
    QCOMPARE(none.share(0), 0.0);
    ShareBars bars(*style_);
    bars.setGroups({"a", "b"}, {none, none});
    QVERIFY(extent(onPaper(bars), 0, {0, 20, 320, 60}).isNull());
  }

 private:
  std::unique_ptr<Style> style_;
};

TFM_TEST(TestSharePlots)
#include "test_share_plots.moc"
