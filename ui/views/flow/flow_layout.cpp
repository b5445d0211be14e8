// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/program/ops/ops.h"
#include "ui/growth/model_plan.h"
#include "ui/views/flow/flow_units.h"

namespace tfm::ui {
namespace {

constexpr double kGap = 22.0;       // between neighbours on the stream
constexpr double kRowGap = 30.0;    // between rows
constexpr double kHeadRoom = 26.0;  // for the titles of open parts above a row
constexpr double kMargin = 22.0;
constexpr double kLink = 10.0;    // from the ends of rows to the link between them
constexpr double kLane = 4.0;     // between curves beside each other
constexpr double kRound = 6.0;    // a curve's corners
constexpr double kInCard = 0.65;  // of a card's width, where a curve comes in: beside its title
constexpr int kLanes = 3;
constexpr double kEntry = 16.0;    // before a step that a curve comes to from elsewhere
constexpr std::size_t kSmall = 4;  // layers of a model whose layers are open at first

using observe::kNoNode;
using observe::MapLevel;
using observe::MapNode;

/// A line along the points with rounded corners.
QPainterPath rounded(const std::vector<QPointF>& points, double radius) {
  QPainterPath path(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const QPointF &before = points[i - 1], &corner = points[i], &after = points[i + 1];
    const auto near = [&](const QPointF& other) {
      const double length = std::hypot(other.x() - corner.x(), other.y() - corner.y());
      return length <= 0.0 ? corner : corner + (other - corner) * std::min(0.5, radius / length);
    };
    path.lineTo(near(before));
    path.quadTo(corner, near(after));
  }
  path.lineTo(points.back());
  return path;
}

/// Puts the units in the rows of the plan.
class Rows {
 public:
  Rows(const FlowRoom& room, const observe::ModelMap& map)
      : room_(room), map_(map), y_(kMargin * room.unit) {
    layout_.unit = room.unit;
  }

  void add(FlowUnit unit) { units_.push_back(std::move(unit)); }

  FlowLayout take() {
    std::vector<RowPart> parts;
    for (const FlowUnit& unit : units_) parts.push_back({unit.width, map_.nodes[unit.node].site});
    const double margin = kMargin * room_.unit;
    const auto places = placeInRows(parts, room_.width - 2 * margin, kGap * room_.unit);
    for (std::size_t i = 0; i < units_.size(); ++i) {
      if (i > 0 && places[i].row != places[i - 1].row) finishRow();
      units_[i].left = margin + places[i].left;
      x_ = units_[i].left + units_[i].width;
      row_.push_back(std::move(units_[i]));
    }
    finishRow();
    layout_.size = {right_ + margin, y_};
    return std::move(layout_);
  }

 private:
  void finishRow() {
    if (row_.empty()) return;
    double above = 0.0, below = 0.0;
    bool titled = false;
    for (const FlowUnit& unit : row_) {
      above = std::max(above, unit.above);
      below = std::max(below, unit.below);
      titled = titled || !unit.begins.empty();
    }
    const double top = y_;
    const double stream = top + (titled ? kHeadRoom * room_.unit : 0.0) + above;
    layout_.streams.push_back({{row_.front().left, stream}, {x_, stream}, {}});
    linkToRowAbove(top);
    double free = 0.0;
    for (FlowUnit& unit : row_) {
      const QPointF by(unit.left, stream);
      for (const std::size_t node : unit.begins) {
        const double left = std::max(unit.left, free);
        const double width = (room_.title(node) + kTitleRoom) * room_.unit;
        layout_.cards.push_back(
            {node, true, true, {}, {left, top, width, kTitleHeight * room_.unit}});
        free = left + width + kTitleRoom * room_.unit;
        right_ = std::max(right_, free);
      }
      for (FlowCard& card : unit.cards) {
        if (!card.frame.isEmpty()) card.frame.translate(by);
        card.head.translate(by);
        layout_.cards.push_back(std::move(card));
      }
      for (FlowTile& tile : unit.tiles) {
        tile.places.origin += by;
        tile.area.translate(by);
        layout_.tiles.push_back(std::move(tile));
      }
      if (unit.join) layout_.joins.push_back({*unit.join + by, unit.node});
    }
    right_ = std::max(right_, x_);
    layout_.rows.emplace_back(0.0, top, right_, stream + below - top);
    y_ = stream + below + kRowGap * room_.unit;
    row_.clear();
  }

  /// The stream goes on in a row that begins no stack.
  void linkToRowAbove(double top) {
    const std::vector<std::size_t>& begins = row_.front().begins;
    const bool is_first = std::ranges::any_of(
        begins, [&](std::size_t node) { return map_.nodes[node].level == MapLevel::Stack; });
    if (layout_.streams.size() < 2 || is_first) return;
    const QPointF from = layout_.streams[layout_.streams.size() - 2].to;
    FlowStream& to = layout_.streams.back();
    const double out = kLink * room_.unit, between = top - kRowGap / 2 * room_.unit;
    right_ = std::max(right_, from.x() + out);
    to.link = rounded({from,
                       {from.x() + out, from.y()},
                       {from.x() + out, between},
                       {to.from.x() - out, between},
                       {to.from.x() - out, to.from.y()},
                       to.from},
                      kRound * room_.unit);
  }

  const FlowRoom& room_;
  const observe::ModelMap& map_;
  FlowLayout layout_;
  std::vector<FlowUnit> units_, row_;
  double x_ = 0.0, y_, right_ = 0.0;
};

/// Draws the numbers' ways between what has been placed.
class Curves {
 public:
  Curves(const Program& program, const observe::ModelMap& map, const FlowOpen& open,
         FlowLayout& layout)
      : program_(program), map_(map), open_(open), layout_(layout) {
    for (const FlowTile& tile : layout_.tiles)
      if (tile.part != FlowTile::Part::Weight) tiles_[tile.tensor].push_back(&tile);
  }

  void draw() {
    std::map<std::size_t, QRectF> pieces;
    for (const FlowTile& tile : layout_.tiles)
      if (map_.nodes[tile.node].level == MapLevel::Step) {
        QRectF cells = tile.places.bounds();
        if (tile.row_labels) cells.setLeft(tile.area.left());  // no curve crosses a label
        const auto [at, added] = pieces.try_emplace(tile.node, cells);
        if (!added) at->second = at->second.united(cells);
      }
    for (const auto& [node, area] : pieces) {
      const bool in_frame =
          layout_.cardOf(map_.nodes[node].parent) >= 0 &&
          !layout_.cards[std::size_t(layout_.cardOf(map_.nodes[node].parent))].frame.isEmpty();
      for (const TensorId id : map_.nodes[node].reads)
        if (in_frame || id != map_.nodes[node].in) join(id, node, area);
    }
    for (const FlowCard& card : layout_.cards) {
      if (card.open || card.frame.isEmpty()) continue;
      const MapNode& node = map_.nodes[card.node];
      for (const TensorId id : node.reads)
        if (id != node.in || node.joins != kNoNode) join(id, card.node, card.frame);
    }
    for (const FlowJoin& at : layout_.joins) addToStream(at);
  }

 private:
  struct Seen {
    QRectF cells;
    double bottom = 0.0;  ///< with the caption
  };

  /// Where a tensor is seen, best in the frame of its reader.
  Seen seenAt(TensorId id, std::size_t reader) const {
    const auto found = tiles_.find(id);
    if (found != tiles_.end()) {
      for (const FlowTile* tile : found->second)
        if (map_.nodes[tile->node].parent == map_.nodes[reader].parent && tile->node != reader)
          return {tile->places.bounds(), tile->area.bottom()};
      for (const FlowTile* tile : found->second)
        if (tile->node != reader) return {tile->places.bounds(), tile->area.bottom()};
    }
    const std::size_t maker = map_.makers[std::size_t(id)];
    if (maker == kNoNode) return {};
    const int card = layout_.cardOf(shownFor(map_, open_, maker));
    if (card < 0) return {};
    const QRectF& frame = layout_.cards[std::size_t(card)].frame;
    return {frame, frame.bottom()};
  }

  void join(TensorId id, std::size_t reader, const QRectF& to) {
    const Seen from = seenAt(id, reader);
    if (!from.cells.isEmpty())
      layout_.curves.push_back(
          {between(from, to, map_.nodes[reader].level != MapLevel::Step), id, reader});
  }

  std::ptrdiff_t rowOf(const QRectF& area) const {
    return std::ranges::find_if(
               layout_.rows, [&](const QRectF& row) { return area.center().y() <= row.bottom(); }) -
           layout_.rows.begin();
  }

  QPainterPath between(const Seen& seen, const QRectF& to, bool card) {
    const QRectF& from = seen.cells;
    const std::ptrdiff_t from_row = rowOf(from), to_row = rowOf(to);
    if (from_row < to_row) return throughGaps(seen, from_row, to, to_row, card);
    if (from.right() <= to.left()) {
      const QPointF start(from.right(), from.center().y()), end(to.left(), to.center().y());
      const QPointF bend((end.x() - start.x()) / 2, 0);
      QPainterPath path(start);
      path.cubicTo(start + bend, end - bend, end);
      return path;
    }
    // Back to the left: out below or above, and in at a card's other side or before a step.
    const bool down = from.bottom() <= to.center().y();
    const double way = down ? 1.0 : -1.0;
    const QPointF start(from.center().x(), down ? seen.bottom : from.top());
    QPainterPath path(start);
    if (card) {
      const QPointF end(to.center().x(), down ? to.top() : to.bottom());
      const QPointF bend(0, (end.y() - start.y()) / 2);
      path.cubicTo(start + bend, end - bend, end);
    } else {
      const QPointF end(to.left(), to.center().y());
      const double bend = std::min(std::abs(end.y() - start.y()), from.width());
      path.cubicTo(start + QPointF(0, way * bend), end - QPointF(kEntry * layout_.unit, 0), end);
    }
    return path;
  }

  /// To a row below: between the rows, and left of those that it passes.
  QPainterPath throughGaps(const Seen& from, std::ptrdiff_t from_row, const QRectF& to,
                           std::ptrdiff_t to_row, bool card) {
    const double unit = layout_.unit;
    const double lane = double(lanes_++ % kLanes) * kLane * unit;
    const auto under = [&](std::ptrdiff_t row) {
      return layout_.rows[std::size_t(row)].bottom() + (kRowGap / 2 - kLane) * unit + lane;
    };
    const double out = under(from_row), in = under(to_row - 1);
    std::vector<QPointF> points{{from.cells.center().x(), from.bottom},
                                {from.cells.center().x(), out}};
    if (out != in) {
      const double beside = kLane * unit + lane;
      points.insert(points.end(), {{beside, out}, {beside, in}});
    }
    if (card) {
      const double x = to.left() + kInCard * to.width();
      points.insert(points.end(), {{x, in}, {x, to.top()}});
    } else {
      const double x = to.left() - kEntry * unit;
      points.insert(points.end(), {{x, in}, {x, to.center().y()}, {to.left(), to.center().y()}});
    }
    return rounded(points, kRound * unit);
  }

  void addToStream(const FlowJoin& at) {
    const MapNode& node = map_.nodes[at.node];
    const TensorId added = addedBy(program_, node);
    const int card = layout_.cardOf(at.node);
    if (added == kNoTensor || card < 0) return;
    const bool open = layout_.cards[std::size_t(card)].open;
    QRectF from = layout_.cards[std::size_t(card)].frame;
    if (open)
      if (const QRectF tile =
              seenAt(added, node.joins == kNoNode ? kNoNode : map_.leaves[node.joins]).cells;
          !tile.isEmpty())
        from = tile;
    const QPointF start(from.right(), from.center().y());
    QPainterPath path(start);
    path.cubicTo({at.at.x(), start.y()}, {at.at.x(), start.y()}, at.at);
    layout_.curves.push_back({path, added, map_.leaves[node.joins]});
  }

  const Program& program_;
  const observe::ModelMap& map_;
  const FlowOpen& open_;
  FlowLayout& layout_;
  std::map<TensorId, std::vector<const FlowTile*>> tiles_;
  int lanes_ = 0;  ///< curves that went to other rows
};

}  // namespace

Cell FlowTile::numberAt(const Cell& cell) const {
  return transposed ? Cell{int(row) + cell.col, int(col) + cell.row}
                    : Cell{int(row) + cell.row, int(col) + cell.col};
}

std::optional<Cell> FlowTile::cellOf(std::int64_t at_row, std::int64_t at_col) const {
  const auto down = int(at_row - row), across = int(at_col - col);
  const Cell cell = transposed ? Cell{across, down} : Cell{down, across};
  if (cell.row < 0 || cell.row >= places.rows || cell.col < 0 || cell.col >= places.cols)
    return std::nullopt;
  return cell;
}

int FlowLayout::tileOf(TensorId tensor, std::int64_t row, std::int64_t col) const {
  const auto found = std::ranges::find_if(tiles, [&](const FlowTile& tile) {
    return tile.tensor == tensor && tile.cellOf(row, col).has_value();
  });
  return found == tiles.end() ? -1 : int(found - tiles.begin());
}

int FlowLayout::cardOf(std::size_t node) const {
  const auto found = std::ranges::find(cards, node, &FlowCard::node);
  return found == cards.end() ? -1 : int(found - cards.begin());
}

FlowLayout layOutFlow(const Program& program, const observe::ModelMap& map, const FlowOpen& open,
                      const FlowRoom& room) {
  Rows rows(room, map);
  FlowUnitBuilder units(program, map, open, room);
  for (const std::size_t part : map.nodes.front().children)
    for (FlowUnit& unit : units.of(part)) rows.add(std::move(unit));
  FlowLayout layout = rows.take();
  Curves(program, map, open, layout).draw();
  return layout;
}

FlowOpen openAtFirst(const observe::ModelMap& map) {
  FlowOpen open;
  const auto layers = std::ranges::count_if(map.nodes, [](const MapNode& node) {
    return node.level == MapLevel::Layer && node.site.layer >= 0;
  });
  for (const MapNode& node : map.nodes)
    if (node.level == MapLevel::Stack ||
        (node.level == MapLevel::Layer && node.site.layer >= 0 && std::size_t(layers) <= kSmall))
      open.paths.insert(node.path);
  return open;
}

std::size_t shownFor(const observe::ModelMap& map, const FlowOpen& open, std::size_t step) {
  for (const std::size_t node : map.wayTo(map.leaves[step]))
    if (node != 0 && !open.paths.contains(map.nodes[node].path)) return node;
  return map.leaves[step];
}

}  // namespace tfm::ui
