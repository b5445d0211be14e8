// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the Flow screen: nothing overlaps, every number has a place.
#include <algorithm>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/test_program.h"
#include "ui/views/flow/flow_layout.h"

using namespace tfm;
using namespace tfm::ui;
using observe::MapLevel;
using observe::MapNode;

namespace {

Program programOf(const std::string& preset) {
  const ModelConfig config = presetNamed(preset).config();
  BatchShape shape = fullShape(config, 1);
  shape.source_length = std::min<std::int64_t>(shape.source_length, 8);
  shape.target_length = std::min<std::int64_t>(shape.target_length, 7);
  return buildProgram(config, shape, {.loss = true, .scores = true});
}

FlowRoom room(double width) {
  FlowRoom room;
  room.width = width;
  room.labels = 24.0;
  return room;
}

/// What overlaps; "" if nothing does.
std::string overlapIn(const Program& program, const FlowLayout& layout) {
  const auto name = [&](const FlowTile& tile) {
    return program.tensors[std::size_t(tile.tensor)].name;
  };
  const auto meet = [](const QRectF& a, const QRectF& b) {
    const QRectF both = a.intersected(b);
    return both.width() > 0.01 && both.height() > 0.01;
  };
  const QRectF all(QPointF(), layout.size);
  for (std::size_t i = 0; i < layout.tiles.size(); ++i) {
    const FlowTile& tile = layout.tiles[i];
    if (!all.contains(tile.area)) return name(tile) + " is outside";
    if (!tile.area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(tile.places.bounds()))
      return name(tile) + " is larger than its area";
    for (std::size_t j = i + 1; j < layout.tiles.size(); ++j)
      if (meet(tile.area, layout.tiles[j].area))
        return name(tile) + " lies on " + name(layout.tiles[j]);
    for (const FlowCard& card : layout.cards)
      if (meet(tile.area, card.head)) return name(tile) + " lies on a title";
  }
  for (std::size_t i = 0; i < layout.cards.size(); ++i)
    for (std::size_t j = i + 1; j < layout.cards.size(); ++j)
      if (meet(layout.cards[i].head, layout.cards[j].head)) return "two titles meet";
  return {};
}

FlowOpen everything(const observe::ModelMap& map, bool steps) {
  FlowOpen open;
  for (const MapNode& node : map.nodes)
    if (steps || node.level != MapLevel::Step) open.paths.insert(node.path);
  return open;
}

}  // namespace

class TestFlowLayout : public QObject {
  Q_OBJECT

 private slots:
  /// The stream goes on from row to row, but not from stack to stack; what is read in a row below
  /// comes there between the rows, over no picture.
  void waysToOtherRowsLeadAroundPictures() {
    const Program program = programOf("annotated-encoder-decoder");
    const observe::ModelMap map = observe::modelMap(program);
    const FlowLayout layout = layOutFlow(program, map, openAtFirst(map), room(900.0));
    QCOMPARE(layout.rows.size(), layout.streams.size());
    QVERIFY(layout.rows.size() > 3);
    const std::ptrdiff_t linked = std::ranges::count_if(
        layout.streams, [](const FlowStream& stream) { return !stream.link.isEmpty(); });
    QCOMPARE(linked, std::ssize(layout.rows) - 2);  // two stacks begin
    std::size_t lower = 0;
    for (const FlowCurve& curve : layout.curves) {
      const QPointF from = curve.path.pointAtPercent(0.0), to = curve.path.pointAtPercent(1.0);
      const auto row_of = [&](const QPointF& at) {
        return std::ranges::find_if(layout.rows,
                                    [&](const QRectF& row) { return at.y() <= row.bottom(); });
      };
      if (row_of(from) >= row_of(to)) continue;
      ++lower;
      for (const FlowTile& tile : layout.tiles) {
        const QRectF inside = tile.places.bounds().adjusted(1, 1, -1, -1);
        for (double at = 0.0; at <= 1.0; at += 0.005)
          QVERIFY2(!inside.contains(curve.path.pointAtPercent(at)),
                   program.tensors[std::size_t(tile.tensor)].name.c_str());
      }
    }
    QVERIFY(lower >= layout.rows.size() - 1);
  }

  void nothingOverlaps_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<double>("width");
    for (const char* preset :
         {"rot13", "annotated-encoder-decoder", "annotated-attention", "character-model",
          "small-llama", "small-classifier", "funnel", "funnel-tagger", "delight",
          "delight-translation", "encoder-layer-notebook"})
      for (const double width : {500.0, 1100.0, 3000.0})
        QTest::addRow("%s %g", preset, width) << QString(preset) << width;
  }
  void nothingOverlaps() {
    QFETCH(QString, preset);
    QFETCH(double, width);
    const Program program = programOf(preset.toStdString());
    const observe::ModelMap map = observe::modelMap(program);
    for (const FlowOpen& open :
         {FlowOpen{}, openAtFirst(map), everything(map, false), everything(map, true)}) {
      const FlowLayout layout = layOutFlow(program, map, open, room(width));
      const std::string problem = overlapIn(program, layout);
      QVERIFY2(problem.empty(), problem.c_str());
      QVERIFY(!layout.streams.empty());
    }
  }

  void theCheckFindsAnOverlap() {
    const Program program = programOf("rot13");
    const observe::ModelMap map = observe::modelMap(program);
    FlowLayout layout = layOutFlow(program, map, openAtFirst(map), room(1100.0));
    QCOMPARE(overlapIn(program, layout), std::string());
    layout.tiles[1].area.moveTopLeft(layout.tiles[0].area.topLeft());
    QVERIFY(!overlapIn(program, layout).empty());
  }

  /// With everything open, each number that a step computes is drawn, and under one head only
  /// its own.
  void everyNumberHasAPlace() {
    const Program program = programOf("rot13");
    const observe::ModelMap map = observe::modelMap(program);
    FlowOpen open = everything(map, false);
    open.head = -1;
    const FlowLayout layout = layOutFlow(program, map, open, room(1100.0));
    for (const Step& step : program.steps)
      for (const TensorId id : observe::computedBy(program, step)) {
        const TensorInfo& t = program.tensors[std::size_t(id)];
        QVERIFY2(layout.tileOf(id, 0, 0) >= 0, t.name.c_str());
        QVERIFY2(layout.tileOf(id, t.rows - 1, t.cols - 1) >= 0, t.name.c_str());
      }
    const TensorId query = program.find("decoder.layers.0.cross_attention.query");
    QVERIFY(query != kNoTensor);
    const std::int64_t cols = program.tensors[std::size_t(query)].cols;
    open.head = 1;
    const FlowLayout second = layOutFlow(program, map, open, room(1100.0));
    QVERIFY(second.tileOf(query, 0, 0) < 0);
    QVERIFY(second.tileOf(query, 0, cols / 7) >= 0);
  }

  /// A column of an open step's matrix stands over the column of the result that it makes.
  void aMatrixStandsOverItsResult() {
    const Program program = programOf("rot13");
    const observe::ModelMap map = observe::modelMap(program);
    const FlowLayout layout = layOutFlow(program, map, everything(map, true), room(1100.0));
    const TensorId key = program.find("decoder.layers.0.cross_attention.key");
    const TensorId weight = program.find("decoder.layers.0.cross_attention.key.weight");
    const auto tile = [&](TensorId id) {
      return *std::ranges::find(layout.tiles, id, &FlowTile::tensor);
    };
    const FlowTile result = tile(key), matrix = tile(weight);
    QVERIFY(matrix.transposed);
    QCOMPARE(matrix.places.cols, result.places.cols);
    QCOMPARE(matrix.places.origin.x(), result.places.origin.x());
    QCOMPARE(matrix.places.cell_width, result.places.cell_width);
    QVERIFY(matrix.places.bounds().bottom() < result.places.bounds().top());
    // Row and column of the number under a cell, and back.
    const Cell at = matrix.numberAt({2, 3});
    QCOMPARE(at, (Cell{3, 2}));
    QCOMPARE(*matrix.cellOf(at.row, at.col), (Cell{2, 3}));
    QVERIFY(!matrix.cellOf(-1, 0));
  }

  void rowsWrapAndABlockKeepsItsSum() {
    const Program program = programOf("rot13");
    const observe::ModelMap map = observe::modelMap(program);
    const auto rows = [&](double width) {
      return layOutFlow(program, map, openAtFirst(map), room(width)).streams.size();
    };
    QVERIFY(rows(400.0) > rows(4000.0));
    QCOMPARE(rows(4000.0), 2U);  // one for each stack
    const FlowLayout layout = layOutFlow(program, map, openAtFirst(map), room(4000.0));
    const auto blocks = std::ranges::count_if(
        map.nodes, [](const MapNode& node) { return node.joins != observe::kNoNode; });
    QCOMPARE(std::ptrdiff_t(layout.joins.size()), blocks);
  }
};

TFM_TEST(TestFlowLayout)
#include "test_flow_layout.moc"
