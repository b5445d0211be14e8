// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <optional>
#include <vector>

#include "ui/plots/line_scene.h"
#include "ui/plots/plot_look.h"
#include "ui/plots/polyline.h"

namespace tfm::ui {

/// A LineScene laid out on a given size: what to draw and where, before anything is painted.
/// All positions are relative to the top left corner of the plot.
struct LineLayout {
  struct Curve {
    Polyline raw, smooth;        ///< raw is empty where smoothing is off
    std::optional<QPointF> end;  ///< the last drawn point of `smooth`
    double last = 0;             ///< the exact value there
  };
  struct Label {
    int curve;
    QRectF box;
  };
  struct Flag {
    static constexpr double kMark = 11;  ///< units for the pennant beside the text

    int index;
    double x;
    QRectF box;
    QString text;            ///< shortened to the room before the next flag, empty if there is none
    int hidden = 0;          ///< how many flags before it have no text; then the text counts them
    bool leftwards = false;  ///< the text stands left of the line, as there is no room on its right
  };

  PlotFrame frame;
  QString y_title;
  QRectF x_title;  ///< below the ticks, or left of them where there is little height
  std::vector<Curve> curves;
  bool labels_at_ends = false;  ///< the labels stand at the lines' ends, else in a legend above
  std::vector<Label> labels;
  std::vector<Flag> flags;
  double row = 0;   ///< height of a line of text
  double edge = 0;  ///< free space along the plot's border
  QString note;     ///< what cannot be shown and why, empty if all is
};

/// Decimates, chooses the ranges and places every label. Labels stand at the lines' ends unless
/// there is no room for them or a `legend` is asked for.
LineLayout layoutLines(const LineScene& scene, const PlotLook& look, const QSizeF& size,
                       bool legend = false);

/// Whether a plot of this size has room for labels at the lines' ends.
bool hasRoomAtEnds(const LineScene& scene, const PlotLook& look, const QSizeF& size);

/// A value of a curve as its labels say it: three digits, but no more decimals than an axis of
/// fixed range can tell, where the average of zeros is "0.000" and not "4.80e-14".
QString readingText(const LineScene& scene, double value);

/// The width that the labels at the lines' ends need, constant while values change.
double labelRoom(const LineScene& scene, const PlotLook& look);

}  // namespace tfm::ui
