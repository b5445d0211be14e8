// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scale_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

QString signedNumber(double value) {
  const QString digits = QLocale().toString(std::abs(value), 'g', 3);
  if (value == 0) return digits;
  return (value < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + digits;
}

}  // namespace

QSizeF scaleBarSize(const Style& style) {
  const QFontMetricsF text(style.textFont(10.5)), number(style.numberFont(10.5));
  return QSizeF(style.px(200),
                2 * text.lineSpacing() + number.height() + style.px(9) + 2 * style.px(4));
}

QRectF paintScaleBar(QPainter& painter, const QPointF& corner, double limit,
                     std::optional<double> inside_share, const Palette& palette,
                     const Style& style) {
  const QFont text_font = style.textFont(10.5), number_font = style.numberFont(10.5);
  const QFontMetricsF text(text_font), number(number_font);
  const QSizeF room = scaleBarSize(style);
  const double width = room.width(), bar_height = style.px(9), gap = style.px(4);
  const QString note =
      QCoreApplication::translate("ScaleBar", "one scale for all matrices") + '\n' +
      (inside_share ? QCoreApplication::translate("ScaleBar", "%1 % of all values lie inside")
                          .arg(qRound(100 * *inside_share))
                    : QCoreApplication::translate("ScaleBar", "fixed range"));
  const double note_height = 2 * text.lineSpacing();
  const QRectF area(corner - QPointF(width, room.height()), room);

  painter.setFont(text_font);
  painter.setPen(palette.muted);
  painter.drawText(QRectF(area.left(), area.top(), width, note_height), Qt::AlignCenter, note);

  // Strips instead of a gradient: the colours are those of the cells, not a blend of the ends.
  const QRectF bar(area.left(), area.top() + note_height + gap, width, bar_height);
  constexpr int kStrips = 101;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < kStrips; ++i) {
    const double share = 2.0 * i / (kStrips - 1) - 1;
    painter.fillRect(
        QRectF(bar.left() + i * width / kStrips, bar.top(), width / kStrips + 0.5, bar_height),
        signedColor(palette, share, 1));
  }
  painter.restore();
  painter.setPen(palette.line);
  painter.drawRect(bar);

  painter.setFont(number_font);
  painter.setPen(palette.text);
  const QRectF numbers(area.left(), bar.bottom() + gap, width, number.height());
  painter.drawText(numbers, Qt::AlignLeft, signedNumber(-limit));
  painter.drawText(numbers, Qt::AlignHCenter, signedNumber(0));
  painter.drawText(numbers, Qt::AlignRight, signedNumber(limit));
  return area;
}

}  // namespace tfm::ui
