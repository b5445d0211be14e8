// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <span>
#include <vector>

#include "core/observe/stack_stages.h"
#include "ui/heatmap/cell_places.h"

namespace tfm::ui {

/// What a band has to fit into, in pixels.
struct BandRoom {
  QRectF area;
  double unit = 1.0;         ///< of the style
  double labels = 0.0;       ///< width of the labels of the first stage
  double line = 16.0;        ///< height of a line of text
  double least_pitch = 6.0;  ///< of positions; below it the picture is larger than its area
};

/// Where the states of a stack stand: a plate of cells for each stage, one row per position, from
/// left to right, all on one axis, and between two of them the band that narrows or widens.
struct LengthBandLayout {
  double unit = 1.0;
  std::vector<CellPlaces> plates;
  std::vector<QPolygonF> bands;  ///< from each plate to the next
  double label_edge = 0.0;       ///< where the labels of the first stage end
  double arc_top = 0.0;          ///< the highest point of an arc over the plates
  double caption_top = 0.0;      ///< of two lines below the plates
  double legend_top = 0.0;
  QSizeF size;

  /// A whole position: one row of a plate.
  QRectF position(std::size_t stage, std::int64_t row) const;
};

LengthBandLayout layOutLengthBand(std::span<const observe::StackStage> stages,
                                  const BandRoom& room);

/// The item numbers of positions: those of the first stage, then those of the second.
struct BandItems {
  std::vector<int> first;  ///< of each stage, and one behind the last

  explicit BandItems(std::span<const observe::StackStage> stages = {});
  int count() const { return first.back(); }
  int of(std::size_t stage, std::int64_t position) const { return first[stage] + int(position); }
  std::size_t stageOf(int item) const;
  std::int64_t positionOf(int item) const { return item - first[stageOf(item)]; }
};

}  // namespace tfm::ui
