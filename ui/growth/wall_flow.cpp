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

constexpr qsizetype kMaxWidths = 1000;  // dragging an edge makes many shapes

/// The next smaller size of cells to try.
double smallerPitch(double pitch) { return pitch > 2.0 ? std::floor(pitch) - 1.0 : pitch * 0.7; }

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
  const auto cells = [&](int index) -> const GrownCells& { return matrices[std::size_t(index)]; };
  for (auto first = shown.begin(); first != shown.end();) {
    const auto end = std::find_if(first, shown.end(), [&](int index) {
      return cells(index).tag().site != cells(*first).tag().site;
    });
    // Vectors are low and wide: stacked, they leave no gaps between the matrices.
    std::stable_partition(first, end, [&](int index) { return cells(index).rows() > 1; });
    first = end;
  }
  return shown;
}

QRectF WallFlow::titleArea(const PlanBlock& block) const {
  return block.frame.marginsRemoved({inset + pad, inset + pad, pad, 0});
}

WallFlow WallFlow::of(const std::vector<GrownCells>& matrices, const std::vector<int>& shown,
                      double width, double height, std::optional<double> pitch,
                      const WallWords& words, double unit, const WallFlow* kept) {
  const double pad = kFlowPad * unit;
  std::vector<ParameterTag> tags;
  std::vector<QSizeF> texts;
  for (const int index : shown) {
    tags.push_back(matrices[std::size_t(index)].tag());
    texts.push_back(words.sizeOf(matrices[std::size_t(index)]));
  }
  const std::vector<PlanPlace> places = planPlaces(tags);
  const PlanSpace space{.width = width,
                        .gap = kFlowSpace * unit,
                        .row_gap = kFlowSpace * unit,
                        .inset = kInset * unit,
                        .title = [&](const QString& title) {
                          const QSizeF size = words.sizeOfTitle(title);
                          return QSizeF(size.width() + 2 * pad, size.height() + 1.5 * pad);
                        }};
  const auto at = [&](double tried) {
    std::vector<PlanPiece> pieces;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const QSizeF grid = grownSize(matrices[std::size_t(shown[i])], tried, unit);
      pieces.push_back({places[i],
                        {std::max(grid.width(), texts[i].width()) + 2 * pad,
                         grid.height() + texts[i].height() + 2 * pad}});
    }
    WallFlow flow{.plan = layOutPlan(pieces, space, kept != nullptr ? &kept->plan : nullptr),
                  .pitch = tried,
                  .inset = space.inset,
                  .pad = pad};
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const QRectF& frame = flow.plan.pieces[i];
      const QRectF own(frame.topLeft() + QPointF(pad, pad),
                       QSizeF(frame.width() - 2 * pad, texts[i].height()));
      flow.items.push_back({shown[i], own, own.bottomLeft()});
    }
    return flow;
  };
  if (kept != nullptr) return at(kept->pitch);
  if (pitch) return at(*pitch);
  for (double tried = kLargestPitch * unit;; tried = smallerPitch(tried)) {
    WallFlow flow = at(tried);
    const auto* worth = std::find_if(std::begin(kWorth), std::end(kWorth),
                                     [&](const Worth& w) { return tried >= w.pitch * unit; });
    const double enough = (worth == std::end(kWorth) ? 1.0 : worth->heights) * height;
    const QSizeF& size = flow.plan.size;
    const bool fits = size.width() <= width * 1.0001 && size.height() <= enough;
    if (fits || smallerPitch(tried) < kMinFlowPitch) return flow;
  }
}

}  // namespace tfm::ui
