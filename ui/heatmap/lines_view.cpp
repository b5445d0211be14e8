// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/lines_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/style/style.h"

namespace tfm::ui {

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
                     ? tr("A line is as strong as its weight, from %1 to %2.")
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
