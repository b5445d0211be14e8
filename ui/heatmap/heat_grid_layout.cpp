// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_grid_layout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kSmallest = 24.0;  // in a table
constexpr double kSmall = 36.0;     // in a wrapping group
constexpr double kLargest = 66.0;
constexpr double kShrink = 5.0;
constexpr double kGridSpace = 10.0;  // between maps
constexpr double kInset = 5.0;       // room for the frame around the outermost maps
constexpr double kCaptionFont = 10.5;
constexpr int kNaturalFlow = 4;  // maps side by side in a wrapping group

QString words(const char* text) { return QCoreApplication::translate("HeatGrid", text); }

bool isTable(const MapStack& group) { return group.layers() > 1 && group.maxHeads() > 1; }

/// Lays out one group after another, from the top.
class Setter {
 public:
  /// `largest`: the side of maps if there is room.
  Setter(std::span<const MapStack> groups, const Style& style, double width, double largest)
      : style_(style),
        unit_(style.scale()),
        width_(width),
        caption_height_(QFontMetricsF(style.textFont(kCaptionFont)).height() + 4.0 * unit_),
        side_(std::floor(largest * unit_)) {
    for (const MapStack& group : groups)
      if (isTable(group)) {
        const int columns = group.maxHeads() + 1;
        const double room = width - 2.0 * kInset * unit_ - rowCaptionWidth() - meanSpace();
        const double fitting =
            std::floor((room + kGridSpace * unit_) / columns - kGridSpace * unit_);
        side_ = std::clamp(fitting, std::floor(kSmallest * unit_), side_);
      }
  }

  HeatGridLayout take() { return std::move(layout_); }

  void add(const MapStack& group, int index, bool named) {
    if (index > 0) top_ += 12.0 * unit_;
    if (named) {
      const QFontMetricsF metrics(style_.labelFont());
      const QRectF place(kInset * unit_, top_, metrics.horizontalAdvance(group.name()),
                         metrics.height() + 8.0 * unit_);
      caption(MapCaption::Of::Group, {index, -1, -1}, group.name(), place,
              Qt::AlignLeft | Qt::AlignVCenter);
      grow(place);
      top_ += place.height();
    }
    if (isTable(group))
      addTable(group, index);
    else
      addFlow(group, index);
    layout_.size.setHeight(top_);
  }

 private:
  double meanSpace() const { return 6.0 * unit_; }
  double pitch() const { return side_ + kGridSpace * unit_; }
  double rowCaptionWidth() const {
    return std::ceil(QFontMetricsF(style_.textFont(kCaptionFont))
                         .horizontalAdvance(words(QT_TRANSLATE_NOOP("HeatGrid", "layer %1"))
                                                .arg(QStringLiteral("00")))) +
           8.0 * unit_;
  }

  void caption(MapCaption::Of of, const MapId& id, const QString& text, const QRectF& place,
               Qt::Alignment alignment) {
    layout_.captions.push_back({of, id, text, place, alignment});
  }
  void map(const MapId& id, const QPointF& at, int column) {
    const QRectF box(at, QSizeF(side_, side_));
    layout_.places.push_back({id, box, line_, column});
    grow(box);
  }
  void grow(const QRectF& part) {
    layout_.size.setWidth(std::max(layout_.size.width(), part.right() + kInset * unit_));
  }
  QString headWords(int head) const {
    if (head < 0) return words(QT_TRANSLATE_NOOP("HeatGrid", "mean"));
    const QString full = words(QT_TRANSLATE_NOOP("HeatGrid", "head %1")).arg(head + 1);
    const bool fits =
        QFontMetricsF(style_.textFont(kCaptionFont)).horizontalAdvance(full) <= pitch() - 2.0;
    return fits ? full : QString::number(head + 1);
  }
  QString layerWords(const MapStack& group, int layer) const {
    return layer < 0
               ? words(QT_TRANSLATE_NOOP("HeatGrid", "mean"))
               : words(QT_TRANSLATE_NOOP("HeatGrid", "layer %1")).arg(group.layerNumber(layer));
  }

  void addTable(const MapStack& group, int index) {
    const double first = std::round(kInset * unit_ + rowCaptionWidth());
    const auto left = [&](int head) {
      return std::round(first + (head + 1) * pitch() + (head < 0 ? 0.0 : meanSpace()));
    };
    for (int head = -1; head < group.maxHeads(); ++head)
      caption(MapCaption::Of::Head, {index, -1, head}, headWords(head),
              {left(head) - kGridSpace * unit_ / 2, top_, pitch(), caption_height_},
              Qt::AlignCenter);
    top_ = std::round(top_ + caption_height_ + 2.0 * unit_);
    for (int layer = -1; layer < group.layers(); ++layer) {
      caption(MapCaption::Of::Layer, {index, layer, -1}, layerWords(group, layer),
              {kInset * unit_, top_, rowCaptionWidth() - 8.0 * unit_, side_},
              Qt::AlignRight | Qt::AlignVCenter);
      for (int head = -1; group.has(layer, head); ++head)
        map({index, layer, head}, {left(head), top_}, head + 1);
      top_ = std::round(top_ + pitch() + (layer < 0 ? meanSpace() : 0.0));
      ++line_;
    }
  }

  void addFlow(const MapStack& group, int index) {
    const bool by_layer = group.layers() > 1;
    const int count = by_layer ? group.layers() : group.maxHeads();
    const double room = width_ - 2.0 * kInset * unit_ + kGridSpace * unit_;
    const int columns = std::max(1, int(room / pitch()));
    int column = 0;
    const auto add = [&](const MapId& id, const QString& text) {
      if (column == columns) {
        column = 0;
        ++line_;
        top_ = std::round(top_ + pitch() + caption_height_);
      }
      const QPointF at(std::round(kInset * unit_ + column * pitch()),
                       std::round(top_ + kInset * unit_));
      map(id, at, column++);
      caption(
          MapCaption::Of::Map, id, text,
          {at.x() - kGridSpace * unit_ / 2, at.y() + side_ + 4.0 * unit_, pitch(), caption_height_},
          Qt::AlignCenter);
    };
    if (count > 1) add({index, -1, -1}, headWords(-1));
    for (int i = 0; i < count; ++i)
      by_layer ? add({index, i, 0}, layerWords(group, i)) : add({index, 0, i}, headWords(i));
    ++line_;
    top_ = std::round(top_ + pitch() + caption_height_ + kInset * unit_);
  }

  const Style& style_;
  double unit_;
  double width_;
  double caption_height_;
  double side_;
  double top_ = 0.0;
  int line_ = 0;
  HeatGridLayout layout_;
};

/// The width that maps of this size need side by side.
double widthWith(std::span<const MapStack> groups, const Style& style, double side) {
  const double unit = style.scale();
  double width = 0.0;
  for (const MapStack& group : groups) {
    const int columns = isTable(group) ? group.maxHeads() + 1 : kNaturalFlow;
    const double captions = isTable(group) ? 64.0 * unit : 0.0;
    width = std::max(width, columns * (side + kGridSpace) * unit + captions + 16.0 * unit);
  }
  return std::ceil(width);
}

}  // namespace

int HeatGridLayout::find(const MapId& id) const {
  const auto found = std::ranges::find(places, id, &MapPlace::id);
  return found == places.end() ? -1 : int(found - places.begin());
}

HeatGridLayout layOutHeatGrid(std::span<const MapStack> groups, const Style& style, double width,
                              double height) {
  const bool named = std::any_of(groups.begin(), groups.end(),
                                 [](const MapStack& group) { return !group.name().isEmpty(); });
  HeatGridLayout layout;
  for (double side = kLargest; side >= kSmall; side -= kShrink) {
    Setter setter(groups, style, width, side);
    for (std::size_t i = 0; i < groups.size(); ++i) setter.add(groups[i], int(i), named);
    layout = setter.take();
    if (layout.size.height() <= height) break;
  }
  return layout;
}

double naturalHeatGridWidth(std::span<const MapStack> groups, const Style& style) {
  return widthWith(groups, style, kLargest);
}

double leastHeatGridWidth(std::span<const MapStack> groups, const Style& style) {
  return widthWith(groups, style, kSmallest);
}

CellPlaces smallCells(const MapStack& group, const QRectF& box) {
  double pitch = box.width() / group.side();
  if (pitch >= 4.0) pitch = std::floor(pitch);
  const double gap = pitch >= 6.0 ? 1.0 : 0.0;
  return {box.topLeft(), pitch, pitch, gap, group.rows(), group.cols()};
}

}  // namespace tfm::ui
