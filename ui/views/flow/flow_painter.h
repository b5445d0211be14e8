// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <vector>

#include "ui/heatmap/cell_painter.h"
#include "ui/heatmap/color_scale.h"
#include "ui/style/forward.h"
#include "ui/views/flow/flow_layout.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// The scale of each tensor's colours, found when it is first drawn.
class FlowScales {
 public:
  /// The run must outlive this or be replaced with another call.
  void reset(FlowRun* run, FlowSide side);
  const ColorScale& of(TensorId tensor);

 private:
  FlowRun* run_ = nullptr;
  FlowSide side_ = FlowSide::Values;
  std::map<TensorId, ColorScale> scales_;
};

/// Draws a diagram; only what is in `visible`.
class FlowPainter {
 public:
  struct Look {
    const Style& style;
    const Palette& palette;
    QRectF visible;
    CellDetail detail = CellDetail::Screen;
  };

  FlowPainter(FlowRun& run, const FlowLayout& layout, FlowSide side, FlowScales& scales,
              const Look& look)
      : run_(run), layout_(layout), side_(side), scales_(scales), look_(look) {}

  void paint(QPainter& painter);
  /// Frames around numbers; around the whole row or column where there are many.
  void paintLit(QPainter& painter, std::span<const observe::NumberPlace> places,
                const QColor& color) const;
  /// A mark on what interventions in force change: crossed out where it is switched off.
  void paintChanged(QPainter& painter) const;
  /// The edges that a step reads along, and a dot on each at a part of the way; none at its ends.
  void paintEdges(QPainter& painter, std::size_t step, double way, const QColor& color) const;
  /// A frame around what a step makes.
  void paintStep(QPainter& painter, std::size_t step, const QColor& color) const;

 private:
  double textUnit() const;
  void paintStream(QPainter& painter) const;
  QFont labelFont(const FlowTile& tile) const;
  /// Where the labels of its rows begin.
  double rowLabelsLeft(const FlowTile& tile) const;
  void paintCurves(QPainter& painter) const;
  void paintCards(QPainter& painter) const;
  void paintTile(QPainter& painter, const FlowTile& tile);
  void paintNumbers(QPainter& painter, const FlowTile& tile, const std::vector<float>& values,
                    const ColorTable& colors) const;
  void paintLabels(QPainter& painter, const FlowTile& tile) const;
  void paintCaption(QPainter& painter, const FlowTile& tile) const;
  std::vector<float> numbersOf(const FlowTile& tile, CellPlaces& places);
  QColor curveColor(const FlowCurve& curve) const;

  FlowRun& run_;
  const FlowLayout& layout_;
  const FlowSide side_;
  FlowScales& scales_;
  const Look look_;
};

/// The colour of a dimension, the same wherever it is named.
QColor axisColor(const Palette& palette, const std::string& axis);

}  // namespace tfm::ui
