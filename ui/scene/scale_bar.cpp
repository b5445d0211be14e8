// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scale_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "ui/heatmap/legend.h"
#include "ui/style/style.h"

namespace tfm::ui {

QSizeF scaleBarSize(const Style& style) {
  const QFontMetricsF text(style.textFont(10.5)), number(style.numberFont(10.5));
  return QSizeF(style.px(200),
                2 * text.lineSpacing() + number.height() + style.px(9) + 2 * style.px(4));
}

QRectF paintScaleBar(QPainter& painter, const QPointF& corner, const ColorScale& scale,
                     std::optional<double> inside_share, const Palette& palette,
                     const Style& style) {
  const QFont text = style.textFont(10.5), number = style.numberFont(10.5);
  const QSizeF room = scaleBarSize(style);
  const double gap = style.px(4), note_height = 2 * QFontMetricsF(text).lineSpacing();
  const QString note =
      QCoreApplication::translate("ScaleBar", "one scale for all matrices") + '\n' +
      (inside_share ? QCoreApplication::translate("ScaleBar", "%1 % of all values are inside")
                          .arg(qRound(100 * *inside_share))
                    : QCoreApplication::translate("ScaleBar", "fixed range"));
  const QRectF area(corner - QPointF(room.width(), room.height()), room);

  painter.setFont(text);
  painter.setPen(palette.muted);
  painter.drawText(QRectF(area.left(), area.top(), area.width(), note_height), Qt::AlignCenter,
                   note);
  const QRectF bar(area.left(), area.top() + note_height + gap, area.width(), style.px(9));
  paintColorBar(painter, bar, ColorTable(scale, palette));
  painter.setPen(palette.line);
  painter.drawRect(bar);
  painter.setFont(number);
  painter.setPen(palette.text);
  const QRectF numbers(area.left(), bar.bottom() + gap, area.width(),
                       QFontMetricsF(number).height());
  painter.drawText(numbers, Qt::AlignLeft, scale.number(scale.low));
  painter.drawText(numbers, Qt::AlignHCenter, QStringLiteral("0"));
  painter.drawText(numbers, Qt::AlignRight, scale.numberWithSign(scale.high));
  return area;
}

}  // namespace tfm::ui
