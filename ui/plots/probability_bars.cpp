// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/probability_bars.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"

namespace tfm::ui {

ProbabilityBars::ProbabilityBars(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  setFocusPolicy(Qt::StrongFocus);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void ProbabilityBars::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void ProbabilityBars::setBars(std::vector<TokenProbability> bars, const QString& formula) {
  if (bars.size() != bars_.size() || formula.isEmpty() != formula_.isEmpty()) updateGeometry();
  bars_ = std::move(bars);
  formula_ = formula;
  chosen_.reset();
  current_ = 0;
  moveTo(0);
  update();
}

void ProbabilityBars::setChosen(std::optional<int> index) {
  chosen_ = index;
  update();
}

double ProbabilityBars::rowHeight() const { return style_.px(22); }

double ProbabilityBars::headHeight() const { return formula_.isEmpty() ? 0 : style_.px(26); }

QRectF ProbabilityBars::row(int index, const QRectF& area) const {
  return QRectF(area.left(), area.top() + headHeight() + index * rowHeight(), area.width(),
                rowHeight());
}

QSizeF ProbabilityBars::figureSize() const {
  const double rows = std::max<double>(static_cast<double>(bars_.size()), 1);
  return QSizeF(style_.px(280), headHeight() + rows * rowHeight());
}

QSize ProbabilityBars::minimumSizeHint() const {
  return {style_.px(160), static_cast<int>(figureSize().height())};
}

void ProbabilityBars::paintFigure(QPainter& painter, const QRectF& area,
                                  const Palette& palette) const {
  painter.save();
  paint(painter, area, PlotLook(style_, palette));
  painter.restore();
}

void ProbabilityBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotLook look(style_, style_.palette());
  paint(painter, rect(), look);
  if (!hasFocus() || bars_.empty()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.palette.accent, 1.5 * look.unit));
  painter.drawRoundedRect(row(current_, rect()).adjusted(1, 1, -1, -1), 4 * look.unit,
                          4 * look.unit);
}

void ProbabilityBars::paint(QPainter& painter, const QRectF& area, const PlotLook& look) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const double unit = look.unit, pad = 6 * unit;
  painter.setFont(look.number);
  painter.setPen(look.palette.muted);
  painter.drawText(QRectF(area.left() + pad, area.top(), area.width(), headHeight()),
                   Qt::AlignVCenter, formula_);
  if (bars_.empty()) {
    painter.setFont(look.text);
    painter.drawText(area, Qt::AlignCenter, tr("No data yet"));
    return;
  }
  const QFont token_font = style_.numberFont(12);
  const QFontMetricsF tokens(token_font);
  double token_width = tokens.horizontalAdvance(QStringLiteral("00"));
  for (const TokenProbability& bar : bars_)
    token_width = std::max(token_width, tokens.horizontalAdvance(visibleToken(bar.token)));
  token_width = std::min(token_width, area.width() / 3);
  const double value_width =
      QFontMetricsF(look.number).horizontalAdvance(QStringLiteral("0.000123"));

  for (int i = 0; i < static_cast<int>(bars_.size()); ++i) {
    const TokenProbability& bar = bars_[static_cast<std::size_t>(i)];
    const QRectF line = row(i, area).adjusted(pad, 0, -pad, 0);
    const bool chosen = chosen_ == i;
    painter.setFont(token_font);
    painter.setPen(chosen ? look.palette.mark : look.palette.text);
    painter.drawText(QRectF(line.left(), line.top(), token_width + 1, line.height()),
                     Qt::AlignVCenter,
                     tokens.elidedText(visibleToken(bar.token), Qt::ElideRight, token_width + 1));
    painter.setFont(look.number);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, shortNumber(bar.probability));

    QRectF track = line.adjusted(token_width + 2 * pad, 0, -value_width - pad, 0);
    track.setTop(line.center().y() - 4 * unit);
    track.setHeight(8 * unit);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.faded(look.palette.muted, 0.12));
    painter.drawRoundedRect(track, 2 * unit, 2 * unit);
    const double share =
        std::isfinite(bar.probability) ? std::clamp(bar.probability, 0.0, 1.0) : 0.0;
    track.setWidth(track.width() * share);
    painter.setBrush(chosen ? look.palette.mark : look.palette.accent);
    // Too small for its corners to be round, it would vanish: at least a hair.
    if (share > 0) painter.drawRoundedRect(track.adjusted(0, 0, unit, 0), 2 * unit, 2 * unit);
    painter.setBrush(Qt::NoBrush);
  }
}

DataTable ProbabilityBars::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("token") << QStringLiteral("probability");
  for (const TokenProbability& bar : bars_)
    table.rows.push_back({bar.token, fullPrecision(bar.probability)});
  return table;
}

void ProbabilityBars::moveTo(int index) {
  if (bars_.empty()) return setAccessibleDescription(tr("No data yet"));
  if (index < 0 || index >= static_cast<int>(bars_.size())) return;
  current_ = index;
  const TokenProbability& bar = bars_[static_cast<std::size_t>(index)];
  setAccessibleDescription(
      tr("token %1, probability %2").arg(visibleToken(bar.token), shortNumber(bar.probability)));
  update();
}

void ProbabilityBars::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  for (int i = 0; i < static_cast<int>(bars_.size()); ++i) {
    if (!row(i, rect()).contains(event->position())) continue;
    moveTo(i);
    return emit tokenActivated(i);
  }
}

void ProbabilityBars::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return moveTo(current_ - 1);
    case Qt::Key_Down:
      return moveTo(current_ + 1);
    case Qt::Key_Home:
      return moveTo(0);
    case Qt::Key_End:
      return moveTo(static_cast<int>(bars_.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!bars_.empty()) emit tokenActivated(current_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace tfm::ui
