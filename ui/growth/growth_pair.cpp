// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_pair.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kPairSpace = 18;

QFont headFont(const Style& style) { return style.textFont(14, QFont::DemiBold); }

}  // namespace

GrowthPair::GrowthPair(const Style& style, const QString& title,
                       const std::vector<GrownCells>& matrices)
    : style_(style), title_(title), before_(style), after_(style), legend_(style) {
  before_.setMatrices(matrices);
  before_.setProgress(0.0);
  after_.setMatrices(matrices);
  for (const int shown : after_.shown()) matrices_.push_back(matrices[std::size_t(shown)]);
  legend_.setMatrices(matrices_);
  legend_.setScale(after_.scale());
}

QString GrowthPair::figureTitle() const { return tr("%1: before and after").arg(title_); }

// Whole pixels, so that both pictures are aligned exactly.
double GrowthPair::headHeight() const {
  return std::ceil(1.6 * QFontMetricsF(headFont(style_)).height());
}

double GrowthPair::wallHeight() const {
  return std::ceil(after_.figureSize().height()) + style_.px(kPairSpace);
}

QSizeF GrowthPair::figureSize() const {
  const QSizeF wall = after_.figureSize(), legend = legend_.figureSize();
  return {std::max(wall.width(), legend.width()),
          2.0 * (headHeight() + wallHeight()) + legend.height()};
}

void GrowthPair::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QSizeF wall = after_.figureSize();
  double top = area.top();
  painter.save();
  for (const auto& [words, picture] :
       {std::pair(tr("Before"), &before_), std::pair(tr("After"), &after_)}) {
    painter.setFont(headFont(style_));
    painter.setPen(palette.text);
    painter.drawText(QRectF(area.left(), top, area.width(), headHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
    top += headHeight();
    picture->paintFigure(painter, QRectF(QPointF(area.left(), top), wall), palette);
    top += wallHeight();
  }
  legend_.paintFigure(painter, QRectF(area.left(), top, area.width(), area.bottom() - top),
                      palette);
  painter.restore();
}

DataTable GrowthPair::figureData() const {
  DataTable table;
  for (const GrownCells& cells : matrices_) {
    const DataTable one = cells.table();
    if (table.columns.isEmpty()) table.columns = QStringList{QStringLiteral("name")} + one.columns;
    for (const QStringList& row : one.rows) table.rows.push_back(QStringList{cells.name()} + row);
  }
  return table;
}

}  // namespace tfm::ui
