// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, limits, texts and tables of maps.
#include <QTest>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/test_program.h"
#include "ui/heatmap/legend.h"
#include "ui/heatmap/map_stack.h"
#include "ui/style/palette.h"

using namespace tfm::ui;

namespace {

HeatMap smallMap() {
  HeatMap map;
  map.rows = 2;
  map.cols = 3;
  map.values = {0.1F, 0.7F, 0.2F, 0.25F, 0.41F, 0.34F};
  map.row_labels = QStringList{"x", "c"};
  map.col_labels = QStringList{"b", "a", "d"};
  map.name = "layer 1 head 2";
  return map;
}

HeatGroup twoLayers() {
  // Layer 0 has two heads, layer 1 has one: 1 x 2 cells each.
  return {"self", 1, 2, {2, 1}, {1, 2, 3, 4, 8, 9}, {}};
}

bool near(float value, double expected) { return std::abs(value - expected) < 1e-6; }

}  // namespace

class TestHeatData : public QObject {
  Q_OBJECT

 private slots:
  void sequentialScaleClampsAndKeepsOrder() {
    const ColorScale scale = ColorScale::sequential(0.0, 2.0);
    QCOMPARE(scale.share(-1.0), 0.0);
    QCOMPARE(scale.share(1.0), 0.5);
    QCOMPARE(scale.share(5.0), 1.0);
    const ColorTable colors(scale, palette(Theme::Dark));
    QCOMPARE(colors.color(0.0), cividis(0.0).rgb());
    QCOMPARE(colors.color(2.0), cividis(1.0).rgb());
    QVERIFY(colors.color(0.0) != colors.color(2.0));
  }

  void signedScaleHasItsNeutralAtZero() {
    const Palette& dark = palette(Theme::Dark);
    const ColorTable colors(ColorScale::signedTo(0.5), dark);
    QCOMPARE(colors.color(0.0), signedColor(dark, 0.0, 1.0).rgb());
    QCOMPARE(colors.color(-0.5), signedColor(dark, -1.0, 1.0).rgb());
    QCOMPARE(colors.color(0.5), signedColor(dark, 1.0, 1.0).rgb());
    QVERIFY(colors.color(0.1) != colors.color(-0.1));
    QCOMPARE(colors.color(1e30F), colors.color(0.5));
    QCOMPARE(colors.color(-INFINITY), colors.color(-0.5));
    QVERIFY(colors.color(0.5) != colors.color(0.48));
  }

  void nanIsMarkedAsBad() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Palette& dark = palette(Theme::Dark);
    QCOMPARE(ColorTable(ColorScale(), dark).color(nan), dark.bad.rgb());
    QCOMPARE(ColorScale().number(nan), QString("NaN"));
  }

  void numbersFollowTheScale() {
    QCOMPARE(ColorScale().number(0.914), QString("0.91"));
    QCOMPARE(ColorScale::sequential(0.0, 12.0).number(11.83), QString("11.8"));
    QCOMPARE(ColorScale::signedTo(0.05).number(0.0123), QString("0.0123"));
    QCOMPARE(ColorScale::signedTo(1.0).numberWithSign(0.5), QString("+0.50"));
    QCOMPARE(ColorScale::signedTo(1.0).number(-0.001), QString("0.00"));  // not "-0.00"
  }

  void invalidScalesAndMapsAreRefused() {
    QVERIFY_THROWS_EXCEPTION(std::logic_error, ColorScale::sequential(1.0, 1.0));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, ColorScale::signedTo(0.0));
    HeatMap map = smallMap();
    map.verify();
    map.values.pop_back();
    QVERIFY_THROWS_EXCEPTION(std::logic_error, map.verify());
    map = smallMap();
    map.masked = {1};
    QVERIFY_THROWS_EXCEPTION(std::logic_error, map.verify());
    map = smallMap();
    map.col_labels.removeLast();
    QVERIFY_THROWS_EXCEPTION(std::logic_error, map.verify());
  }

  void aCellIsOneSentence() {
    HeatMap map = smallMap();
    QCOMPARE(map.cellText(1, 1), QString("layer 1 head 2, from 'c' to 'a', 0.41"));
    map.masked = {0, 0, 0, 0, 1, 0};
    QCOMPARE(map.cellText(1, 1), QString("layer 1 head 2, from 'c' to 'a', masked"));
    QCOMPARE(map.cellText(1, 2), QString("layer 1 head 2, from 'c' to 'd', 0.34"));
    map.row_labels.clear();
    QCOMPARE(map.placeText(1, 2), QString("row 2, column 3"));
  }

  void labelsWithPercentSignsStayThemselves() {
    HeatMap map = smallMap();
    map.row_labels[0] = "%2";
    QCOMPARE(map.placeText(0, 1), QString("from '%2' to 'a'"));
  }

  void theTableHoldsTheExactValues() {
    HeatMap map = smallMap();
    map.masked = {0, 1, 0, 0, 0, 0};
    const DataTable table = map.table();
    QCOMPARE(table.rows.size(), std::size_t(6));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const bool masked = i == 1;
      QCOMPARE(table.rows[i][5], QString(masked ? "1" : "0"));
      if (masked)
        QCOMPARE(table.rows[i][4], QString());  // never 0
      else
        QCOMPARE(static_cast<float>(table.rows[i][4].toDouble()), map.values[i]);
    }
    QCOMPARE(table.rows[4].mid(0, 4), (QStringList{"1", "1", "c", "a"}));
  }

  void legendLimitsAreTheScalesAndTheData() {
    HeatMap map = smallMap();
    Legend legend = Legend::of(map);
    QCOMPARE(legend.low, QString("0.00"));
    QCOMPARE(legend.high, QString("1.00"));
    QCOMPARE(legend.range, (QStringList{"largest 0.70", "smallest 0.10"}));
    QVERIFY(legend.middle.isEmpty() && !legend.masked);

    map.values[1] = 3.0F;  // beyond the scale: the legend must not hide it
    map.masked = {1, 0, 0, 0, 0, 0};
    legend = Legend::of(map);
    QCOMPARE(legend.high, QString("≥ 1.00"));
    QCOMPARE(legend.range, (QStringList{"largest 3.00", "smallest 0.20"}));
    QVERIFY(legend.masked);

    map.scale = ColorScale::signedTo(4.0);
    legend = Legend::of(map);
    QCOMPARE(legend.low, QString("-4.00"));
    QCOMPARE(legend.middle, QString("0"));
    QCOMPARE(legend.high, QString("+4.00"));
  }

  void fullyMaskedMapsHaveNoRange() {
    HeatMap map = smallMap();
    map.masked.assign(6, 1);
    QVERIFY(Legend::of(map).range.isEmpty());
  }

  void meansAreOverWhatExists() {
    const MapStack stack(twoLayers());
    QVERIFY(near(stack.map(0, 0)[0], 1) && near(stack.map(1, 0)[1], 9));
    QVERIFY(near(stack.map(0, -1)[0], 2) && near(stack.map(0, -1)[1], 3));
    QVERIFY(near(stack.map(-1, 0)[0], 4.5) && near(stack.map(-1, 0)[1], 5.5));
    QVERIFY(near(stack.map(-1, 1)[0], 3));  // only layer 0 has head 1
    QVERIFY(near(stack.map(-1, -1)[0], 4) && near(stack.map(-1, -1)[1], 5));
    QVERIFY(stack.has(0, 1) && !stack.has(1, 1));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, stack.map(1, 1));
  }

  void newValuesReplaceOldMeans() {
    MapStack stack(twoLayers());
    const std::vector<float> values = {0, 0, 2, 2, 4, 4};
    stack.setValues(values);
    QVERIFY(near(stack.map(0, -1)[0], 1) && near(stack.map(-1, -1)[0], 2));
    QVERIFY_THROWS_EXCEPTION(std::logic_error, stack.setValues(std::span(values).first(5)));
  }
};

TFM_TEST(TestHeatData)
#include "test_heat_data.moc"
