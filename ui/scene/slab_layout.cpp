// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tfm::ui {
namespace {

// Shares of the wall's size that stay free, chosen so that labels fit at a usual window size.
constexpr float kLabelRoom = 0.055f;      // under a shelf: a name and a shape
constexpr float kCaptionRoom = 0.035f;    // over a shelf: the group's title
constexpr float kMostRoom = 0.5f;         // of the height for all of these together
constexpr float kPitch = 0.085f;          // of the width: the least distance of two names
constexpr float kVectorShare = 1.f / 32;  // of its length: the least thickness of a vector

/// A matrix and the vectors that belong to it, as one piece; offsets from its bottom left corner.
struct Piece {
  struct Part {
    int slab;
    float x, y, width, height;
    int attached_to;
  };
  std::vector<Part> parts;
  float width = 0, height = 0;
};

struct Run {
  std::size_t first, count;  // pieces
  QString title;
  int layer;
};

struct Shelf {
  std::size_t first_run, run_count;
  float width, height;
};

/// How far apart things stand.
struct Spacing {
  float pitch, piece_gap, group_gap;
};

QSizeF extent(const MatrixSlab& slab) {
  float width = static_cast<float>(slab.cols), height = static_cast<float>(slab.rows);
  if (slab.cols == 1) width = std::max(width, height * kVectorShare);
  if (slab.rows == 1) height = std::max(height, width * kVectorShare);
  return {width, height};
}

/// Vectors directly after a matrix that fit one of its sides are its biases: under it or at its
/// right.
std::vector<Piece> pieces(std::span<const MatrixSlab> slabs, std::vector<Run>& runs) {
  std::vector<Piece> result;
  const MatrixSlab* owner = nullptr;
  int owner_index = -1;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const MatrixSlab& slab = slabs[i];
    const auto width = static_cast<float>(extent(slab).width());
    const auto height = static_cast<float>(extent(slab).height());
    const bool same_run =
        !runs.empty() && runs.back().title == slab.group && runs.back().layer == slab.layer;
    if (!same_run) {
      runs.push_back({result.size(), 0, slab.group, slab.layer});
      owner = nullptr;
    }
    const bool under = owner && slab.rows == 1 && slab.cols == owner->cols;
    const bool beside = owner && !under && slab.cols == 1 && slab.rows == owner->rows;
    if (under) {
      Piece& piece = result.back();
      const float gap = height * 0.5f;
      for (auto& part : piece.parts) part.y += height + gap;
      piece.height += height + gap;
      piece.parts.push_back({static_cast<int>(i), 0, 0, width, height, owner_index});
    } else if (beside) {
      Piece& piece = result.back();
      const float gap = width * 0.5f;
      const float y = piece.parts.front().y;
      piece.parts.push_back(
          {static_cast<int>(i), piece.width + gap, y, width, height, owner_index});
      piece.width += gap + width;
    } else {
      result.push_back({{{static_cast<int>(i), 0, 0, width, height, -1}}, width, height});
      ++runs.back().count;
      owner = slab.isVector() ? nullptr : &slab;
      owner_index = static_cast<int>(i);
    }
  }
  return result;
}

float pieceAdvance(const Piece& piece, const Spacing& spacing) {
  return std::max(piece.width + spacing.piece_gap, spacing.pitch);
}

float runWidth(const Run& run, std::span<const Piece> pieces, const Spacing& spacing) {
  float width = 0;
  for (const Piece& piece : pieces.subspan(run.first, run.count))
    width += pieceAdvance(piece, spacing);
  return width;
}

std::vector<Shelf> shelves(std::span<const Run> runs, std::span<const Piece> pieces,
                           const Spacing& spacing, float wrap) {
  std::vector<Shelf> result;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const float width = runWidth(runs[i], pieces, spacing);
    const bool starts = result.empty() || runs[i].layer != runs[i - 1].layer ||
                        result.back().width + spacing.group_gap + width > wrap;
    if (starts)
      result.push_back({i, 0, 0, 0});
    else
      result.back().width += spacing.group_gap;
    Shelf& shelf = result.back();
    ++shelf.run_count;
    shelf.width += width;
    for (const Piece& piece : pieces.subspan(runs[i].first, runs[i].count))
      shelf.height = std::max(shelf.height, piece.height);
  }
  return result;
}

struct WallSize {
  float width = 0, height = 0, room = 0;  // room: free height per shelf
};

WallSize measure(std::span<const Shelf> shelves, float text) {
  WallSize size;
  for (const Shelf& shelf : shelves) {
    size.width = std::max(size.width, shelf.width);
    size.height += shelf.height;
  }
  const auto count = static_cast<float>(shelves.size());
  const float share = std::min(kMostRoom, count * text * (kLabelRoom + kCaptionRoom));
  const float full = size.height / (1 - share);
  size.room = full * share / count;
  size.height = full;
  return size;
}

}  // namespace

QVector3D SlabPlace::point(float row, float col) const {
  return corner + QVector3D(col * width / static_cast<float>(cols),
                            -row * height / static_cast<float>(rows), 0);
}

std::array<QVector3D, 4> SlabPlace::frontCorners() const {
  return {corner, corner + QVector3D(width, 0, 0), corner + QVector3D(width, -height, 0),
          corner + QVector3D(0, -height, 0)};
}

WallLayout layOut(std::span<const MatrixSlab> slabs, float aspect, float text) {
  WallLayout layout;
  layout.slabs.resize(slabs.size());
  if (slabs.empty()) return layout;

  std::vector<Run> runs;
  const std::vector<Piece> all = pieces(slabs, runs);

  // The distances are shares of the width, and the width follows from them: a few rounds settle it.
  Spacing spacing{};
  std::vector<Shelf> best;
  WallSize best_size;
  float widest = 0, total = 0;
  for (int round = 0; round < 4; ++round) {
    widest = total = 0;
    for (const Run& run : runs) {
      const float width = runWidth(run, all, spacing);
      widest = std::max(widest, width);
      total += width + spacing.group_gap;
    }
    float best_scale = 0;
    for (float wrap = widest; wrap < total * 1.2f; wrap *= 1.1f) {
      auto candidate = shelves(runs, all, spacing, wrap * 1.001f);
      const WallSize size = measure(candidate, text);
      const float scale = std::min(aspect / size.width, 1 / size.height);
      if (scale <= best_scale * 1.001f) continue;
      best_scale = scale;
      best = std::move(candidate);
      best_size = size;
    }
    const float full = std::max(best_size.width, best_size.height * aspect);
    spacing = {
        .pitch = kPitch * text * full, .piece_gap = 0.012f * full, .group_gap = 0.035f * full};
  }
  best = shelves(runs, all, spacing, best_size.width * 1.001f);
  best_size = measure(best, text);

  const float thickness = 0.008f * std::max(best_size.width, best_size.height);
  const float step_forward = 0.6f * best_size.height / static_cast<float>(best.size());
  float top = 0, z = 0;
  for (std::size_t s = 0; s < best.size(); ++s) {
    const Shelf& shelf = best[s];
    const float floor = top - shelf.height;
    float x = 0;
    for (const Run& run : std::span(runs).subspan(shelf.first_run, shelf.run_count)) {
      const float start = x;
      float tallest = 0;
      for (const Piece& piece : std::span(all).subspan(run.first, run.count)) {
        for (const Piece::Part& part : piece.parts) {
          SlabPlace& place = layout.slabs[static_cast<std::size_t>(part.slab)];
          place = {.corner = {x + part.x, floor + part.y + part.height, z},
                   .width = part.width,
                   .height = part.height,
                   .depth = thickness,
                   .rows = slabs[static_cast<std::size_t>(part.slab)].rows,
                   .cols = slabs[static_cast<std::size_t>(part.slab)].cols,
                   .attached_to = part.attached_to,
                   .label = {x + part.x + part.width / 2,
                             part.attached_to < 0 ? floor : floor + part.y, z}};
          for (const QVector3D& corner : place.frontCorners()) layout.outline.push_back(corner);
        }
        tallest = std::max(tallest, piece.height);
        x += pieceAdvance(piece, spacing);
      }
      layout.groups.push_back(
          {run.title, {start, floor + tallest, z}, x - start, static_cast<int>(s)});
      x += spacing.group_gap;
    }
    top = floor - best_size.room;
    z += step_forward;
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
    const float col = hit.x() / place.width * static_cast<float>(place.cols);
    const float row = -hit.y() / place.height * static_cast<float>(place.rows);
    if (row < 0 || col < 0 || row >= static_cast<float>(place.rows) ||
        col >= static_cast<float>(place.cols))
      continue;
    nearest_way = way;
    nearest = CellRef{static_cast<int>(i), static_cast<int>(row), static_cast<int>(col)};
  }
  return nearest;
}

}  // namespace tfm::ui
