// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/lines_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/heatmap/walk.h"
#include "ui/style/style.h"

namespace tfm::ui {

LinesView::LinesView(const Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  installCellAccessibility();
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&style, &Style::changed, this, [this] {
    layOut();
    updateGeometry();
  });
}

void LinesView::setMap(HeatMap map) {
  map.verify();
  const bool same_size = map.rows == map_.rows && map.cols == map_.cols;
  map_ = std::move(map);
  layOut();
  if (same_size) return;
  freeLock();
  hover(std::nullopt);
  updateGeometry();
}

void LinesView::setValues(std::span<const float> values) {
  check(values.size() == map_.values.size(), "new values fit the map that is shown");
  std::copy(values.begin(), values.end(), map_.values.begin());
  update();
}

void LinesView::showLock(const std::optional<Token>& token) {
  if (token == lock_.locked()) return;
  if (token)
    lock_.click(*token);
  else
    lock_.free();
  update();
}

void LinesView::layOut() {
  layout_ = layOutLines(map_, style_, rect());
  update();
}

QSize LinesView::sizeHint() const { return figureSize().toSize(); }

QSize LinesView::minimumSizeHint() const {
  const int labelled = static_cast<int>(std::ceil(leastLinesHeight(map_, style_)));
  return {style_.px(200), std::max(style_.px(160), labelled)};
}

QSizeF LinesView::figureSize() const { return naturalLinesSize(map_, style_); }

void LinesView::paintEvent(QPaintEvent*) {
  if (accessibleCount() == 0) return;
  const LinesMarks marks{lock_.hovered(), lock_.locked()};
  QPainter painter(this);
  if (drawsLines(marks))
    paintLinesFast(painter, map_, layout_, marks.shown(), style_.palette(), buffer_);
  paintWords(painter, layout_, marks, style_.palette());
}

void LinesView::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (accessibleCount() == 0) return;
  const LinesLayout layout = layOutLines(map_, style_, area);
  const LinesMarks marks{std::nullopt, lock_.locked()};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (drawsLines(marks)) paintLines(painter, map_, layout, marks.shown(), palette);
  paintWords(painter, layout, marks, palette);
  painter.restore();
}

bool LinesView::drawsLines(const LinesMarks& marks) const {
  return marks.shown() || std::max(map_.rows, map_.cols) <= kMostTokens;
}

void LinesView::paintWords(QPainter& painter, const LinesLayout& layout, const LinesMarks& marks,
                           const Palette& palette) const {
  paintTokens(painter, map_, layout, marks, style_, palette);
  const ColorScale& scale = map_.scale;
  const double faintest = scale.kind == ColorScale::Kind::Signed ? 0.0 : scale.low;
  paintLinesNote(painter, map_, layout,
                 drawsLines(marks)
                     ? tr("A line is as strong as its weight, from %1 to %2.")
                           .arg(scale.number(faintest), scale.number(scale.high))
                     : tr("More than %1 tokens: point at one to see its lines.").arg(kMostTokens),
                 palette);
}

void LinesView::resizeEvent(QResizeEvent*) { layOut(); }

void LinesView::hover(const std::optional<Token>& token) {
  const bool changed = lock_.hovered() != token;
  if (lock_.hover(token)) emit tokenHovered(token.value_or(Token{}));
  if (changed) update();
}

void LinesView::click(const Token& token) {
  if (lock_.click(token))
    emit tokenLocked(token);
  else
    emit tokenFreed();
  update();
}

bool LinesView::freeLock() {
  const bool had = lock_.free();
  if (had) emit tokenFreed();
  update();
  return had;
}

void LinesView::mouseMoveEvent(QMouseEvent* event) { hover(layout_.at(event->position())); }

void LinesView::leaveEvent(QEvent*) { hover(std::nullopt); }

void LinesView::mousePressEvent(QMouseEvent* event) {
  const auto token = layout_.at(event->position());
  if (event->button() != Qt::LeftButton || !token) {
    event->ignore();
    return;
  }
  hover(token);
  click(*token);
}

void LinesView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && freeLock()) return;
  if (isLockKey(event->key()) && lock_.shown()) {
    click(Token(*lock_.shown()));
    return;
  }
  const auto step = stepFor(event->key());
  if (!step || accessibleCount() == 0) {
    QWidget::keyPressEvent(event);
    return;
  }
  // The first key enters at the first token.
  Token token = lock_.shown().value_or(Token{Token::Side::Looking, -step->row});
  if (step->col != 0) token.side = step->col > 0 ? Token::Side::LookedAt : Token::Side::Looking;
  const int count = token.side == Token::Side::Looking ? map_.rows : map_.cols;
  token.index = std::clamp(token.index + step->row, 0, count - 1);
  if (lock_.shown() == token) return;
  if (lock_.locked())
    click(token);
  else
    hover(token);
  announceCurrent(*this);
}

Token LinesView::tokenOf(int index) const {
  return index < map_.rows ? Token{Token::Side::Looking, index}
                           : Token{Token::Side::LookedAt, index - map_.rows};
}

QString LinesView::accessibleText(int index) const {
  const Token token = tokenOf(index);
  const bool looking = token.side == Token::Side::Looking;
  const QString label = (looking ? map_.row_labels : map_.col_labels).value(token.index);
  // The strongest partner says most; the rest can be walked in the map.
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

QRect LinesView::accessibleArea(int index) const {
  return tokenRect(tokenOf(index)).toAlignedRect();
}

int LinesView::accessibleCurrent() const {
  const auto& token = lock_.shown();
  if (!token) return -1;
  return token->side == Token::Side::Looking ? token->index : map_.rows + token->index;
}

bool LinesView::accessibleSelected(int index) const { return lock_.locked() == tokenOf(index); }

}  // namespace tfm::ui
