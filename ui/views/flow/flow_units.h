// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ui/views/flow/flow_layout.h"

namespace tfm::ui {

/// Of a title and beside it, in pixels at scale 1.
inline constexpr double kTitleHeight = 20.0, kTitleRoom = 26.0;

/// A neighbour on the stream: a part of the model as it is drawn, in coordinates in which the
/// stream is at y = 0 and the unit begins at x = 0.
struct FlowUnit {
  std::size_t node = 0;
  double left = 0.0;  ///< where it stands in its row
  double width = 0.0, above = 0.0, below = 0.0;
  std::vector<FlowTile> tiles;
  std::vector<FlowCard> cards;
  std::vector<std::size_t> begins;  ///< open parts of which it is the first
  std::optional<QPointF> join;      ///< where its result is added to the stream

  /// Makes room for an area.
  void hold(const QRectF& area);
};

/// What a block adds to the stream; kNoTensor if it does not add anything.
TensorId addedBy(const Program& program, const observe::MapNode& node);

/// Draws each part of a model as one unit if it is closed, else as the units of its parts.
class FlowUnitBuilder {
 public:
  /// All must outlive this.
  FlowUnitBuilder(const Program& program, const observe::ModelMap& map, const FlowOpen& open,
                  const FlowRoom& room);

  std::vector<FlowUnit> of(std::size_t node) const;

 private:
  /// The part of a tensor that is shown.
  struct Window {
    std::int64_t row = 0, col = 0, rows = 0, cols = 0;
  };
  /// How large a tile is drawn: its cells, and its longest side.
  struct Size {
    double cell, most;
  };
  /// A step with its weights and results, from (0, 0).
  struct Piece {
    FlowCard card;
    std::vector<FlowTile> tiles;
    QSizeF size;
  };
  using Windows = std::map<TensorId, Window>;

  bool isOpen(std::size_t node) const { return open_.paths.contains(map_.nodes[node].path); }
  Window whole(TensorId id) const;
  Windows headWindows(std::size_t block) const;
  FlowTile tile(TensorId id, std::size_t node, FlowTile::Part part, const Window& window,
                bool transposed, const Size& size) const;
  /// Moves a tile's cells so that its area begins at a place.
  static void moveTo(FlowTile& tile, const QPointF& place);
  std::vector<FlowTile> weights(std::size_t leaf, const Windows& windows, const Size& size) const;
  Piece piece(std::size_t leaf, const Windows& windows) const;
  void addProduct(Piece& piece, const Windows& windows) const;
  void addThumbnails(Piece& piece, const Windows& windows) const;

  FlowUnit closed(std::size_t node) const;
  FlowUnit graph(std::size_t node) const;
  FlowUnit alone(std::size_t leaf) const;
  void addStates(FlowUnit& unit) const;
  void begin(FlowUnit& unit, std::size_t node) const {
    unit.begins.insert(unit.begins.begin(), node);
  }

  const Program& program_;
  const observe::ModelMap& map_;
  const FlowOpen& open_;
  const FlowRoom& room_;
};

}  // namespace tfm::ui
