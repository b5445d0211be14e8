// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_units.h"

#include <algorithm>
#include <utility>

#include "core/observe/attention_stage.h"
#include "core/program/ops/ops.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::MapLevel;
using observe::MapNode;

// In pixels at scale 1.
constexpr double kPad = 10.0;           // inside a frame
constexpr double kBeside = 12.0;        // between the tiles of one step
constexpr double kColumnGap = 28.0;     // between the columns of an open block, for the curves
constexpr double kPieceGap = 14.0;      // between steps of one column
constexpr double kLift = 26.0;          // of a block over the stream
constexpr double kJoin = 18.0;          // on either side of a sum
constexpr double kCaption = 16.0;       // below a tile
constexpr double kLabelRow = 15.0;      // of tokens below a map
constexpr double kLeastLabelled = 8.0;  // cells as large as this have tokens beside them
constexpr double kSeparated = 6.0;      // and as large as this, gaps

constexpr double kTitled = 40.0;  // wide enough for the name of a result
constexpr double kNarrow = 24.0;  // a card without anything in it

/// The map beside it has the same rows.
void dropRowLabels(FlowTile& tile) {
  if (!tile.row_labels) return;
  const double left = tile.places.origin.x() - tile.area.left();
  tile.row_labels = false;
  tile.places.origin.rx() -= left;
  tile.area.setWidth(tile.area.width() - left);
}

/// Of attention, or to be added to its scores.
bool isMap(const FlowTile& tile, const Program& program) {
  const Step* maker = program.makerOf(tile.tensor);
  return observe::isAttentionMap(program, tile.tensor) ||
         (maker != nullptr &&
          (maker->op == &ops::kRelativeScores || maker->op == &ops::kSegmentScores));
}

}  // namespace

void FlowUnit::hold(const QRectF& area) {
  width = std::max(width, area.right());
  above = std::max(above, -area.top());
  below = std::max(below, area.bottom());
}

TensorId addedBy(const Program& program, const observe::MapNode& node) {
  if (node.joins == kNoNode) return kNoTensor;
  for (const TensorId id : program.steps[node.joins].inputs)
    if (id != node.in) return id;
  return kNoTensor;
}

FlowUnitBuilder::FlowUnitBuilder(const Program& program, const observe::ModelMap& map,
                                 const FlowOpen& open, const FlowRoom& room)
    : program_(program), map_(map), open_(open), room_(room) {}

std::vector<FlowUnit> FlowUnitBuilder::of(std::size_t at) const {
  const MapNode& node = map_.nodes[at];
  if (node.level == MapLevel::Step) return {alone(at)};
  const bool steps_only = std::ranges::all_of(
      node.children, [&](std::size_t child) { return map_.nodes[child].level == MapLevel::Step; });
  if (steps_only && node.children.size() == 1) return {alone(node.children.front())};
  if (!isOpen(at)) return {closed(at)};
  if (steps_only) return {graph(at)};
  std::vector<FlowUnit> units;
  for (const std::size_t child : node.children)
    for (FlowUnit& unit : of(child)) units.push_back(std::move(unit));
  begin(units.front(), at);
  return units;
}

FlowUnitBuilder::Window FlowUnitBuilder::whole(TensorId id) const {
  const TensorInfo& t = program_.tensors[std::size_t(id)];
  return {0, 0, t.rows, t.cols};
}

FlowUnitBuilder::Windows FlowUnitBuilder::headWindows(std::size_t block) const {
  Windows windows;
  if (open_.head < 0) return windows;
  const MapNode& node = map_.nodes[block];
  for (std::size_t i = node.first; i < node.end; ++i) {
    const Step& step = program_.steps[i];
    if (step.op != &ops::kAttention) continue;
    const AttentionShape& shape = std::any_cast<const AttentionArguments&>(step.arguments).shape;
    if (shape.heads < 2) continue;
    const auto head = std::min<std::int64_t>(open_.head, shape.heads - 1);
    const auto columns = [&](TensorId id, std::int64_t size) {
      Window window = whole(id);
      window.col = head * size;
      window.cols = size;
      windows[id] = window;
    };
    columns(step.inputs[0], shape.key_size);
    columns(step.inputs[1], shape.key_size);
    columns(step.inputs[2], shape.value_size);
    columns(step.outputs[0], shape.value_size);
    std::vector<TensorId> maps(step.outputs.begin() + 1, step.outputs.end());
    if (step.inputs.size() > 4) maps.push_back(step.inputs[4]);
    for (const TensorId id : maps)
      if (id != kNoTensor) windows[id] = {head * shape.queries, 0, shape.queries, shape.keys};
  }
  return windows;
}

FlowTile FlowUnitBuilder::tile(TensorId id, std::size_t node, FlowTile::Part part,
                               const Window& window, bool transposed, const Size& size) const {
  const double unit = room_.unit;
  FlowTile tile;
  tile.tensor = id;
  tile.node = node;
  tile.part = part;
  tile.row = window.row;
  tile.col = window.col;
  tile.transposed = transposed;
  CellPlaces& places = tile.places;
  places.rows = int(transposed ? window.cols : window.rows);
  places.cols = int(transposed ? window.rows : window.cols);
  places.cell_width = unit * std::min(size.cell, size.most / places.cols);
  places.cell_height = unit * std::min(size.cell, size.most / places.rows);
  const double least = std::min(places.cell_width, places.cell_height);
  places.gap = least >= kSeparated * unit ? unit : 0.0;
  const bool is_map = part == FlowTile::Part::Result && isMap(tile, program_);
  // The states that a stack begins with have its tokens beside them.
  const bool begins = part == FlowTile::Part::States && map_.nodes[node].site.layer < 0;
  const bool weight = part == FlowTile::Part::Weight, states = part == FlowTile::Part::States;
  const bool rows_named = is_map || begins || (weight && room_.tokens(id, transposed));
  const bool cols_named = is_map || (!states && room_.tokens(id, !transposed));
  tile.row_labels = rows_named && room_.labels > 0.0 && places.cell_height >= kLeastLabelled * unit;
  tile.col_labels = cols_named && room_.labels > 0.0 && places.cell_width >= kLeastLabelled * unit;
  tile.captioned = !weight || (places.rows > 1 && places.cols > 1);
  const double caption = tile.captioned ? kCaption : 0.0;
  const double left = tile.row_labels ? room_.labels : 0.0;
  const double below = tile.col_labels ? kLabelRow : 0.0;
  places.origin = {left * unit, 0.0};
  tile.area = {0.0, 0.0, left * unit + places.cols * places.cell_width,
               places.rows * places.cell_height + (below + caption) * unit};
  return tile;
}

void FlowUnitBuilder::moveTo(FlowTile& tile, const QPointF& place) {
  tile.places.origin += place - tile.area.topLeft();
  tile.area.moveTopLeft(place);
}

std::vector<FlowTile> FlowUnitBuilder::weights(std::size_t leaf, const Windows& windows,
                                               const Size& size) const {
  std::vector<FlowTile> tiles;
  const Step& step = program_.steps[map_.nodes[leaf].first];
  const bool linear = step.op->kind == OpKind::Map;
  const auto result = step.outputs.empty() ? windows.end() : windows.find(step.outputs.front());
  for (const TensorId id : map_.nodes[leaf].weights) {
    const TensorInfo& t = program_.tensors[std::size_t(id)];
    const bool matrix = linear && step.inputs[1] == id;
    Window window = whole(id);
    // A head's columns of the result come from these rows of the matrix.
    if (linear && result != windows.end()) {
      (matrix ? window.row : window.col) = result->second.col;
      (matrix ? window.rows : window.cols) = result->second.cols;
    }
    const TensorId holder = t.window_of == kNoTensor ? id : t.window_of;
    tiles.push_back(tile(holder, leaf, FlowTile::Part::Weight, window, matrix, size));
  }
  return tiles;
}

/// The matrix over its result, so that a column of one stands over that of the other, and what is
/// multiplied on their left.
void FlowUnitBuilder::addProduct(Piece& piece, const Windows& windows) const {
  constexpr Size kLarge{22.0, 420.0};
  const double unit = room_.unit;
  const std::size_t leaf = piece.card.node;
  const Step& step = program_.steps[map_.nodes[leaf].first];
  std::vector<FlowTile> over = weights(leaf, windows, kLarge);
  double left = 0.0, high = kTitleHeight * unit;
  std::vector<FlowTile> read;
  for (const TensorId id : map_.nodes[leaf].reads) {
    if (program_.tensors[std::size_t(id)].role == Role::Ids) continue;
    read.push_back(tile(id, leaf, FlowTile::Part::Result, whole(id), false, kLarge));
    read.back().row_labels = read.back().col_labels = false;
    left = std::max(left, read.back().area.width());
  }
  if (!read.empty()) left += kBeside * unit;
  const auto beside = [](const FlowTile& one) { return one.places.origin.x() - one.area.left(); };
  for (const FlowTile& one : over) left = std::max(left, beside(one));
  double right = 0.0;
  for (FlowTile& one : over) {
    moveTo(one, {left - beside(one), high});
    high = one.area.bottom() + kBeside / 2 * unit;
    right = std::max(right, one.area.right());
  }
  double bottom = high, y = high;
  for (FlowTile& one : read) {
    moveTo(one, {0.0, y});
    y = one.area.bottom() + kBeside / 2 * unit;
    bottom = std::max(bottom, one.area.bottom());
  }
  // The result itself is the last and stands below its matrix; what is computed on the way, right.
  std::vector<TensorId> computed = observe::computedBy(program_, step);
  std::ranges::reverse(computed);
  double x = left;
  for (const TensorId id : computed) {
    const auto window = windows.find(id);
    FlowTile one = tile(id, leaf, FlowTile::Part::Result,
                        window == windows.end() ? whole(id) : window->second, false, kLarge);
    moveTo(one, {x, high});
    right = std::max(right, one.area.right());
    x = right + kBeside * unit;
    bottom = std::max(bottom, one.area.bottom());
    over.push_back(std::move(one));
  }
  piece.tiles = std::move(read);
  piece.tiles.insert(piece.tiles.end(), over.begin(), over.end());
  piece.size = {right, bottom};
}

/// The weights, small, beside what they make.
void FlowUnitBuilder::addThumbnails(Piece& piece, const Windows& windows) const {
  constexpr Size kSmall{5.0, 60.0}, kUsual{12.0, 150.0};
  const double unit = room_.unit, top = kTitleHeight * unit;
  const std::size_t leaf = piece.card.node;
  double x = 0.0, y = top, bottom = top;
  for (FlowTile& one : weights(leaf, windows, kSmall)) {
    moveTo(one, {0.0, y});
    y = one.area.bottom() + kPad / 2 * unit;
    x = std::max(x, one.area.right());
    bottom = std::max(bottom, one.area.bottom());
    piece.tiles.push_back(std::move(one));
  }
  if (x > 0.0) x += kBeside * unit;
  const Step& step = program_.steps[map_.nodes[leaf].first];
  const std::vector<TensorId> computed = observe::computedBy(program_, step);
  std::vector<FlowTile> results;
  for (const TensorId id : computed) {
    const auto window = windows.find(id);
    results.push_back(tile(id, leaf, FlowTile::Part::Result,
                           window == windows.end() ? whole(id) : window->second, false, kUsual));
  }
  // Three have separate names, and two if that of the first has room above it.
  const bool titled =
      results.size() > 2 || (results.size() == 2 && results.front().area.width() >= kTitled * unit);
  for (FlowTile& one : results) {
    one.titled = titled;
    if (&one != &results.front()) dropRowLabels(one);
    moveTo(one, {x, top});
    x = one.area.right() + kBeside * unit;
    bottom = std::max(bottom, one.area.bottom());
    piece.tiles.push_back(std::move(one));
  }
  const double right = piece.tiles.empty() ? 0.0 : piece.tiles.back().area.right();
  piece.size = {right, bottom};
}

FlowUnitBuilder::Piece FlowUnitBuilder::piece(std::size_t leaf, const Windows& windows) const {
  Piece piece;
  piece.card.node = leaf;
  piece.card.opens = !map_.nodes[leaf].weights.empty();
  piece.card.open = piece.card.opens && isOpen(leaf);
  if (piece.card.open)
    addProduct(piece, windows);
  else
    addThumbnails(piece, windows);
  const double title = (room_.title(leaf) + (piece.card.opens ? kTitleRoom : 0.0)) * room_.unit;
  piece.size.setWidth(std::max(piece.size.width(), title));
  piece.card.head = {0.0, 0.0, piece.size.width(), kTitleHeight * room_.unit};
  return piece;
}

FlowUnit FlowUnitBuilder::alone(std::size_t leaf) const {
  Piece own = piece(leaf, {});
  FlowUnit unit;
  unit.node = leaf;
  // The largest of its results stands on the stream.
  double stream = own.size.height() / 2, height = 0.0;
  for (const FlowTile& one : own.tiles) {
    const QRectF cells = one.places.bounds();
    if (one.part == FlowTile::Part::Weight || cells.height() <= height) continue;
    height = cells.height();
    stream = cells.center().y();
  }
  const QPointF by(0.0, -stream);
  own.card.head.translate(by);
  unit.cards.push_back(own.card);
  for (FlowTile& one : own.tiles) {
    one.places.origin += by;
    one.area.translate(by);
    unit.tiles.push_back(std::move(one));
  }
  unit.hold(QRectF(by, own.size));
  return unit;
}

void FlowUnitBuilder::addStates(FlowUnit& unit) const {
  constexpr Size kStates{12.0, 110.0};
  const MapNode& node = map_.nodes[unit.node];
  if (node.out == kNoTensor || node.out == node.in) return;
  FlowTile states =
      tile(node.out, unit.node, FlowTile::Part::States, whole(node.out), false, kStates);
  const double gap = (unit.join ? kJoin : kBeside) * room_.unit;
  moveTo(states, {unit.width + gap, -states.places.bounds().height() / 2});
  unit.hold(states.area);
  unit.tiles.push_back(std::move(states));
}

FlowUnit FlowUnitBuilder::closed(std::size_t at) const {
  constexpr Size kAdded{9.0, 84.0};
  const double unit = room_.unit, pad = kPad * unit;
  const MapNode& node = map_.nodes[at];
  FlowUnit card;
  card.node = at;
  const double title = (room_.title(at) + kTitleRoom) * unit;
  QSizeF inside(title, kTitleHeight * unit);
  std::optional<FlowTile> added;
  if (const TensorId id = addedBy(program_, node); id != kNoTensor) {
    added = tile(id, at, FlowTile::Part::Result, whole(id), false, kAdded);
    added->row_labels = added->col_labels = false;
    moveTo(*added, {0.0, 0.0});
    inside = {std::max(title, added->area.width()),
              kTitleHeight * unit + pad / 2 + added->area.height()};
  } else {
    inside.rheight() += kNarrow * unit;
  }
  QRectF frame(0.0, 0.0, inside.width() + 2 * pad, inside.height() + 1.5 * pad);
  frame.moveTop(added ? -kLift * unit - frame.height() : -frame.height() / 2);
  if (added)
    moveTo(*added, {frame.left() + (frame.width() - added->area.width()) / 2,
                    frame.top() + pad + kTitleHeight * unit});
  card.cards.push_back(
      {at,
       false,
       true,
       frame,
       {frame.left() + pad, frame.top() + pad / 2, frame.width() - 2 * pad, kTitleHeight * unit}});
  card.hold(frame);
  if (added) {
    card.tiles.push_back(std::move(*added));
    card.join = QPointF(frame.right() + kJoin * unit, 0.0);
    card.hold(QRectF(card.join->x() - kPad * unit, -kPad * unit, 2 * kPad * unit, 2 * kPad * unit));
  }
  addStates(card);
  return card;
}

FlowUnit FlowUnitBuilder::graph(std::size_t at) const {
  const double unit = room_.unit, pad = kPad * unit;
  const MapNode& node = map_.nodes[at];
  const Windows windows = headWindows(at);
  const bool joins = node.joins != kNoNode;
  // A sum that is the block's last step stands on the stream.
  const auto left_out = [&](std::size_t step) {
    return joins && step == node.joins && program_.steps[step].outputs.front() == node.out;
  };
  std::map<std::size_t, std::size_t> depth;
  std::vector<std::vector<Piece>> columns;
  for (const std::size_t leaf : node.children) {
    const std::size_t step = map_.nodes[leaf].first;
    if (left_out(step)) continue;
    std::size_t own = 0;
    for (const TensorId id : map_.nodes[leaf].reads)
      if (const auto maker = depth.find(map_.makers[std::size_t(id)]); maker != depth.end())
        own = std::max(own, maker->second + 1);
    depth[step] = own;
    if (columns.size() <= own) columns.resize(own + 1);
    columns[own].push_back(piece(leaf, windows));
  }
  double height = 0.0;
  std::vector<double> heights;
  for (const auto& column : columns) {
    double sum = -kPieceGap * unit;
    for (const Piece& one : column) sum += one.size.height() + kPieceGap * unit;
    heights.push_back(sum);
    height = std::max(height, sum);
  }
  FlowUnit frame;
  frame.node = at;
  const double inside = pad + kTitleHeight * unit + pad / 2;
  const double whole_height = inside + height + pad;
  const double top = joins ? -kLift * unit - whole_height : -whole_height / 2;
  double x = pad;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double y = top + inside + (height - heights[i]) / 2, widest = 0.0;
    for (Piece& one : columns[i]) {
      const QPointF by(x, y);
      one.card.head.translate(by);
      frame.cards.push_back(one.card);
      for (FlowTile& tile : one.tiles) {
        tile.places.origin += by;
        tile.area.translate(by);
        frame.tiles.push_back(std::move(tile));
      }
      y += one.size.height() + kPieceGap * unit;
      widest = std::max(widest, one.size.width());
    }
    x += widest + kColumnGap * unit;
  }
  const double title = (room_.title(at) + kTitleRoom) * unit;
  const double right = std::max(x - kColumnGap * unit + pad, title + 2 * pad);
  const QRectF area(0.0, top, right, whole_height);
  frame.cards.insert(
      frame.cards.begin(),
      {at, true, true, area, {pad, top + pad / 2, right - 2 * pad, kTitleHeight * unit}});
  frame.hold(area);
  if (!joins) return frame;
  frame.join = QPointF(right + kJoin * unit, 0.0);
  frame.hold(QRectF(frame.join->x() - pad, -pad, 2 * pad, 2 * pad));
  addStates(frame);
  return frame;
}

}  // namespace tfm::ui
