// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/scene/slab_pieces.h"

namespace tfm::ui {
namespace {

// Margins as shares of the wall's size, chosen so that labels fit at a usual window size.
constexpr float kLabelRoom = 0.052f;    // of the height, under each matrix: its name and shape
constexpr float kCaptionRoom = 0.034f;  // of the height, over a shelf: the captions
constexpr float kMaxRoom = 0.55f;       // of the height, for all of these together
constexpr float kPitch = 0.056f;        // of the width: the least distance of two names
constexpr float kCaption = 0.0088f;     // of the width: a letter of a caption
constexpr float kPieceGap = 0.012f;     // of the width
constexpr float kGroupGap = 0.022f;     // of the width
constexpr float kThickness = 0.005f;    // of the size
constexpr float kStepForward = 0.15f;   // of the mean height of a shelf
constexpr qsizetype kMaxLetters = 12;   // longer captions get two lines
constexpr int kRounds = 12;

/// Margins in cells.
struct Spacing {
  float label = 0, pitch = 0, caption_letter = 0, piece_gap = 0, group_gap = 0;
};

/// Pieces of one run, stacked.
struct Column {
  std::size_t first, count;
  float width, height;
};

struct RunBox {
  const PieceRun* run;
  std::vector<Column> columns;
  float width = 0, height = 0;
};

struct Shelf {
  std::vector<RunBox> runs;
  float width = 0, height = 0;
};

struct Wall {
  std::vector<Shelf> shelves;
  float width = 0, height = 0;
  float room = 0;  ///< margin of each shelf
};

/// Stacks small pieces as long as no column is higher than `limit`.
RunBox stack(const PieceRun& run, float limit, const Spacing& spacing) {
  RunBox box{&run, {}};
  for (std::size_t i = 0; i < run.pieces.size(); ++i) {
    const SlabPiece& piece = run.pieces[i];
    const bool fits =
        !box.columns.empty() && box.columns.back().height + spacing.label + piece.height <= limit;
    if (!fits) {
      box.columns.push_back({i, 1, piece.width, piece.height});
      continue;
    }
    Column& column = box.columns.back();
    ++column.count;
    column.width = std::max(column.width, piece.width);
    column.height += spacing.label + piece.height;
  }
  for (Column& column : box.columns) {
    column.width = std::max(column.width + spacing.piece_gap, spacing.pitch);
    box.width += column.width;
    box.height = std::max(box.height, column.height);
  }
  // Longer captions are cut rather than pushing matrices apart.
  const auto letters = float(std::min<qsizetype>(run.title.size(), kMaxLetters));
  box.width = std::max(box.width, letters * spacing.caption_letter);
  return box;
}

using Layer = std::vector<RunBox>;

std::vector<Layer> layers(std::span<const PieceRun> runs, const Spacing& spacing) {
  std::vector<Layer> result;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t end = i;
    float tallest = 0;
    for (; end < runs.size() && runs[end].layer == runs[i].layer; ++end)
      for (const SlabPiece& piece : runs[end].pieces) tallest = std::max(tallest, piece.height);
    Layer layer;
    for (; i < end; ++i) layer.push_back(stack(runs[i], tallest, spacing));
    result.push_back(std::move(layer));
  }
  return result;
}

Wall shelve(std::span<const Layer> layers, float wrap, const Spacing& spacing, float aspect,
            float text) {
  Wall wall;
  const auto fits = [&](float width) {
    return !wall.shelves.empty() &&
           wall.shelves.back().width + spacing.group_gap + width <= wrap * 1.0001f;
  };
  const auto add = [&](const RunBox& run) {
    Shelf& shelf = wall.shelves.back();
    shelf.width += run.width + (shelf.runs.empty() ? 0 : spacing.group_gap);
    shelf.height = std::max(shelf.height, run.height);
    shelf.runs.push_back(run);
  };
  for (const Layer& layer : layers) {
    float width = -spacing.group_gap;
    for (const RunBox& run : layer) width += run.width + spacing.group_gap;
    if (!fits(width)) wall.shelves.emplace_back();
    for (const RunBox& run : layer) {
      if (!wall.shelves.back().runs.empty() && !fits(run.width)) wall.shelves.emplace_back();
      add(run);
    }
  }
  for (const Shelf& shelf : wall.shelves) {
    wall.width = std::max(wall.width, shelf.width);
    wall.height += shelf.height;
  }
  // The page may be higher than the shelves: what matters is the room for text on the page.
  const auto count = float(wall.shelves.size());
  const float share = std::min(kMaxRoom, count * text * (kLabelRoom + kCaptionRoom));
  const float page = std::max(wall.height / (1 - share), wall.width / aspect);
  wall.room = page * share / count;
  wall.height += count * wall.room;
  return wall;
}

/// The wall that fills `aspect` best with these gaps, and its scale on a page of height 1.
std::pair<Wall, float> shelveBest(std::span<const PieceRun> runs, float aspect, float text,
                                  const Spacing& spacing) {
  const std::vector<Layer> all = layers(runs, spacing);
  float widest = 0, total = 0;
  for (const Layer& layer : all) {
    for (const RunBox& run : layer) {
      widest = std::max(widest, run.width);
      total += run.width + spacing.group_gap;
    }
  }
  Wall best;
  float best_scale = 0;
  for (float wrap = widest; wrap < total * 1.08f; wrap *= 1.08f) {
    Wall wall = shelve(all, wrap, spacing, aspect, text);
    const float scale = std::min(aspect / wall.width, 1 / wall.height);
    if (scale <= best_scale * 1.001f) continue;
    best_scale = scale;
    best = std::move(wall);
  }
  return {std::move(best), best_scale};
}

/// The wall that fills `aspect` best. Gaps are shares of the size, and the size depends on the
/// gaps: iterates and takes the largest wall whose gaps are wide enough.
Wall arrange(std::span<const PieceRun> runs, float aspect, float text, Spacing& spacing) {
  constexpr float kEnough = 0.93f;
  Wall best;
  Spacing best_spacing, next;
  float best_scale = 0, planned = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto [wall, scale] = shelveBest(runs, aspect, text, next);
    const bool enough = planned >= kEnough / scale;
    if (best.shelves.empty() || (enough && scale > best_scale)) {
      // The first wall has no gaps and is only a start.
      best_scale = enough ? scale : 0;
      best = std::move(wall);
      best_spacing = next;
    }
    // Half steps: full ones oscillate between few and many shelves.
    planned = planned > 0 ? (planned + 1 / scale) / 2 : 1 / scale;
    const float width = aspect * planned;
    next = {.label = kLabelRoom * text * planned,
            .pitch = kPitch * text * width,
            .caption_letter = kCaption * text * width,
            .piece_gap = kPieceGap * width,
            .group_gap = kGroupGap * width};
  }
  spacing = best_spacing;
  return best;
}

void placePiece(WallLayout& layout, std::span<const MatrixSlab> slabs, const SlabPiece& piece,
                const QVector3D& floor, float thickness) {
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
    for (const QVector3D& corner : layout.slabs[index].frontCorners())
      layout.outline.push_back(corner);
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

WallLayout layOut(std::span<const MatrixSlab> slabs, float aspect, float text) {
  WallLayout layout;
  layout.slabs.resize(slabs.size());
  if (slabs.empty()) return layout;

  const std::vector<PieceRun> runs = pieceTogether(slabs);
  Spacing spacing;
  const Wall wall = arrange(runs, aspect, text, spacing);
  const float thickness = kThickness * std::max(wall.width, wall.height);
  const float step = kStepForward * wall.height / float(wall.shelves.size());
  float top = 0, z = 0;
  for (const Shelf& shelf : wall.shelves) {
    const float floor = top - shelf.height;
    float x = 0;
    for (const RunBox& box : shelf.runs) {
      const float end = x + box.width + spacing.group_gap;
      const QVector3D caption(x, floor + box.height, z);
      layout.groups.push_back({box.run->title, caption, box.width});
      layout.outline.insert(layout.outline.end(), {caption, caption + QVector3D(box.width, 0, 0)});
      for (const Column& column : box.columns) {
        float y = floor + column.height;
        for (std::size_t i = column.first; i < column.first + column.count; ++i) {
          const SlabPiece& piece = box.run->pieces[i];
          y -= piece.height;
          placePiece(layout, slabs, piece, {x, y, z}, thickness);
          y -= spacing.label;
        }
        x += column.width;
      }
      x = end;
    }
    top = floor - wall.room;
    z += step;
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
