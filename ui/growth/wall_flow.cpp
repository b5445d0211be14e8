// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/wall_flow.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_layout.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kBlockSpace = 14.0;  // between blocks
constexpr double kInset = 4.0;        // inside a block
constexpr double kFlowPad = 8.0;      // inside the frame of a matrix, and around a title
constexpr double kWidestName = 230.0;
constexpr double kLargestPitch = 16.0;
constexpr double kMinFlowPitch = 0.25;
constexpr double kBesideCells = 0.6;  // of a cell: between a matrix and its bias
constexpr double kBesideLeast = 3.0, kBesideMost = 10.0;
// Smaller cells are worth less text.
struct TextWorth {
  double pitch;
  WallText text;
};
constexpr TextWorth kTexts[] = {{7.0, {1.0, true, true}},    {5.0, {1.0, true, false}},
                                {4.0, {0.85, true, false}},  {2.0, {0.75, true, false}},
                                {1.0, {0.75, false, false}}, {0.0, {0.5, false, false}}};
// How many page heights are worth cells of this many pixels.
struct Worth {
  double pitch, heights;
};
constexpr Worth kWorth[] = {{9.0, 1.2}, {6.0, 6.0}, {3.0, 9.0}, {0.0, 12.0}};

constexpr qsizetype kMaxWidths = 1000;  // dragging an edge makes many shapes

/// The next smaller size of cells to try.
double smallerPitch(double pitch) { return pitch > 2.0 ? std::floor(pitch) - 1.0 : pitch * 0.7; }

/// What stays the same at all sizes.
class WallMaker {
 public:
  explicit WallMaker(const WallMatrices& matrices) : matrices_(matrices) {
    std::vector<ParameterTag> tags;
    for (const int index : matrices.shown) tags.push_back(cells(index).tag());
    places_ = planPlaces(tags);
    std::vector<PlanMember> members;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      const GrownCells& one = cells(matrices.shown[i]);
      members.push_back(
          {places_[i], one.rows(), one.cols(), !one.isVector() || tags[i].term == Term::Gain});
    }
    owners_ = ownersOf(members);
  }

  WallFlow at(double pitch, const WallText& text, double width, const WallFlow* kept) const {
    const double unit = matrices_.unit, pad = (text.names ? kFlowPad : kInset) * unit;
    const PlanSpace space{.width = width,
                          .gap = kBlockSpace * unit,
                          .row_gap = kBlockSpace * unit,
                          .inset = kInset * unit,
                          .title = [&](const QString& title) {
                            const QSizeF size = matrices_.words.sizeOfTitle(title.toUpper(), text);
                            return QSizeF(size.width() + 2 * pad, size.height() + 1.5 * pad);
                          }};
    std::vector<PlanPiece> pieces;
    std::vector<double> ends;  // of the cells of each piece
    WallFlow flow{.pitch = pitch, .text = text, .inset = space.inset, .pad = pad};
    for (std::size_t i = 0; i < matrices_.shown.size(); ++i) {
      const int index = matrices_.shown[i];
      const QSizeF grid = grownSize(cells(index), pitch, unit);
      if (owners_[i] >= 0) {
        WallItem& owner = flow.items[std::size_t(owners_[i])];
        const double beside =
            std::clamp(kBesideCells * pitch, kBesideLeast * unit, kBesideMost * unit);
        // In the coordinates of the piece, which has no place yet.
        QRectF& frame = owner.frame;
        const QRectF own(QPointF(ends.back() + beside, owner.words.bottom()), grid);
        ends.back() = own.right();
        frame.setRight(std::max(frame.right(), own.right() + pad));
        frame.setBottom(std::max(frame.bottom(), own.bottom() + pad));
        pieces.back().size = frame.size();
        flow.items.push_back({index, owner.piece, own, {}, own.topLeft()});
        continue;
      }
      const QSizeF words = matrices_.words.sizeOf(cells(index), wallNameText(cells(index)), text);
      const QRectF own(QPointF(pad, pad),
                       QSizeF(std::max(grid.width(), words.width()), words.height()));
      const QRectF frame(0, 0, own.width() + 2 * pad, words.height() + grid.height() + 2 * pad);
      ends.push_back(pad + grid.width());
      flow.items.push_back({index, pieces.size(), frame, own, own.bottomLeft()});
      pieces.push_back({places_[i], frame.size()});
    }
    flow.plan = layOutPlan(pieces, space, kept != nullptr ? &kept->plan : nullptr);
    for (WallItem& item : flow.items) {
      const QRectF& piece = flow.plan.pieces[item.piece];
      item.frame.translate(piece.topLeft());
      item.origin += piece.topLeft();
      if (!item.words.isEmpty()) {
        item.words.translate(piece.topLeft());
        item.words.setRight(piece.right() - pad);
      }
    }
    return flow;
  }

 private:
  const GrownCells& cells(int index) const { return matrices_.all[std::size_t(index)]; }

  const WallMatrices& matrices_;
  std::vector<PlanPlace> places_;
  std::vector<int> owners_;  // indices among the shown
};

}  // namespace

QString wallShapeText(const GrownCells& cells) {
  const QString shape = cells.shapeText(), count = cells.countText();
  return shape == count ? shape : QStringLiteral("%1  (%2)").arg(shape, count);
}

QString wallNameText(const GrownCells& cells) { return captionOf(cells.tag(), true).name; }

QFont WallWords::font(Line line, const WallText& text) const {
  switch (line) {
    case Name:
      return style_.textFont(12 * text.size, QFont::DemiBold);
    case Place:
      return style_.textFont(10.5 * text.size, QFont::DemiBold);
    default:
      return style_.numberFont(10.5 * text.size);
  }
}

QSizeF WallWords::sizeOf(const GrownCells& cells, const QString& name, const WallText& text) const {
  if (!text.names) return {0.0, 0.0};
  // The counts get no extra room: they are shown if the matrix is wide enough.
  const double shape = text.shapes ? widthOf(Shape, cells.shapeText(), text) : 0.0;
  const double widest = std::max(widthOf(Name, name, text), shape);
  double height = QFontMetricsF(font(Name, text)).height() + 3.0 * style_.scale() * text.size;
  if (text.shapes) height += QFontMetricsF(font(Shape, text)).height() + 3.0 * style_.scale();
  return {std::min(widest + 2.0, kWidestName * style_.scale()), height};
}

QSizeF WallWords::sizeOfTitle(const QString& title, const WallText& text) const {
  return {std::min(widthOf(Place, title, text) + 2.0, kWidestName * style_.scale()),
          QFontMetricsF(font(Place, text)).height()};
}

QString WallWords::fitted(Line line, const QString& words, const WallText& text,
                          double width) const {
  if (widthOf(line, words, text) <= width) return words;
  return QFontMetricsF(font(line, text)).elidedText(words, Qt::ElideRight, width);
}

void WallWords::forget() {
  for (auto& widths : widths_) widths.clear();
}

double WallWords::widthOf(Line line, const QString& words, const WallText& text) const {
  QHash<QString, double>& widths = widths_[line];
  const auto known = widths.constFind(words);
  if (known != widths.cend()) return *known * text.size;
  if (widths.size() >= kMaxWidths) widths.clear();
  return *widths.insert(words, QFontMetricsF(font(line, {})).horizontalAdvance(words)) * text.size;
}

QRectF WallFlow::titleArea(const PlanBlock& block) const {
  return block.frame.marginsRemoved({inset + pad, inset + pad, pad, 0});
}

WallFlow wallAt(double pitch, const WallText& text, const WallMatrices& matrices, double width,
                const WallFlow* kept) {
  return WallMaker(matrices).at(pitch, text, width, kept);
}

WallFlow wholeWall(const WallMatrices& matrices, const QSizeF& room) {
  const WallMaker maker(matrices);
  const double unit = matrices.unit;
  std::vector<double> pitches;
  for (double pitch = kLargestPitch * unit; pitch >= kMinFlowPitch; pitch = smallerPitch(pitch))
    pitches.push_back(pitch);
  WallFlow best;
  for (const auto& [enough, text] : kTexts) {
    const auto fits = [&, &text = text](double pitch) {
      const QSizeF size = maker.at(pitch, text, room.width(), nullptr).plan.size;
      return size.width() <= room.width() * 1.0001 && size.height() <= room.height();
    };
    // One by one: where smaller cells move a block to another row, they may fit less.
    const auto found = std::ranges::find_if(pitches, fits);
    const double pitch = found == pitches.end() ? pitches.back() : *found;
    best = maker.at(pitch, text, room.width(), nullptr);
    if (found != pitches.end() && pitch >= enough * unit) break;
  }
  return best;
}

WallFlow wallOnPages(const WallMatrices& matrices, const QSizeF& page) {
  const WallMaker maker(matrices);
  for (double tried = kLargestPitch * matrices.unit;; tried = smallerPitch(tried)) {
    WallFlow flow = maker.at(tried, {}, page.width(), nullptr);
    const auto* worth = std::find_if(std::begin(kWorth), std::end(kWorth), [&](const Worth& w) {
      return tried >= w.pitch * matrices.unit;
    });
    const double enough = (worth == std::end(kWorth) ? 1.0 : worth->heights) * page.height();
    const QSizeF& size = flow.plan.size;
    const bool fits = size.width() <= page.width() * 1.0001 && size.height() <= enough;
    if (fits || smallerPitch(tried) < kMinFlowPitch) return flow;
  }
}

}  // namespace tfm::ui
