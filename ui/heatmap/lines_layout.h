// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/heat_data.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A token on one of the two sides: rows look, columns are looked at.
struct Token {
  enum class Side { Looking, LookedAt };
  Side side = Side::Looking;
  int index = -1;
  bool operator==(const Token&) const = default;
};

/// Which tokens are highlighted.
struct LinesMarks {
  std::optional<Token> hovered;
  std::optional<Token> locked;

  const std::optional<Token>& shown() const { return locked ? locked : hovered; }
};

/// The layout of the two columns of tokens and the lines between. Depends only on the map's shape
/// and texts.
struct LinesLayout {
  double unit = 1.0;
  double top = 0.0;           ///< of the first token
  double pitch = 0.0;         ///< between tokens
  double left = 0.0;          ///< where lines start
  double right = 0.0;         ///< where lines end
  double number_width = 0.0;  ///< kept free outside the labels
  AxisLabels looking, looked_at;
  int looking_count = 0;
  int looked_at_count = 0;
  QFont title_font;
  QRectF area;

  double centre(int index) const { return top + (index + 0.5) * pitch; }
  QRectF place(const Token& token) const;
  std::optional<Token> at(const QPointF& point) const;
};

LinesLayout layOutLines(const HeatMap& map, const Style& style, const QRectF& area);
/// The preferred size.
QSizeF naturalLinesSize(const HeatMap& map, const Style& style);
/// The height below which tokens would overlap.
double leastLinesHeight(const HeatMap& map, const Style& style);

}  // namespace tfm::ui
