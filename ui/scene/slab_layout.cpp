// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/growth/model_plan.h"

namespace tfm::ui {
namespace {

// Room on a page of height 1, chosen so that labels fit at a usual window size.
constexpr double kNameRoom = 0.029;     // under each matrix: its name
constexpr double kShapeRoom = 0.025;    // under that: its shape
constexpr double kCaptionRoom = 0.046;  // at the top of a box: its caption
constexpr double kMaxRoom = 0.55;       // for all of these together
constexpr double kLetter = 0.0079;      // of the width: a letter of a name
constexpr double kAroundName = 0.009;   // of the width: what keeps two names apart
constexpr double kCaption = 0.0098;     // of the width: a letter of a caption
constexpr double kPieceGap = 0.012;     // of the width
constexpr double kGroupGap = 0.022;     // of the width
constexpr double kRowGap = 0.03;        // between the boxes of two rows
constexpr double kSpreadFrom = 0.6;     // of the width: the scale stands beside a shorter row
constexpr double kInset = 0.007;        // of the width: inside a box
constexpr float kThickness = 0.005f;    // of the size
constexpr float kStepForward = 0.03f;   // of the mean height of a row
constexpr qsizetype kMaxLetters = 16;   // longer captions may be cut
constexpr double kSmallerText = 0.75;   // where texts would take most of the page
constexpr int kHalvings = 24;
constexpr float kVectorShare = 1.f / 32;  // of its length: the least thickness of a vector
constexpr float kVectorGap = 0.5f;        // of its thickness: between a matrix and its vector

/// A matrix and the vectors that belong to it, as one rectangle. Lengths are in cells.
struct SlabPiece {
  struct Part {
    int slab;
    float x, y;  ///< of the lower left corner, from that of the piece
    float width, height;
    int attached_to;  ///< the matrix of a vector, -1 for the matrix itself
  };
  std::vector<Part> parts;
  float width = 0, height = 0;
};

SlabPiece::Part alone(int index, const MatrixSlab& slab) {
  auto width = float(slab.fullCols()), height = float(slab.rows);
  if (slab.fullCols() == 1) width = std::max(width, height * kVectorShare);
  if (slab.rows == 1) height = std::max(height, width * kVectorShare);
  return {index, 0, 0, width, height, -1};
}

void putUnder(SlabPiece& piece, SlabPiece::Part vector) {
  const float lift = vector.height * (1 + kVectorGap);
  for (SlabPiece::Part& part : piece.parts) part.y += lift;
  piece.height += lift;
  piece.parts.push_back(vector);
}

void putBeside(SlabPiece& piece, SlabPiece::Part vector) {
  vector.x = piece.width + vector.width * kVectorGap;
  vector.y = piece.parts.front().y;
  piece.width = vector.x + vector.width;
  piece.parts.push_back(vector);
}

/// Matrices with their biases, and the gain and shift of a norm.
std::vector<SlabPiece> pieceTogether(std::span<const MatrixSlab> slabs) {
  std::vector<PlanMember> members;
  for (const MatrixSlab& slab : slabs)
    members.push_back({{slab.site, slab.group}, slab.rows, slab.fullCols(), slab.alone});
  const std::vector<int> owners = ownersOf(members);
  std::vector<SlabPiece> pieces;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    SlabPiece::Part part = alone(int(i), slabs[i]);
    part.attached_to = owners[i];
    if (owners[i] < 0)
      pieces.push_back({{part}, part.width, part.height});
    else if (slabs[i].cols == slabs[std::size_t(owners[i])].fullCols())
      putUnder(pieces.back(), part);
    else
      putBeside(pieces.back(), part);
  }
  return pieces;
}

/// A wall on a page of height 1.
struct Page {
  double aspect = 1.0;
  double text = 1.0;   ///< the size of the texts
  double wide = 1.0;   ///< times that: across
  double label = 0.0;  ///< the room under each matrix, for texts of size 1
  double scale = 0.0;  ///< of a cell
  ModelPlan plan{};

  bool fits() const { return plan.size.height() <= 1.0 && plan.size.width() <= aspect * 1.0001; }
  double textShare() const { return plan.rows() * text * (label + kCaptionRoom); }
};

/// The plan of the matrices with cells of this size.
Page pageOf(std::span<const MatrixSlab> slabs, std::span<const SlabPiece> pieces, double aspect,
            double text, double wide, double label, double scale) {
  std::vector<PlanPiece> sized;
  const double letter = text * wide * aspect;
  for (const SlabPiece& piece : pieces) {
    const MatrixSlab& first = slabs[std::size_t(piece.parts.front().slab)];
    const double width = piece.width * scale + kPieceGap * aspect;
    const QString& name = first.label.isEmpty() ? first.name : first.label;
    const double named = (double(name.size()) * kLetter + kAroundName) * letter;
    sized.push_back(
        {{first.site, first.group}, {std::max(width, named), piece.height * scale + label * text}});
  }
  // Longer captions are cut rather than pushing matrices apart.
  const auto title = [&](const QString& words) {
    const auto letters = double(std::min<qsizetype>(words.size(), kMaxLetters));
    return QSizeF(letters * kCaption * letter, kCaptionRoom * text);
  };
  return {aspect,
          text,
          wide,
          label,
          scale,
          layOutPlan(sized, {.width = aspect,
                             .gap = kGroupGap * aspect,
                             .row_gap = kRowGap * text,
                             .inset = kInset * aspect,
                             .spread_from = kSpreadFrom,
                             .title = title})};
}

/// The wall with the largest cells.
Page largestPage(std::span<const MatrixSlab> slabs, std::span<const SlabPiece> pieces,
                 double aspect, double text, double wide, double label) {
  double most = std::numeric_limits<double>::max();
  for (const SlabPiece& piece : pieces)
    most = std::min({most, aspect / double(piece.width), 1.0 / double(piece.height)});
  for (;; text *= kSmallerText) {
    double high = most, low = most * 1e-4;
    Page best = pageOf(slabs, pieces, aspect, text, wide, label, low);
    if (!best.fits()) continue;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = std::sqrt(low * high);
      Page page = pageOf(slabs, pieces, aspect, text, wide, label, middle);
      if (page.fits()) {
        low = middle;
        best = std::move(page);
      } else {
        high = middle;
      }
    }
    if (best.textShare() <= kMaxRoom) return best;
  }
}

/// Puts a piece with its upper left corner at a place; lengths are in cells.
void placePiece(WallLayout& layout, std::span<const MatrixSlab> slabs, const SlabPiece& piece,
                const QVector3D& corner, float thickness) {
  const QVector3D floor = corner - QVector3D(0, piece.height, 0);
  for (const SlabPiece::Part& part : piece.parts) {
    const auto index = std::size_t(part.slab);
    const float under = part.attached_to < 0 ? 0 : part.y;
    layout.slabs[index] = {.corner = floor + QVector3D(part.x, part.y + part.height, 0),
                           .width = part.width,
                           .height = part.height,
                           .depth = thickness,
                           .rows = slabs[index].rows,
                           .cols = slabs[index].cols,
                           .groups = slabs[index].groups,
                           .attached_to = part.attached_to,
                           .label = floor + QVector3D(part.x + part.width / 2, under, 0)};
    for (const QVector3D& at : layout.slabs[index].frontCorners()) layout.outline.push_back(at);
  }
}

}  // namespace

QVector3D SlabPlace::point(float row, float col) const {
  return corner + QVector3D(col * width / float(fullCols()), -row * height / float(rows), 0);
}

std::array<QVector3D, 4> SlabPlace::frontCorners() const {
  return {corner, corner + QVector3D(width, 0, 0), corner + QVector3D(width, -height, 0),
          corner + QVector3D(0, -height, 0)};
}

WallLayout layOut(std::span<const MatrixSlab> slabs, float aspect, float text, float letters,
                  bool shapes) {
  WallLayout layout;
  layout.slabs.resize(slabs.size());
  if (slabs.empty()) return layout;

  const std::vector<SlabPiece> pieces = pieceTogether(slabs);
  const Page page = largestPage(slabs, pieces, double(aspect), double(text), double(letters / text),
                                shapes ? kNameRoom + kShapeRoom : kNameRoom);
  const ModelPlan& plan = page.plan;
  const auto cells = [&page](double length) { return float(length / page.scale); };
  const auto rows = float(plan.rows());
  const float height = cells(plan.size.height());
  const float thickness = kThickness * std::max(cells(plan.size.width()), height);
  const float step = kStepForward * height / rows;
  layout.lane = cells(plan.lane);
  layout.row_gap = cells(kRowGap * page.text);
  for (const PlanBlock& block : plan.blocks) {
    const float z = step * float(block.row);
    const QVector3D corner(cells(block.frame.left()), -cells(block.frame.top()), z);
    const float width = cells(block.frame.width()), high = cells(block.frame.height());
    layout.groups.push_back({block.place.title, corner, width, high, block.leads, block.memory});
    layout.outline.insert(layout.outline.end(), {corner, corner + QVector3D(width, -high, 0)});
    if (block.memory) layout.outline.emplace_back(layout.lane, corner.y(), z);
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      // In the middle of the room that its name needs.
      const QRectF& room = plan.pieces[i];
      const float left = cells(room.center().x()) - pieces[i].width / 2;
      placePiece(layout, slabs, pieces[i], {left, -cells(room.top()), z}, thickness);
    }
  }
  return layout;
}

std::optional<CellRef> cellOn(const Ray& ray, std::span<const SlabPlace> slabs) {
  if (ray.direction.z() >= 0) return std::nullopt;  // comes from behind
  std::optional<CellRef> nearest;
  float nearest_way = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const SlabPlace& place = slabs[i];
    const float way = (place.corner.z() - ray.origin.z()) / ray.direction.z();
    if (way <= 0 || way >= nearest_way) continue;
    const QVector3D hit = ray.origin + way * ray.direction - place.corner;
    const float row = -hit.y() / place.height * float(place.rows);
    if (row < 0 || row >= float(place.rows)) continue;
    const auto whole_row = int(row);
    const float col =
        hit.x() / place.width * float(place.fullCols()) - float(place.firstCol(whole_row));
    if (col < 0 || col >= float(place.cols)) continue;
    nearest_way = way;
    nearest = CellRef{int(i), whole_row, int(col)};
  }
  return nearest;
}

}  // namespace tfm::ui
