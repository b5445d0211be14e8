// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/lines_layout.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLinesTitleFont = 12.0;
constexpr double kLinesSpace = 8.0;
constexpr double kLargestPitch = 36.0;
constexpr double kWidestLines = 420.0;

}  // namespace

QRectF LinesLayout::place(const Token& token) const {
  const double y = top + token.index * pitch;
  const double space = kLinesSpace * unit;
  if (token.side == Token::Side::Looking) {
    const double width = looking.extent + 2.0 * space + number_width;
    return {left - width, y, width, pitch};
  }
  return {right, y, looked_at.extent + 2.0 * space + number_width, pitch};
}

std::optional<Token> LinesLayout::at(const QPointF& point) const {
  if (pitch <= 0.0 || point.y() < top) return std::nullopt;
  const int index = int((point.y() - top) / pitch);
  if (index < looking_count && place({Token::Side::Looking, index}).contains(point))
    return Token{Token::Side::Looking, index};
  if (index < looked_at_count && place({Token::Side::LookedAt, index}).contains(point))
    return Token{Token::Side::LookedAt, index};
  return std::nullopt;
}

LinesLayout layOutLines(const HeatMap& map, const Style& style, const QRectF& area) {
  LinesLayout layout;
  layout.unit = style.scale();
  layout.area = area;
  layout.title_font = style.textFont(kLinesTitleFont);
  layout.looking_count = map.rows;
  layout.looked_at_count = map.cols;
  if (map.rows == 0 || map.cols == 0) return layout;
  const QFontMetricsF title(layout.title_font);
  const double space = kLinesSpace * layout.unit;
  // Titles above, one line of text below.
  layout.top = area.top() + title.height() + space;
  const double bottom = area.bottom() - title.height() - space;
  layout.pitch = std::clamp((bottom - layout.top) / std::max(map.rows, map.cols), 0.5,
                            kLargestPitch * layout.unit);
  layout.looking = fitRowLabels(map.row_labels, layout.pitch, style);
  layout.looked_at = fitRowLabels(map.col_labels, layout.pitch, style);
  const QFontMetricsF numbers(style.numberFont(10.5));
  QStringList widest{map.scale.numberWithSign(map.scale.low),
                     map.scale.numberWithSign(map.scale.high)};
  if (map.hasMasked()) widest << HeatMap::tr("masked");
  for (const QString& text : widest)
    layout.number_width = std::max(layout.number_width, std::ceil(numbers.horizontalAdvance(text)));
  const double beside = 2.0 * space + layout.number_width;
  layout.left = area.left() + std::max(layout.looking.extent + beside,
                                       title.horizontalAdvance(map.row_title) + space);
  const double end =
      std::max(layout.looked_at.extent + beside, title.horizontalAdvance(map.col_title) + space);
  layout.right = std::min(area.right() - end, layout.left + kWidestLines * layout.unit);
  layout.right = std::max(layout.right, layout.left + 1.0);
  return layout;
}

QSizeF naturalLinesSize(const HeatMap& map, const Style& style) {
  const double unit = style.scale();
  const int longer = std::max({map.rows, map.cols, 1});
  const double pitch = std::clamp(560.0 / longer, 12.0, 32.0) * unit;
  const double text = QFontMetricsF(style.textFont(kLinesTitleFont)).height() + kLinesSpace * unit;
  return {560.0 * unit, pitch * longer + 2.0 * text};
}

double leastLinesHeight(const HeatMap& map, const Style& style) {
  const double text =
      QFontMetricsF(style.textFont(kLinesTitleFont)).height() + kLinesSpace * style.scale();
  return leastLabelPitch(style) * std::max(map.rows, map.cols) + 2.0 * text;
}

}  // namespace tfm::ui
