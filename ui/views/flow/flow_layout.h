// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/observe/model_map.h"
#include "ui/heatmap/cell_places.h"

namespace tfm::ui {

/// Which parts of a model are open, by path, and which head its open attentions show.
struct FlowOpen {
  std::set<std::string> paths;
  int head = 0;  ///< -1: all heads
  bool operator==(const FlowOpen&) const = default;
};

/// A tensor, or the part of it that belongs to one head, as cells. The numbers of a weight stand
/// as they are multiplied: a column of the picture makes a column of the result.
struct FlowTile {
  enum class Part : std::uint8_t { States, Result, Weight };

  TensorId tensor = kNoTensor;
  std::size_t node = 0;  ///< the part of the model that it is drawn for
  Part part = Part::Result;
  std::int64_t row = 0, col = 0;  ///< the first number shown
  bool transposed = false;
  CellPlaces places;
  bool row_labels = false, col_labels = false;  ///< whether there is room for tokens beside it
  bool titled = false;    ///< its name stands above it, as that of one of several results
  bool captioned = true;  ///< its sizes stand below it, except those of a vector of weights
  QRectF area;            ///< with labels and the caption

  /// The number that a cell of the picture shows, and the reverse; none if it is not shown.
  Cell numberAt(const Cell& cell) const;
  std::optional<Cell> cellOf(std::int64_t row, std::int64_t col) const;
};

/// A part of the model with its title: closed with what it computes, or open around its parts.
struct FlowCard {
  std::size_t node = 0;
  bool open = false;
  bool opens = false;  ///< whether there is something inside to look at
  QRectF frame;        ///< empty for a part of which only the title is drawn
  QRectF head;         ///< the title
};

/// Numbers on their way from a picture to what reads them.
struct FlowCurve {
  QPainterPath path;
  TensorId tensor = kNoTensor;
  std::size_t reader = 0;  ///< the part of the model that reads them
};

/// The residual stream along a row of the diagram, and where something is added to it.
struct FlowStream {
  QPointF from, to;
  QPainterPath link;  ///< from the end of the row above; empty: it begins here
};
struct FlowJoin {
  QPointF at;
  std::size_t node = 0;
};

/// What a diagram has to fit into, in pixels.
struct FlowRoom {
  double width = 1000.0;  ///< rows are not longer, unless one open part is
  double unit = 1.0;      ///< pixels of one pixel at scale 1, with the zoom
  double labels = 0.0;    ///< width of the tokens beside a tile, at scale 1
  /// Whether a tensor's rows, or its columns, are tokens, which stand beside large cells.
  std::function<bool(TensorId, bool columns)> tokens = [](TensorId, bool) { return false; };
  /// Width of a part's title, at scale 1.
  std::function<double(std::size_t node)> title = [](std::size_t) { return 80.0; };
};

/// Where everything of a diagram stands: from left to right along the stream, a row or more for
/// each stack.
struct FlowLayout {
  double unit = 1.0;
  std::vector<FlowTile> tiles;
  std::vector<FlowCard> cards;
  std::vector<FlowCurve> curves;
  std::vector<FlowStream> streams;  ///< one for each row
  std::vector<FlowJoin> joins;
  std::vector<QRectF> rows;  ///< between them is room for curves and links
  QSizeF size;

  /// The first tile that shows a number; -1 for none.
  int tileOf(TensorId tensor, std::int64_t row, std::int64_t col) const;
  /// The card of a part; -1 if it is not shown.
  int cardOf(std::size_t node) const;
};

FlowLayout layOutFlow(const Program& program, const observe::ModelMap& map, const FlowOpen& open,
                      const FlowRoom& room);

/// The parts that are open at first: all that a small model consists of, of a large one the stacks.
FlowOpen openAtFirst(const observe::ModelMap& map);

/// The part that shows a number while it is closed: the innermost whose parents are all open.
std::size_t shownFor(const observe::ModelMap& map, const FlowOpen& open, std::size_t step);

}  // namespace tfm::ui
