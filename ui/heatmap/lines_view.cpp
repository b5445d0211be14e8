// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/lines_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/check.h"
#include "ui/heatmap/line_raster.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// The colour of a line: the hue shows the sign, the opacity the weight.
QColor lineColor(const ColorScale& scale, float value, const Palette& palette) {
  const double share = scale.share(value);
  if (std::isnan(share)) return palette.bad;
  const bool is_signed = scale.kind == ColorScale::Kind::Signed;
  QColor color = is_signed && value < 0.0F ? palette.negative : palette.positive;
  color.setAlphaF(float(is_signed ? std::abs(share - 0.5) * 2.0 : share));
  return color;
}

/// Calls `visit` with every (row, col) of the token, or with all.
template <class Visit>
void forEachPair(const HeatMap& map, const std::optional<Token>& token, Visit visit) {
  const bool looking = token && token->side == Token::Side::Looking;
  const bool looked_at = token && token->side == Token::Side::LookedAt;
  for (int row = looking ? token->index : 0; row < (looking ? token->index + 1 : map.rows); ++row)
    for (int col = looked_at ? token->index : 0; col < (looked_at ? token->index + 1 : map.cols);
         ++col)
      visit(row, col);
}

EmphasisOf emphasisOn(Token::Side side, const LinesMarks& marks) {
  return [side, &marks](int index) {
    const Token token{side, index};
    if (marks.locked == token) return Emphasis::Locked;
    return marks.hovered == token ? Emphasis::Hovered : Emphasis::None;
  };
}

/// The lines from weakest to strongest, so that strong ones are on top.
std::vector<CrossingLine> crossingLines(const HeatMap& map, const LinesLayout& layout,
                                        const std::optional<Token>& token, const Palette& palette) {
  std::vector<CrossingLine> lines;
  forEachPair(map, token, [&](int row, int col) {
    if (map.isMasked(row, col)) return;
    const QColor color = lineColor(map.scale, map.value(row, col), palette);
    if (color.alpha() > 0) lines.push_back({color.rgba(), layout.centre(row), layout.centre(col)});
  });
  std::sort(lines.begin(), lines.end(), [](const CrossingLine& a, const CrossingLine& b) {
    return a.color < b.color;  // the alpha is in the highest bits
  });
  return lines;
}

double lineWidth(const LinesLayout& layout) {
  return std::clamp(layout.pitch * 0.12, 1.0 * layout.unit, 2.5 * layout.unit);
}

/// Paints the lines of `token`, or of all tokens. Masked pairs have none.
void paintLines(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                const std::optional<Token>& token, const Palette& palette) {
  for (const CrossingLine& line : crossingLines(map, layout, token, palette)) {
    painter.setPen(QPen(QColor::fromRgba(line.color), lineWidth(layout)));
    painter.drawLine(QPointF(layout.left, line.from), QPointF(layout.right, line.to));
  }
}

/// The same for the screen, as an image.
void paintLinesFast(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const std::optional<Token>& token, const Palette& palette) {
  const double ratio = painter.device()->devicePixelRatioF();
  const QRect area = QRectF(layout.left, layout.top, layout.right - layout.left,
                            std::max(map.rows, map.cols) * layout.pitch)
                         .toAlignedRect();
  QImage buffer((QSizeF(area.size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  buffer.setDevicePixelRatio(ratio);
  std::vector<CrossingLine> lines = crossingLines(map, layout, token, palette);
  for (CrossingLine& line : lines) {
    line.from = (line.from - area.top()) * ratio;
    line.to = (line.to - area.top()) * ratio;
  }
  rasterLines(buffer, lines, lineWidth(layout) * ratio);
  painter.drawImage(area.topLeft(), buffer);
}

/// Paints both columns of tokens with their titles, and the weights of the shown token beside the
/// others.
void paintTokens(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                 const LinesMarks& marks, const Style& style, const Palette& palette) {
  const double space = 8.0 * layout.unit;
  const auto column = [&](Token::Side side, const AxisLabels& labels, int count) {
    const bool looking = side == Token::Side::Looking;
    const auto emphasis = emphasisOn(side, marks);
    const int align =
        Qt::AlignVCenter | Qt::TextDontClip | (looking ? Qt::AlignRight : Qt::AlignLeft);
    const auto& shown = marks.shown();
    const bool weights = shown && shown->side != side;
    const double away = looking ? -1.0 : 1.0;  // from the lines
    const auto from = [&](int i, double distance) {
      return layout.place({side, i}).adjusted(looking ? 0.0 : distance, 0.0,
                                              looking ? -distance : 0.0, 0.0);
    };
    painter.setPen(QPen(palette.line, 1.0, Qt::DotLine));
    for (int i = 0; i < count; ++i) {
      const QPointF edge(looking ? layout.left : layout.right, layout.centre(i));
      if (labels.offset(i) > 0.0)
        painter.drawLine(edge + QPointF(away * space / 2, 0.0),
                         edge + QPointF(away * (space + labels.offset(i) - 2.0), 0.0));
    }
    for (int i = 0; i < count; ++i) {
      painter.setFont(labels.font);
      painter.setPen(labelColor(palette, emphasis(i)));
      painter.drawText(from(i, space + labels.offset(i)), align, labels.texts.value(i));
      if (!weights) continue;
      painter.setFont(style.numberFont(10.5));
      painter.setPen(palette.text);
      painter.drawText(from(i, labels.extent + 2.0 * space), align,
                       looking ? map.valueText(i, shown->index) : map.valueText(shown->index, i));
    }
  };
  column(Token::Side::Looking, layout.looking, map.rows);
  column(Token::Side::LookedAt, layout.looked_at, map.cols);

  painter.setFont(layout.title_font);
  painter.setPen(palette.muted);
  const double height = QFontMetricsF(layout.title_font).height();
  const QRectF line(layout.area.left(), layout.area.top(), layout.area.width(), height);
  painter.drawText(QRectF(line.left(), line.top(), layout.left - line.left() - space, height),
                   Qt::AlignRight | Qt::TextDontClip, map.row_title);
  painter.drawText(QRectF(layout.right + space, line.top(), layout.looked_at.extent, height),
                   Qt::AlignLeft | Qt::TextDontClip, map.col_title);
  if (!map.row_title.isEmpty() && !map.col_title.isEmpty())
    painter.drawText(QRectF(layout.left, line.top(), layout.right - layout.left, height),
                     Qt::AlignCenter, QStringLiteral("→"));
}

/// Paints one line of text below the tokens.
void paintLinesNote(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const QString& note, const Palette& palette) {
  painter.setFont(layout.title_font);
  painter.setPen(palette.muted);
  const double bottom = layout.top + std::max(map.rows, map.cols) * layout.pitch;
  painter.drawText(QRectF(layout.area.left(), bottom + 8.0 * layout.unit, layout.area.width(),
                          QFontMetricsF(layout.title_font).height()),
                   Qt::AlignLeft | Qt::TextDontClip, note);
}

}  // namespace

void LinesView::setMap(HeatMap map) {
  map.verify();
  const bool same_size = map.rows == map_.rows && map.cols == map_.cols;
  map_ = std::move(map);
  arrange();
  if (same_size) return;
  free();
  hover(std::nullopt);
  updateGeometry();
}

void LinesView::setValues(std::span<const float> values) {
  check(values.size() == map_.values.size(), "new values fit the map that is shown");
  std::copy(values.begin(), values.end(), map_.values.begin());
  repaintItems();
}

std::optional<Token> LinesView::tokenOf(int item) const {
  if (item < 0) return std::nullopt;
  return item < map_.rows ? Token{Token::Side::Looking, item}
                          : Token{Token::Side::LookedAt, item - map_.rows};
}

int LinesView::itemOf(const std::optional<Token>& token) const {
  if (!token) return -1;
  return token->side == Token::Side::Looking ? token->index : map_.rows + token->index;
}

void LinesView::showLock(const std::optional<Token>& token) {
  CellGrid::showLock(token ? std::optional(cellOf(itemOf(token))) : std::nullopt);
}

QSize LinesView::minimumSizeHint() const {
  const int labelled = int(std::ceil(leastLinesHeight(map_, style())));
  return {style().px(200), std::max(style().px(160), labelled)};
}

void LinesView::paintItems(QPainter& painter) {
  const LinesMarks marks{tokenOf(hoveredCell() ? hoveredCell()->row : -1), lockedToken()};
  if (drawsLines(marks)) paintLinesFast(painter, map_, layout_, marks.shown(), style().palette());
  paintWords(painter, layout_, marks, style().palette());
}

void LinesView::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (itemCount() == 0) return;
  const LinesLayout layout = layOutLines(map_, style(), area);
  const LinesMarks marks{std::nullopt, lockedToken()};
  if (drawsLines(marks)) paintLines(painter, map_, layout, marks.shown(), palette);
  paintWords(painter, layout, marks, palette);
}

bool LinesView::drawsLines(const LinesMarks& marks) const {
  return marks.shown() || std::max(map_.rows, map_.cols) <= kMaxTokens;
}

void LinesView::paintWords(QPainter& painter, const LinesLayout& layout, const LinesMarks& marks,
                           const Palette& palette) const {
  paintTokens(painter, map_, layout, marks, style(), palette);
  const ColorScale& scale = map_.scale;
  const double faintest = scale.kind == ColorScale::Kind::Signed ? 0.0 : scale.low;
  paintLinesNote(painter, map_, layout,
                 drawsLines(marks)
                     ? tr("The stronger the line, the larger the weight: from %1 to %2.")
                           .arg(scale.number(faintest), scale.number(scale.high))
                     : tr("More than %1 tokens: hover one to see its lines.").arg(kMaxTokens),
                 palette);
}

int LinesView::stepFrom(int item, const Cell& step) const {
  // The first key press goes to the first token.
  Token token = tokenOf(item).value_or(Token{Token::Side::Looking, -step.row});
  if (step.col != 0) token.side = step.col > 0 ? Token::Side::LookedAt : Token::Side::Looking;
  const int count = token.side == Token::Side::Looking ? map_.rows : map_.cols;
  token.index = std::clamp(token.index + step.row, 0, count - 1);
  return itemOf(token);
}

QString LinesView::itemText(int item) const {
  const Token token = *tokenOf(item);
  const bool looking = token.side == Token::Side::Looking;
  const QString label = (looking ? map_.row_labels : map_.col_labels).value(token.index);
  // Only the strongest partner; the map has the rest.
  int best = -1;
  float most = 0.0F;
  for (int other = 0; other < (looking ? map_.cols : map_.rows); ++other) {
    const int row = looking ? token.index : other;
    const int col = looking ? other : token.index;
    if (map_.isMasked(row, col) || !(std::abs(map_.value(row, col)) >= most)) continue;
    most = std::abs(map_.value(row, col));
    best = other;
  }
  if (best < 0) return tr("'%1', everything masked").arg(label);
  return looking ? tr("'%1' looks most at '%2', %3")
                       .arg(label, map_.col_labels.value(best), map_.valueText(token.index, best))
                 : tr("'%1' is looked at most by '%2', %3")
                       .arg(label, map_.row_labels.value(best), map_.valueText(best, token.index));
}

}  // namespace tfm::ui
