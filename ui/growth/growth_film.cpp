// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_film.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Shares of the frame's height.
constexpr double kFilmMargin = 0.03;
constexpr double kTitle = 0.06;
constexpr double kLegend = 0.045;
// Narrow pages make texts larger, wide ones the cells: texts come first.
constexpr std::array kPageWidths = {1100.0, 1300.0, 1500.0, 1750.0, 2000.0,
                                    2400.0, 2800.0, 3400.0, 4200.0, 6000.0};
constexpr std::array kCells = {24.0, 16.0, 11.0, 8.0, 6.0};

}  // namespace

QRectF paintFilmTitle(QPainter& painter, const QSizeF& frame, const QString& title,
                      const Palette& palette) {
  const double margin = kFilmMargin * frame.height();
  QFont font = Style::textFace(kTitle * frame.height() * 0.6);
  font.setWeight(QFont::DemiBold);
  painter.save();
  painter.setFont(font);
  painter.setPen(palette.text);
  const QRectF head(margin, margin, frame.width() - 2 * margin, kTitle * frame.height());
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.restore();
  const double top = head.bottom() + margin;
  return {margin, top, head.width(), frame.height() - top - margin};
}

GrowthFilm::GrowthFilm(const Style& style, const QString& title,
                       const std::vector<GrownCells>& matrices, const QSize& frame)
    : unit_(style.scale()), title_(title), frame_(frame), wall_(style), legend_(style) {
  wall_.setMatrices(matrices);
  legend_.setMatrices(matrices);
  legend_.setScale(wall_.scale());
  fit();
}

void GrowthFilm::fit() {
  const double margin = kFilmMargin * frame_.height();
  const QSizeF room(frame_.width() - 2 * margin,
                    frame_.height() * (1.0 - kTitle - kLegend) - 4 * margin);
  for (const double width : kPageWidths) {
    for (const double cell : kCells) {
      wall_.setCellSize(cell);
      width_ = width * unit_;
      page_ = wall_.figureSizeIn(width_);
      zoom_ = std::min(room.width() / page_.width(), room.height() / page_.height());
      if (page_.width() <= width_ && page_.height() <= width_ * room.height() / room.width())
        return;
    }
  }
}

void GrowthFilm::paint(QPainter& painter, double t, const Palette& palette) {
  wall_.setProgress(t);
  const QRectF room = paintFilmTitle(painter, frame_, title_, palette);
  painter.save();
  painter.translate((frame_.width() - zoom_ * page_.width()) / 2.0, room.top());
  painter.scale(zoom_, zoom_);
  wall_.paintFigure(painter, QRectF(0.0, 0.0, width_, page_.height()), palette);
  painter.restore();

  const QSizeF legend = legend_.figureSize();
  const double scale =
      std::min(kLegend * frame_.height() / legend.height(), room.width() / legend.width());
  painter.save();
  painter.translate(room.left(), room.bottom() - scale * legend.height());
  painter.scale(scale, scale);
  legend_.paintFigure(painter, QRectF(QPointF(), legend), palette);
  painter.restore();
}

}  // namespace tfm::ui
