// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/program/parameter_layout.h"

namespace tfm::ui {

/// A part of a model in a row of a plan.
struct RowPart {
  double width = 0.0;
  /// A stack begins a row. A layer that fits in one is split only where the row before would stay
  /// half empty.
  Site site{};
};
struct RowPlace {
  int row = 0;
  double left = 0.0;
};

/// Places the parts of a model, in execution order, from left to right in rows of this width. Parts
/// outside stacks continue the row before. This is the arrangement of all pictures of a model.
std::vector<RowPlace> placeInRows(std::span<const RowPart> parts, double width, double gap);

/// The block of a plan that a parameter belongs to.
struct PlanPlace {
  Site site{};
  QString title{};
  bool operator==(const PlanPlace&) const = default;
};

/// The blocks of parameters, as in observe::ModelMap: where a step first reads them. The title of
/// the first of a layer names its layer. `tags` are in execution order, that of a ParameterLayout.
std::vector<PlanPlace> planPlaces(std::span<const ParameterTag> tags);

/// What a parameter's place in a plan depends on.
struct PlanMember {
  PlanPlace place{};
  int rows = 0, cols = 0;
  bool alone = false;  ///< a vector that is not a bias of the matrix before it
};

/// For each parameter, the one before it in the same block whose bias it is, or for a shift its
/// gain: a column stands beside that, a row below it. -1: it begins a piece of the plan.
std::vector<int> ownersOf(std::span<const PlanMember> members);

/// What represents a parameter in a plan, with its bias: a rectangle with its texts.
struct PlanPiece {
  PlanPlace place{};
  QSizeF size;
};

/// Adjacent pieces with the same place, under their title.
struct PlanBlock {
  PlanPlace place{};
  std::size_t first = 0, count = 0;  ///< of the pieces
  int row = 0;
  bool leads = false;  ///< the next block takes over its states
  /// The block whose states it reads besides those of the block before: the end of the encoder, of
  /// a cross-attention. An arrow leads there in the lane beside the rows.
  std::optional<std::size_t> memory{};
  QRectF frame{};  ///< as high as its row
};

/// Lengths in the unit of the pieces' sizes.
struct PlanSpace {
  double width = 0.0;               ///< of a row
  double gap = 0.0, row_gap = 0.0;  ///< between blocks and rows
  double inset = 0.0;               ///< inside a block's frame
  double spread_from = 0.0;  ///< of the width: rows that use less are no wider than their blocks
  std::function<QSizeF(const QString&)> title{};  ///< size of a block's title
};

/// The layout of the parameters of a model.
struct ModelPlan {
  std::vector<PlanBlock> blocks;
  std::vector<QRectF> pieces;
  std::vector<int> columns;  ///< of each piece in its block
  QSizeF size;
  double lane = 0.0;  ///< of arrows between rows, at the right of all blocks; 0: there are none

  int rows() const { return blocks.empty() ? 0 : blocks.back().row + 1; }
  const PlanBlock& blockOf(std::size_t piece) const;
};

/// Lays out pieces in execution order: blocks as in placeInRows(), the pieces of a block in columns
/// that are read downwards, not higher than the row needs and side by side where it has room.
/// Frames fill their rows. `kept`: the plan of the same pieces at other sizes, whose rows and
/// columns are kept even if they become too wide.
ModelPlan layOutPlan(std::span<const PlanPiece> pieces, const PlanSpace& space,
                     const ModelPlan* kept = nullptr);

}  // namespace tfm::ui
