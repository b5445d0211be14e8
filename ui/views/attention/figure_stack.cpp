// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/figure_stack.h"

#include <QPainter>
#include <algorithm>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kName = 20;   // height of a part's name
constexpr double kSpace = 12;  // below a part

}  // namespace

QSizeF FigureStack::figureSize() const {
  QSizeF size;
  for (const Figure* part : parts_) {
    const QSizeF one = part->figureSize();
    size = {std::max(size.width(), one.width()), size.height() + kName + one.height() + kSpace};
  }
  return size;
}

void FigureStack::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  double top = area.top();
  for (const Figure* part : parts_) {
    painter.setFont(Style::textFace(11, QFont::DemiBold));
    painter.setPen(palette.muted);
    painter.drawText(QRectF(area.left(), top, area.width(), kName), Qt::AlignVCenter,
                     part->figureTitle());
    top += kName;
    const double height = part->figureSize().height();
    painter.save();
    part->paintFigure(painter, {area.left(), top, area.width(), height}, palette);
    painter.restore();
    top += height + kSpace;
  }
}

DataTable FigureStack::figureData() const {
  DataTable table{{QStringLiteral("part"), QStringLiteral("name"), QStringLiteral("value")}, {}};
  for (const Figure* part : parts_)
    for (const QStringList& row : part->figureData().rows)
      table.rows.push_back(QStringList(part->figureTitle()) + row);
  return table;
}

}  // namespace tfm::ui
