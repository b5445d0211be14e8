// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <span>
#include <vector>

#include "core/observe/stack_stages.h"

namespace tfm::ui {

/// Maps of a layer of which each reads what the one before wrote.
struct StrandChain {
  std::int64_t layer = -1;
  std::vector<observe::PassedMap> maps;
};
/// The chains of a stack, in order.
std::vector<StrandChain> chainsOf(std::span<const observe::StackStage> stages);

/// The way of one group through a map: from its part of what the map reads to what it writes.
struct Strand {
  std::size_t chain = 0;
  std::size_t map = 0;
  std::int64_t group = 0;
  QPolygonF shape;
};

/// The features that a shuffle takes from a group to a part of what the next map reads.
struct Crossing {
  std::size_t strand = 0;  ///< that they come from
  std::int64_t part = 0;
  QPointF from, to;
};

/// Where a chain stands: a column of cells, one per component, for what is read and for what each
/// map writes; as high as the states are wide.
struct ChainPlace {
  std::vector<QRectF> columns;  ///< one more than maps
  std::vector<QPointF> joints;  ///< where the mixer's line meets a map that it joins
  double lane = 0.0;            ///< the height of that line
  QRectF area, caption;
};

struct StrandLayout {
  double unit = 1.0;
  std::vector<ChainPlace> chains;
  std::vector<Strand> strands;  ///< chain by chain, map by map, group by group
  std::vector<Crossing> crossings;
  double legend_top = 0.0;
  QSizeF size;
};

struct StrandRoom {
  QRectF area;
  double unit = 1.0;
  double line = 16.0;  ///< height of a line of text
};

/// Places the chains one beside the other, in as many lines as they need, all at one scale.
StrandLayout layOutStrands(std::span<const StrandChain> chains, const StrandRoom& room);

}  // namespace tfm::ui
