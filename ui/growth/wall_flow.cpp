// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/wall_flow.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_layout.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kSpace = 14.0;  // between frames
constexpr double kPad = 10.0;    // inside a frame
constexpr double kWidestName = 230.0;
constexpr double kLargestPitch = 16.0;
constexpr double kLeastPitch = 0.25;
// How many heights of the view are worth scrolling for cells of so many pixels.
struct Worth {
  double pitch, heights;
};
constexpr Worth kWorth[] = {{9.0, 1.2}, {6.0, 6.0}, {3.0, 9.0}, {0.0, 12.0}};

constexpr qsizetype kMostWidths = 1000;  // shapes are many where an edge is dragged

WallFlow flowAt(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                const std::vector<QSizeF>& words, double width, double pitch, double unit,
                const WallFlow* kept = nullptr) {
  WallFlow flow;
  flow.pitch = pitch;
  double top = 0.0, row_height = 0.0;             // of the row
  double left = 0.0, bottom = 0.0, widest = 0.0;  // of the column in it
  const double space = kSpace * unit, pad = kPad * unit;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const GrownCells& cells = matrices[static_cast<std::size_t>(shown[i])];
    const QSizeF grid = grownSize(cells, pitch, unit);
    const QSizeF size(std::max(grid.width(), words[i].width()) + 2 * pad,
                      grid.height() + words[i].height() + 2 * pad);
    WallItem item{shown[i], {}, {}, {}};
    // Small ones stand below each other beside tall ones.
    item.below = kept != nullptr ? kept->items[i].below
                                 : bottom > top && bottom + size.height() <= top + row_height &&
                                       left + size.width() <= width;
    if (!item.below) {
      if (bottom > top) left += widest + space;
      widest = 0.0;
      bottom = top;
      item.starts_row =
          kept != nullptr ? kept->items[i].starts_row : left > 0.0 && left + size.width() > width;
      if (item.starts_row) {
        left = 0.0;
        top += row_height + space;
        bottom = top;
        row_height = 0.0;
      }
    }
    const QRectF frame(QPointF(left, bottom), size);
    item.frame = frame;
    item.words = QRectF(frame.topLeft() + QPointF(pad, pad),
                        QSizeF(size.width() - 2 * pad, words[i].height()));
    item.origin = item.words.bottomLeft();
    flow.items.push_back(item);
    widest = std::max(widest, size.width());
    row_height = std::max(row_height, frame.bottom() - top);
    flow.size = flow.size.expandedTo({frame.right(), frame.bottom()});
    bottom = frame.bottom() + space;
  }
  return flow;
}

}  // namespace

QFont wallNameFont(const Style& style) { return style.textFont(12, QFont::DemiBold); }
QFont wallPlaceFont(const Style& style) { return style.textFont(10.5); }
QFont wallShapeFont(const Style& style) { return style.numberFont(10.5); }

QString wallShapeText(const GrownCells& cells) {
  const QString shape = cells.shapeText(), count = cells.countText();
  return shape == count ? shape : QStringLiteral("%1  (%2)").arg(shape, count);
}

QSizeF WallWords::sizeOf(const GrownCells& cells) const {
  const QFont name = wallNameFont(style_), place = wallPlaceFont(style_),
              shape = wallShapeFont(style_);
  const double unit = style_.scale();
  const ParameterCaption caption = cells.caption();
  const double widest =
      std::max({widthOf(Name, caption.name, name), widthOf(Place, caption.place, place),
                widthOf(Shape, wallShapeText(cells), shape)});
  const double height =
      QFontMetricsF(name).height() + QFontMetricsF(place).height() + QFontMetricsF(shape).height();
  return {std::min(widest + 2.0, kWidestName * unit), height + 6.0 * unit};
}

QString WallWords::fitted(Line line, const QString& text, const QFont& font, double width) const {
  if (widthOf(line, text, font) <= width) return text;
  return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

void WallWords::forget() {
  for (auto& widths : widths_) widths.clear();
}

double WallWords::widthOf(Line line, const QString& text, const QFont& font) const {
  QHash<QString, double>& widths = widths_[line];
  const auto known = widths.constFind(text);
  if (known != widths.cend()) return *known;
  if (widths.size() >= kMostWidths) widths.clear();
  return *widths.insert(text, QFontMetricsF(font).horizontalAdvance(text));
}

WallFlow WallFlow::of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                      double width, double height, std::optional<double> pitch,
                      const WallWords& words, double unit, const WallFlow* kept) {
  std::vector<QSizeF> sizes;
  sizes.reserve(shown.size());
  for (const int index : shown)
    sizes.push_back(words.sizeOf(matrices[static_cast<std::size_t>(index)]));
  if (kept != nullptr) return flowAt(matrices, shown, sizes, width, kept->pitch, unit, kept);
  if (pitch) return flowAt(matrices, shown, sizes, width, *pitch, unit);
  WallFlow flow;
  for (double tried = kLargestPitch * unit; tried >= kLeastPitch;
       tried = tried > 2.0 ? std::floor(tried) - 1.0 : tried * 0.7) {
    flow = flowAt(matrices, shown, sizes, width, tried, unit);
    const auto* worth = std::find_if(std::begin(kWorth), std::end(kWorth),
                                     [&](const Worth& w) { return tried >= w.pitch * unit; });
    const double enough = (worth == std::end(kWorth) ? 1.0 : worth->heights) * height;
    if (flow.size.width() <= width && flow.size.height() <= enough) break;
  }
  return flow;
}

}  // namespace tfm::ui
