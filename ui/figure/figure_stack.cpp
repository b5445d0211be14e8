// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_stack.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kSpace = 12;  // below a part

/// The height of a part's name.
double nameHeight(const Figure& part) { return part.figureTitle().isEmpty() ? 0.0 : 20.0; }

/// Whole pixels, so that the parts are aligned exactly.
QSizeF sizeOf(const Figure& part) {
  const QSizeF size = part.figureSize();
  return {std::ceil(size.width()), std::ceil(size.height())};
}

}  // namespace

QSizeF FigureStack::figureSize() const {
  QSizeF size;
  for (const Figure* part : parts_) {
    const QSizeF one = sizeOf(*part) + QSizeF(0.0, nameHeight(*part) + kSpace);
    size = direction_ == Direction::Down
               ? QSizeF(std::max(size.width(), one.width()), size.height() + one.height())
               : QSizeF(size.width() + one.width() + kSpace, std::max(size.height(), one.height()));
  }
  return size;
}

void FigureStack::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  QPointF at = area.topLeft();
  for (const Figure* part : parts_) {
    const QSizeF size = sizeOf(*part);
    const double name = nameHeight(*part);
    const double width = direction_ == Direction::Down ? area.width() : size.width();
    painter.setFont(Style::textFace(12, QFont::DemiBold));
    painter.setPen(palette.muted);
    painter.drawText(QRectF(at, QSizeF(width, name)), Qt::AlignVCenter, part->figureTitle());
    painter.save();
    part->paintFigure(painter, {at + QPointF(0.0, name), QSizeF(width, size.height())}, palette);
    painter.restore();
    at += direction_ == Direction::Down ? QPointF(0.0, name + size.height() + kSpace)
                                        : QPointF(width + kSpace, 0.0);
  }
}

DataTable FigureStack::figureData() const {
  DataTable table;
  for (const Figure* part : parts_) {
    const DataTable data = part->figureData();
    if (table.columns.isEmpty()) table.columns = QStringList(QStringLiteral("part")) + data.columns;
    for (const QStringList& row : data.rows)
      table.rows.push_back(QStringList(part->figureTitle()) + row);
  }
  return table;
}

}  // namespace tfm::ui
