// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and texts of the Shape screen.
#include <QSet>

#include "tests/test_program.h"
#include "ui/views/shape/length_band_layout.h"
#include "ui/views/shape/scaling_chart.h"
#include "ui/views/shape/shape_words.h"
#include "ui/views/shape/strand_layout.h"

using namespace tfm;
using namespace tfm::ui;
using observe::PassedMap;
using observe::StackStage;

namespace {

StackStage stage(std::int64_t layer, std::int64_t length,
                 std::vector<std::vector<std::int64_t>> from) {
  StackStage one;
  one.stack = Stack::Encoder;
  one.layer = layer;
  one.length = length;
  one.width = 6;
  one.from = std::move(from);
  return one;
}

/// [CLS] and five tokens, of which pooling drops the last, and the way back.
std::vector<StackStage> funnel() {
  std::vector<StackStage> stages{stage(-1, 6, {}), stage(0, 3, {{0}, {1, 2}, {3, 4}}),
                                 stage(1, 6, {{0}, {1}, {1}, {2}, {2}, {}})};
  stages[2].added = 0;
  return stages;
}

const QStringList kTokens{"[CLS]", "the", "film", "was", "good", "."};

PassedMap map(std::int64_t inputs, std::int64_t outputs, std::int64_t groups, std::int64_t joined) {
  PassedMap one;
  one.inputs = inputs;
  one.outputs = outputs;
  one.groups = groups;
  one.shuffled = groups > 1;
  one.joined = joined;
  return one;
}

/// A DExTra unit: projected to 8, two grouped maps with a mixer, 16 to the output.
std::vector<StackStage> unit() {
  std::vector<StackStage> stages{stage(-1, 4, {}), stage(0, 4, {{0}, {1}, {2}, {3}})};
  stages[1].maps = {map(16, 8, 1, 0), map(8, 16, 2, 0), map(24, 16, 4, 8), map(24, 16, 1, 8)};
  return stages;
}

}  // namespace

class TestShapeLayout : public QObject {
  Q_OBJECT

 private slots:
  void bandNarrowsAndWidensOnOneAxis() {
    const auto stages = funnel();
    const LengthBandLayout layout = layOutLengthBand(stages, {.area = {0, 0, 800, 400}});
    QCOMPARE(layout.plates.size(), 3U);
    const double whole = layout.plates[0].bounds().height();
    QCOMPARE(layout.plates[1].bounds().height(), whole / 2);
    QCOMPARE(layout.plates[2].bounds().height(), whole);
    for (const CellPlaces& plate : layout.plates)
      QCOMPARE(plate.bounds().center().y(), layout.plates[0].bounds().center().y());
    QCOMPARE(layout.bands.size(), 2U);
    QCOMPARE(layout.bands[0].front(), layout.plates[0].bounds().topRight());
    QVERIFY(layout.bands[0].boundingRect().right() <= layout.plates[1].bounds().left());
    QVERIFY(layout.size.width() <= 800 && layout.size.height() <= 400);
    QCOMPARE(layout.position(1, 2).bottom(), layout.plates[1].bounds().bottom());
  }

  /// Rows keep a legible height; the picture grows beyond its area instead.
  void manyPositionsScroll() {
    const std::vector<StackStage> stages{stage(-1, 200, {})};
    const LengthBandLayout layout =
        layOutLengthBand(stages, {.area = {0, 0, 800, 400}, .least_pitch = 9});
    QCOMPARE(layout.plates[0].cell_height, 9.0);
    QVERIFY(layout.size.height() > 1800);
  }

  void itemsArePositionsStageByStage() {
    const auto stages = funnel();
    const BandItems items(stages);
    QCOMPARE(items.count(), 15);
    for (std::size_t s = 0; s < stages.size(); ++s)
      for (std::int64_t p = 0; p < stages[s].length; ++p) {
        QCOMPARE(items.stageOf(items.of(s, p)), s);
        QCOMPARE(items.positionOf(items.of(s, p)), p);
      }
    QCOMPARE(BandItems().count(), 0);
  }

  void wordsSayWhatIsHeld() {
    const auto stages = funnel();
    QCOMPARE(ShapeWords::held(kTokens, stages, 1, 0), QString("[CLS]"));
    QCOMPARE(ShapeWords::held(kTokens, stages, 1, 1), QString("(the, film)"));
    QCOMPARE(ShapeWords::held(kTokens, stages, 2, 2), QString("film"));
    QCOMPARE(ShapeWords::held({}, stages, 1, 1), QString("position 2"));
    QVERIFY(ShapeWords::made(stages, 0, 5).contains("Dropped"));
    QVERIFY(!ShapeWords::made(stages, 0, 4).contains("Dropped"));
    QVERIFY(ShapeWords::made(stages, 1, 1).contains("positions 2, 3"));
    QVERIFY(ShapeWords::made(stages, 2, 2).contains("One of 2 copies of position 2"));
    QVERIFY(ShapeWords::made(stages, 2, 5).contains("After the last copy"));
    QCOMPARE(ShapeWords::change(6, 3), QString("pool ÷ 2"));
    QCOMPARE(ShapeWords::change(4, 16), QString("repeat × 4"));
    QVERIFY(ShapeWords::change(6, 6).isEmpty());
    QVERIFY(ShapeWords::lengthSentence(stages).contains("6 positions to 3"));
    QVERIFY(ShapeWords::lengthSentence({stages[0]}).contains("keeps the length"));
  }

  void chainsEndWhereAMapReadsSomethingElse() {
    auto stages = unit();
    QCOMPARE(chainsOf(stages).size(), 1U);
    stages[1].maps.push_back(map(16, 4, 1, 0));  // reads what the attention has put out
    stages[1].maps.back().block = {"feed_forward"};
    const auto chains = chainsOf(stages);
    QCOMPARE(chains.size(), 2U);
    QCOMPARE(chains[0].maps.size(), 4U);
    QCOMPARE(ShapeWords::widths(chains[0]), QString("16→8→16→16→16"));
    QCOMPARE(ShapeWords::chainName(chains[0]), QString("layer 1 · 2 grouped maps"));
  }

  void columnsAreAsHighAsTheStatesAreWide() {
    const auto chains = chainsOf(unit());
    const StrandLayout layout = layOutStrands(chains, {.area = {0, 0, 900, 400}});
    const ChainPlace& place = layout.chains.front();
    QCOMPARE(place.columns.size(), 5U);
    QCOMPARE(place.columns[0].height(), 2 * place.columns[1].height());
    QCOMPARE(place.columns[2].height(), place.columns[0].height());
    QCOMPARE(layout.strands.size(), 1U + 2U + 4U + 1U);
    QCOMPARE(place.joints.size(), 2U);
    QVERIFY(layout.size.width() <= 900 && layout.size.height() <= 400);
  }

  /// Out of each group the shuffle takes a feature to every part, each to a place of its own.
  void shuffledStrandsCross() {
    const auto chains = chainsOf(unit());
    const StrandLayout layout = layOutStrands(chains, {.area = {0, 0, 900, 400}});
    QVector<QPair<double, double>> ways;
    for (const Crossing& crossing : layout.crossings)
      if (layout.strands[crossing.strand].map == 1)
        ways.append({crossing.from.y(), crossing.to.y()});
    QCOMPARE(ways.size(), 2 * 4);
    QSet<double> ends;
    int crossed = 0;
    for (const auto& [from, to] : ways) ends.insert(to);
    for (const auto& a : ways)
      for (const auto& b : ways) crossed += a.first < b.first && a.second > b.second;
    QCOMPARE(ends.size(), ways.size());
    QVERIFY(crossed > 0);
    // Without a shuffle there is nothing to draw.
    auto stages = unit();
    for (PassedMap& one : stages[1].maps) one.shuffled = false;
    QVERIFY(layOutStrands(chainsOf(stages), {.area = {0, 0, 900, 400}}).crossings.empty());
  }

  void manyChainsTakeSeveralLines() {
    const std::vector<StrandChain> chains(8, chainsOf(unit()).front());
    const StrandLayout layout = layOutStrands(chains, {.area = {0, 0, 700, 400}});
    QVERIFY(layout.size.width() <= 700);
    for (std::size_t a = 0; a < chains.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        QVERIFY(!layout.chains[a].area.intersects(layout.chains[b].area));
  }

  void strandsSayWhatTheySave() {
    const auto chains = chainsOf(unit());
    const QString text = ShapeWords::strand(chains[0], 2, 3);
    QVERIFY2(text.contains("group 4 of 4: reads 6 components, writes 4"), qPrintable(text));
    QVERIFY(text.contains("96 weights instead of 384"));
    QVERIFY(text.contains("2 of what it reads"));
    QCOMPARE(ShapeWords::shuffle(2, 2), QString("[a1 a2 | b1 b2] → [a1 b1 a2 b2]"));
    QVERIFY(!ShapeWords::strand(chains[0], 0, 0).contains("shuffled"));
  }

  void endsOfAScalingAreOnItsBars() {
    const auto scales = blockwiseScaling(4, 8, 2.0, 8);
    const ScalingLayout layout = layOutScaling(scales, 300, 1, 16);
    QCOMPARE(layout.depths.bars.size(), 8U);
    QCOMPARE(layout.depths.valueAt(layout.handle(ScalingEnd::Least).y()), 4.0);
    QCOMPARE(layout.depths.valueAt(layout.handle(ScalingEnd::Most).y()), 8.0);
    QCOMPARE(layout.widths.valueAt(layout.handle(ScalingEnd::Width).y()), 2.0);
    QVERIFY(layout.handle(ScalingEnd::Least).x() < layout.handle(ScalingEnd::Most).x());
    QVERIFY(layout.depths.bars.back().right() <= 300);
  }
};

TFM_TEST(TestShapeLayout)
#include "test_shape_layout.moc"
