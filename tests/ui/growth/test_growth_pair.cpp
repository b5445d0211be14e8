// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <cstdlib>

#include "tests/ui/growth/sample_growths.h"
#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/ui_test.h"
#include "ui/growth/growth_pair.h"

using namespace tfm;
using namespace tfm::ui;

class TestGrowthPair : public UiTest {
  Q_OBJECT

 private:
  static QImage imageOf(const Figure& figure) {
    QImage image(figure.figureSize().toSize(), QImage::Format_RGB32);
    image.fill(paperPalette().ground);
    QPainter painter(&image);
    figure.paintFigure(painter, QRectF(QPointF(), figure.figureSize()), paperPalette());
    return image;
  }

  /// The same picture at another place may round the edges of its lines otherwise.
  static bool alike(const QImage& a, const QImage& b) {
    for (int y = 0; y < a.height(); ++y)
      for (int x = 0; x < a.width(); ++x)
        if (std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > 30) return false;
    return a.size() == b.size();
  }

  /// How often `wall` occurs in `page`, at the left edge, at any height.
  static int timesIn(const QImage& page, const QImage& wall) {
    int times = 0;
    for (int top = 0; top + wall.height() <= page.height(); ++top)
      times += alike(wall, page.copy(0, top, wall.width(), wall.height())) ? 1 : 0;
    return times;
  }

 private slots:

  void theWallIsShownBeforeAndAfter() {
    const std::vector<GrownCells> matrices = {queries(), newLayer()};
    const GrowthPair pair(style_, "Key size 5 → 8", matrices);
    GrowthWall wall(style_);
    wall.setMatrices(matrices);
    const auto middle = [&] {
      const QImage image = imageOf(wall);
      return image.copy(0, 60, image.width(), image.height() - 60);
    };
    const QImage after = middle();
    wall.setProgress(0.0);
    const QImage before = middle();
    QVERIFY(!alike(before, after));
    const QImage page = imageOf(pair);
    QCOMPARE(timesIn(page, before), 1);
    QCOMPARE(timesIn(page, after), 1);
  }

  void itsTitleAndHeadsAreText() {
    const GrowthPair pair(style_, "Key size 5 to 8", sampleWall());
    const QByteArray svg = svgOf(pair);
    for (const char* words : {"Key size 5 to 8: before and after", "Before", "After"})
      QVERIFY2(svg.contains(words), words);
  }

  void theTableNamesEveryCellOfWhatChanges() {
    const GrownCells changed = queries(), same = unchanged();
    const GrowthPair pair(style_, "Key size 5 to 8", {changed, same});
    const DataTable table = pair.figureData();
    QCOMPARE(table.columns.front(), QString("name"));
    QCOMPARE(std::int64_t(table.rows.size()), std::int64_t{changed.rows()} * changed.cols());
    QCOMPARE(table.rows.front().size(), table.columns.size());
    QCOMPARE(table.rows.front().front(), changed.name());
  }
};

TFM_TEST(TestGrowthPair)
#include "test_growth_pair.moc"
