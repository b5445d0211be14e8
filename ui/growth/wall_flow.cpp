// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/wall_flow.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_layout.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kFlowSpace = 14.0;  // between blocks
constexpr double kInset = 4.0;       // inside a block
constexpr double kFlowPad = 8.0;     // inside the frame of a matrix, and around a title
constexpr double kWidestName = 230.0;
constexpr double kLargestPitch = 16.0;
constexpr double kMinFlowPitch = 0.25;
// How many view heights to scroll for cells of this many pixels.
struct Worth {
  double pitch, heights;
};
constexpr Worth kWorth[] = {{9.0, 1.2}, {6.0, 6.0}, {3.0, 9.0}, {0.0, 12.0}};

// How much smaller cells may be than the largest that fit, to leave fewer gaps.
constexpr double kMinOfLargest = 0.7;

constexpr std::size_t kMaxBlocks = 200;  // more are not packed into each other's rows

constexpr qsizetype kMaxWidths = 1000;  // dragging an edge makes many shapes

/// Places elements of these sizes in rows of `width`, stacking small ones beside tall ones. `kept`:
/// their places at other sizes; they keep their rows and columns.
std::vector<FlowPlace> flowInRows(const std::vector<QSizeF>& sizes, double width, double space,
                                  const std::vector<FlowPlace>* kept) {
  std::vector<FlowPlace> places;
  double top = 0.0, row_height = 0.0;             // of the row
  double left = 0.0, bottom = 0.0, widest = 0.0;  // of the column in it
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const QSizeF& size = sizes[i];
    FlowPlace place;
    place.below = kept != nullptr ? (*kept)[i].below
                                  : bottom > top && bottom + size.height() <= top + row_height &&
                                        left + size.width() <= width;
    if (!place.below) {
      if (bottom > top) left += widest + space;
      widest = 0.0;
      bottom = top;
      place.starts_row =
          kept != nullptr ? (*kept)[i].starts_row : left > 0.0 && left + size.width() > width;
      if (place.starts_row) {
        left = 0.0;
        top += row_height + space;
        bottom = top;
        row_height = 0.0;
      }
    }
    place.frame = QRectF(QPointF(left, bottom), size);
    places.push_back(place);
    widest = std::max(widest, size.width());
    row_height = std::max(row_height, place.frame.bottom() - top);
    bottom = place.frame.bottom() + space;
  }
  return places;
}

QSizeF extentOf(const std::vector<FlowPlace>& places) {
  QSizeF extent;
  for (const FlowPlace& place : places)
    extent = extent.expandedTo({place.frame.right(), place.frame.bottom()});
  return extent;
}

/// Everything that does not depend on the pitch.
struct Words {
  std::vector<WallBlock> blocks;
  std::vector<QSizeF> titles;  ///< of the blocks
  std::vector<QSizeF> items;   ///< of the texts above each matrix
};

/// Lays out the wall at a given pitch.
class FlowMaker {
 public:
  FlowMaker(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
            const Words& words, double width, double pitch, double unit)
      : shown_(shown),
        words_(words),
        width_(width),
        pitch_(pitch),
        space_(kFlowSpace * unit),
        inset_(kInset * unit),
        pad_(kFlowPad * unit) {
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const QSizeF grid = grownSize(matrices[std::size_t(shown[i])], pitch, unit);
      const QSizeF& text = words.items[i];
      sizes_.emplace_back(std::max(grid.width(), text.width()) + 2 * pad_,
                          grid.height() + text.height() + 2 * pad_);
    }
  }

  WallFlow make() {
    for (const WallBlock& block : words_.blocks)
      inner_.push_back(flowInRows(sizesOf(block), width_ - 2 * inset_, 0.0, nullptr));
    std::vector<FlowPlace> outer = flowInRows(blockSizes(), width_, space_, nullptr);
    if (useHeight(outer)) outer = flowInRows(blockSizes(), width_, space_, nullptr);
    if (inner_.size() <= kMaxBlocks) fillRows(outer);
    return placed(outer);
  }

  /// The same matrices at other sizes, in the same rows and columns.
  WallFlow makeLike(const WallFlow& kept) {
    std::vector<FlowPlace> before;
    for (const WallBlock& block : kept.blocks) {
      std::vector<FlowPlace> places;
      for (std::size_t i = block.first; i < block.first + block.count; ++i)
        places.push_back(kept.items[i].place);
      inner_.push_back(flowInRows(sizesOf(block), width_ - 2 * inset_, 0.0, &places));
      before.push_back(block.place);
    }
    return placed(flowInRows(blockSizes(), width_, space_, &before));
  }

 private:
  std::vector<QSizeF> sizesOf(const WallBlock& block) const {
    const auto first = sizes_.begin() + static_cast<std::ptrdiff_t>(block.first);
    return {first, first + static_cast<std::ptrdiff_t>(block.count)};
  }
  double titleHeight(std::size_t block) const { return words_.titles[block].height() + 1.5 * pad_; }
  QSizeF blockSize(std::size_t block, const std::vector<FlowPlace>& inner) const {
    const QSizeF extent = extentOf(inner);
    return {std::max(extent.width(), words_.titles[block].width() + 2 * pad_) + 2 * inset_,
            extent.height() + titleHeight(block) + 2 * inset_};
  }
  std::vector<QSizeF> blockSizes() const {
    std::vector<QSizeF> sizes;
    for (std::size_t b = 0; b < inner_.size(); ++b) sizes.push_back(blockSize(b, inner_[b]));
    return sizes;
  }

  /// Narrows blocks that are lower than their row, without exceeding its height, so that more of
  /// them fit side by side. Returns whether any changed.
  bool useHeight(const std::vector<FlowPlace>& outer) {
    bool any = false;
    for (std::size_t first = 0; first < outer.size();) {
      std::size_t end = first;
      double height = 0.0;
      for (; end < outer.size() && (end == first || !outer[end].starts_row); ++end)
        height = std::max(height, outer[end].frame.bottom() - outer[first].frame.top());
      for (; first < end; ++first) any = makeNarrower(first, height) || any;
    }
    return any;
  }
  /// Moves a block that would start a row to the end of the previous row, narrower, if that costs
  /// less height.
  void fillRows(std::vector<FlowPlace>& outer) {
    QRectF row;
    for (std::size_t b = 0; b < outer.size(); ++b) {
      if (outer[b].starts_row) {
        const double room = width_ - row.right() - space_ - 2 * inset_;
        std::vector<FlowPlace> tried = flowInRows(sizesOf(words_.blocks[b]), room, 0.0, nullptr);
        const QSizeF size = blockSize(b, tried);
        const double alone = row.height() + space_ + outer[b].frame.height();
        if (size.width() <= room + 2 * inset_ && std::max(size.height(), row.height()) < alone) {
          inner_[b] = std::move(tried);
          outer = flowInRows(blockSizes(), width_, space_, nullptr);
        }
      }
      row = outer[b].starts_row ? outer[b].frame : row.united(outer[b].frame);
    }
  }
  bool makeNarrower(std::size_t block, double height) {
    const std::vector<QSizeF> sizes = sizesOf(words_.blocks[block]);
    bool any = false;
    for (;;) {
      const double narrower = extentOf(inner_[block]).width() - 1.0;
      std::vector<FlowPlace> tried = flowInRows(sizes, narrower, 0.0, nullptr);
      const bool fits =
          extentOf(tried).width() <= narrower && blockSize(block, tried).height() <= height;
      if (!fits) return any;
      inner_[block] = std::move(tried);
      any = true;
    }
  }

  WallFlow placed(const std::vector<FlowPlace>& outer) const {
    WallFlow flow;
    flow.pitch = pitch_;
    flow.blocks = words_.blocks;
    flow.size = extentOf(outer);
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
      WallBlock& block = flow.blocks[b];
      block.place = outer[b];
      const QPointF corner = block.place.frame.topLeft() + QPointF(inset_, inset_);
      block.words = QRectF(
          corner + QPointF(pad_, pad_),
          QSizeF(block.place.frame.width() - 2 * (inset_ + pad_), words_.titles[b].height()));
      for (std::size_t i = 0; i < block.count; ++i) {
        WallItem item;
        item.matrix = shown_[block.first + i];
        item.place = inner_[b][i];
        item.frame = item.place.frame.translated(corner + QPointF(0.0, titleHeight(b)));
        item.words =
            QRectF(item.frame.topLeft() + QPointF(pad_, pad_),
                   QSizeF(item.frame.width() - 2 * pad_, words_.items[block.first + i].height()));
        item.origin = item.words.bottomLeft();
        flow.items.push_back(item);
      }
    }
    return flow;
  }

  const std::vector<int>& shown_;
  const Words& words_;
  const double width_, pitch_, space_, inset_, pad_;
  std::vector<QSizeF> sizes_;                  // of the items with their texts
  std::vector<std::vector<FlowPlace>> inner_;  // of the items in each block
};

/// The fraction of the wall's area covered by matrices at this width.
double filledShare(const WallFlow& flow, double width) {
  double filled = 0.0;
  for (const WallItem& item : flow.items) filled += item.frame.width() * item.frame.height();
  return filled / std::max(1.0, width * flow.size.height());
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
  const QFont name = wallNameFont(style_), shape = wallShapeFont(style_);
  const double unit = style_.scale();
  const ParameterCaption caption = cells.caption();
  // The counts get no extra room: they are shown if the matrix is wide enough.
  const double widest =
      std::max(widthOf(Name, caption.name, name), widthOf(Shape, cells.shapeText(), shape));
  const double height = QFontMetricsF(name).height() + QFontMetricsF(shape).height();
  return {std::min(widest + 2.0, kWidestName * unit), height + 6.0 * unit};
}

QSizeF WallWords::sizeOfTitle(const QString& title) const {
  const QFont font = wallPlaceFont(style_);
  return {std::min(widthOf(Place, title, font) + 2.0, kWidestName * style_.scale()),
          QFontMetricsF(font).height()};
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
  if (widths.size() >= kMaxWidths) widths.clear();
  return *widths.insert(text, QFontMetricsF(font).horizontalAdvance(text));
}

std::vector<int> readingOrder(const std::vector<GrownCells>& matrices, std::vector<int> shown) {
  std::vector<QString> places(matrices.size());
  for (const int index : shown) {
    const auto at = std::size_t(index);
    places[at] = matrices[at].caption().place;
  }
  const auto is_matrix = [&](int index) { return matrices[std::size_t(index)].rows() > 1; };
  for (auto first = shown.begin(); first != shown.end();) {
    const auto end = std::find_if(first, shown.end(), [&](int index) {
      return places[std::size_t(index)] != places[std::size_t(*first)];
    });
    // Vectors are low and wide: stacked, they leave no gaps between the matrices.
    std::stable_partition(first, end, is_matrix);
    first = end;
  }
  return shown;
}

WallFlow WallFlow::of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                      double width, double height, std::optional<double> pitch,
                      const WallWords& words, double unit, const WallFlow* kept) {
  Words sizes;
  for (const int index : shown) {
    const GrownCells& cells = matrices[std::size_t(index)];
    const QString place = cells.caption().place;
    if (sizes.blocks.empty() || sizes.blocks.back().title != place) {
      sizes.blocks.push_back({place, {}, {}, sizes.items.size(), 0});
      sizes.titles.push_back(words.sizeOfTitle(place));
    }
    ++sizes.blocks.back().count;
    sizes.items.push_back(words.sizeOf(cells));
  }
  if (kept != nullptr)
    return FlowMaker(matrices, shown, sizes, width, kept->pitch, unit).makeLike(*kept);
  if (pitch) return FlowMaker(matrices, shown, sizes, width, *pitch, unit).make();
  WallFlow best;
  double best_share = 0.0, largest = 0.0;
  for (double tried = kLargestPitch * unit; tried >= kMinFlowPitch;
       tried = tried > 2.0 ? std::floor(tried) - 1.0 : tried * 0.7) {
    if (largest > 0.0 && tried < kMinOfLargest * largest) break;
    WallFlow flow = FlowMaker(matrices, shown, sizes, width, tried, unit).make();
    const auto* worth = std::find_if(std::begin(kWorth), std::end(kWorth),
                                     [&](const Worth& w) { return tried >= w.pitch * unit; });
    const double enough = (worth == std::end(kWorth) ? 1.0 : worth->heights) * height;
    const bool fits = flow.size.width() <= width && flow.size.height() <= enough;
    if (!fits && largest > 0.0) continue;
    if (fits && largest == 0.0) largest = tried;
    const double share = fits ? filledShare(flow, width) : 0.0;
    if (fits && share <= best_share) continue;
    best = std::move(flow);  // the smallest, if none fits
    best_share = share;
  }
  return best;
}

}  // namespace tfm::ui
