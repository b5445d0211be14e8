// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/model_plan.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/model/blocks/blocks.h"
#include "ui/growth/parameter_caption.h"

namespace tfm::ui {
namespace {

constexpr int kPlanRounds = 3;      // of placing and stacking anew
constexpr double kHigher = 1.15;    // columns of a block that is too wide for a row
constexpr double kRounding = 1e-9;  // of a width

struct PlanText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ModelPlan)
};

bool sameLayer(const Site& a, const Site& b) { return a.stack == b.stack && a.layer == b.layer; }

bool beginsRow(const Site& before, const Site& site) {
  return site.stack != Stack::None && site.stack != before.stack;
}

class PlanMaker {
 public:
  PlanMaker(std::span<const PlanPiece> pieces, const PlanSpace& space, const ModelPlan* kept)
      : pieces_(pieces), space_(space), kept_(kept) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const PlanPiece& piece = pieces[i];
      if (plan_.blocks.empty() || plan_.blocks.back().place != piece.place) {
        plan_.blocks.push_back({piece.place, i});
        titles_.push_back(space.title ? space.title(piece.place.title) : QSizeF(0.0, 0.0));
      }
      ++plan_.blocks.back().count;
    }
    plan_.pieces.resize(pieces.size());
    plan_.columns.resize(pieces.size());
    stacks_.resize(plan_.blocks.size());
    limits_.resize(plan_.blocks.size());
    linkMemory();
  }

  ModelPlan make() {
    const std::size_t count = plan_.blocks.size();
    for (std::size_t first = 0, end = 0; first < count; first = end) {
      double tallest = 0.0;
      for (; end < count && sameLayer(siteOf(end), siteOf(first)); ++end)
        for (std::size_t i = 0; i < plan_.blocks[end].count; ++i)
          tallest = std::max(tallest, pieces_[plan_.blocks[end].first + i].size.height());
      for (std::size_t block = first; block < end; ++block) stack(block, tallest);
    }
    placeBlocks();
    for (int round = 0; round < kPlanRounds && kept_ == nullptr; ++round) {
      // What is lower than its row becomes narrower, so that more stands in one.
      for (std::size_t block = 0; block < count; ++block) {
        const QRectF& frame = plan_.blocks[block].frame;
        stack(block, frame.height() - titles_[block].height() - 2 * space_.inset);
      }
      placeBlocks();
    }
    if (kept_ == nullptr) spread();
    return std::move(plan_);
  }

 private:
  const Site& siteOf(std::size_t block) const { return plan_.blocks[block].place.site; }

  void linkMemory() {
    std::optional<std::size_t> end;
    for (std::size_t i = 0; i < plan_.blocks.size(); ++i) {
      if (siteOf(i).stack == Stack::Encoder) end = i;
      if (attendsToMemory(siteOf(i).kind)) plan_.blocks[i].memory = end;
      if (plan_.blocks[i].memory) width_ = space_.width - space_.gap;
    }
  }

  /// Stacks the pieces of a block in columns not higher than `limit`.
  void stack(std::size_t block, double limit) {
    const PlanBlock& own = plan_.blocks[block];
    const double widest = width_ - 2 * space_.inset;
    for (std::size_t i = own.first; i < own.first + own.count; ++i)
      limit = std::max(limit, pieces_[i].size.height());
    for (;; limit *= kHigher) {
      limits_[block] = limit;
      double top = 0.0;
      int column = 0;
      for (std::size_t i = own.first; i < own.first + own.count; ++i) {
        const double height = pieces_[i].size.height();
        const bool next = kept_ != nullptr ? kept_->columns[i] > column
                                           : top > 0.0 && top + height > limit + kRounding;
        if (next) {
          top = 0.0;
          ++column;
        }
        plan_.columns[i] = column;
        top += height;
      }
      stacks_[block] = setDown(own, {0.0, 0.0});
      if (stacks_[block].width() <= widest || column == 0 || kept_ != nullptr) return;
    }
  }

  /// Sets the columns of a block down at `corner` and returns their size. Each piece begins where
  /// the one above it ends: moved there afterwards, they would overlap by a rounding error.
  QSizeF setDown(const PlanBlock& block, const QPointF& corner) {
    QPointF at = corner;
    double right = corner.x(), bottom = corner.y();
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      if (i > block.first && plan_.columns[i] != plan_.columns[i - 1]) at = {right, corner.y()};
      plan_.pieces[i] = {at, pieces_[i].size};
      at.setY(plan_.pieces[i].bottom());
      right = std::max(right, plan_.pieces[i].right());
      bottom = std::max(bottom, at.y());
    }
    return {right - corner.x(), bottom - corner.y()};
  }

  QSizeF sizeOf(std::size_t block) const {
    return stacks_[block].expandedTo({titles_[block].width(), 0.0}) +
           QSizeF(2 * space_.inset, titles_[block].height() + 2 * space_.inset);
  }

  std::vector<RowPart> rowParts() const {
    std::vector<RowPart> parts;
    for (std::size_t block = 0; block < plan_.blocks.size(); ++block)
      parts.push_back({sizeOf(block).width(), siteOf(block)});
    return parts;
  }

  bool rowsFit() const {
    const std::vector<RowPlace> places = placeInRows(rowParts(), width_, space_.gap);
    return std::ranges::equal(places, plan_.blocks, {}, &RowPlace::row, &PlanBlock::row);
  }

  /// Where a row has room at its end, what stands in columns stands side by side instead.
  void spread() {
    for (std::size_t block = 0; block < plan_.blocks.size(); ++block) {
      const double limit = limits_[block];
      for (double lower = 0.0; lower < limit; lower = limits_[block] * kHigher) {
        stack(block, lower);
        if (rowsFit()) break;
      }
      if (!rowsFit()) stack(block, limit);
    }
    placeBlocks();
  }

  void placeBlocks() {
    const std::size_t count = plan_.blocks.size();
    const std::vector<RowPart> parts = rowParts();
    std::vector<QSizeF> sizes;
    for (std::size_t block = 0; block < count; ++block) sizes.push_back(sizeOf(block));
    std::vector<RowPlace> places = placeInRows(parts, width_, space_.gap);
    if (kept_ != nullptr)
      for (std::size_t block = 0; block < count; ++block) {
        const bool first = block == 0 || kept_->blocks[block - 1].row != kept_->blocks[block].row;
        places[block] = {
            kept_->blocks[block].row,
            first ? 0.0 : places[block - 1].left + parts[block - 1].width + space_.gap};
      }
    plan_.size = {};
    double top = 0.0;
    for (std::size_t first = 0, end = 0; first < count; first = end) {
      double height = 0.0;
      for (; end < count && places[end].row == places[first].row; ++end)
        height = std::max(height, sizes[end].height());
      const double used = places[end - 1].left + sizes[end - 1].width();
      // A row that stays half empty is no wider than its blocks.
      const double spare = kept_ == nullptr && used >= space_.spread_from * width_
                               ? std::max(0.0, width_ - used) / double(end - first)
                               : 0.0;
      for (std::size_t block = first; block < end; ++block) {
        const double left = places[block].left + spare * double(block - first);
        place(block, QRectF(left, top, sizes[block].width() + spare, height), places[block].row);
      }
      plan_.size = plan_.size.expandedTo({plan_.blocks[end - 1].frame.right(), top + height});
      top += height + space_.row_gap;
    }
    if (width_ == space_.width) return;
    plan_.lane = plan_.size.width() + space_.gap / 2;
    plan_.size.rwidth() += space_.gap;
  }

  void place(std::size_t at, const QRectF& frame, int row) {
    PlanBlock& block = plan_.blocks[at];
    block.frame = frame;
    block.row = row;
    block.leads = at + 1 < plan_.blocks.size() && !beginsRow(siteOf(at), siteOf(at + 1));
    setDown(block, frame.topLeft() + QPointF(space_.inset, space_.inset + titles_[at].height()));
  }

  std::span<const PlanPiece> pieces_;
  const PlanSpace& space_;
  const ModelPlan* kept_;
  double width_ = space_.width;  // of the rows, without the lane
  ModelPlan plan_;
  std::vector<QSizeF> titles_, stacks_;  // their sizes, of each block
  std::vector<double> limits_;           // heights of their columns
};

}  // namespace

std::vector<RowPlace> placeInRows(std::span<const RowPart> parts, double width, double gap) {
  std::vector<RowPlace> places;
  const double most = width + kRounding * width;
  double right = 0.0;  // of what stands in the row, with a gap
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool first = i == 0;
    bool next =
        !first && (beginsRow(parts[i - 1].site, parts[i].site) || right + parts[i].width > most);
    if (!first && !next && !sameLayer(parts[i - 1].site, parts[i].site)) {
      double layer = -gap;
      for (std::size_t k = i; k < parts.size() && sameLayer(parts[k].site, parts[i].site); ++k)
        layer += gap + parts[k].width;
      // A row that would stay half empty takes what fits.
      next = right + layer > most && layer <= most && right > most / 2;
    }
    const int row = first ? 0 : places.back().row + (next ? 1 : 0);
    if (next) right = 0.0;
    places.push_back({row, right});
    right += parts[i].width + gap;
  }
  return places;
}

std::vector<PlanPlace> planPlaces(std::span<const ParameterTag> tags) {
  std::vector<PlanPlace> places(tags.size());
  for (std::size_t i = tags.size(); i-- > 0;) {
    places[i].site = tags[i].site;
    // A table that stacks share belongs to none, but the first of them reads it.
    if (places[i].site == Site{} && i + 1 < tags.size())
      places[i].site.stack = places[i + 1].site.stack;
  }
  std::vector<Stack> with_layers;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const Site& site = places[i].site;
    QString& title = places[i].title;
    const bool one_block = site.block >= 0 || site.layer < 0;
    if (i > 0 && site == places[i - 1].site &&
        (one_block || groupWords(tags[i]) == groupWords(tags[i - 1]))) {
      title = places[i - 1].title;
      continue;
    }
    if (site.layer >= 0) with_layers.push_back(site.stack);
    if (site.stack == Stack::None)
      title = groupWords(tags[i]);
    else if (site.layer < 0)
      title = (std::ranges::count(with_layers, site.stack) > 0 ? PlanText::tr("%1 end")
                                                               : PlanText::tr("%1 input"))
                  .arg(placeWords(site));
    else if (i == 0 || !sameLayer(site, places[i - 1].site))
      title = placedGroup(tags[i]);
    else
      title = groupWords(tags[i]);
  }
  return places;
}

std::vector<int> ownersOf(std::span<const PlanMember> members) {
  std::vector<int> owners;
  int last = -1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const PlanMember& one = members[i];
    if (i > 0 && members[i - 1].place != one.place) last = -1;
    const PlanMember* matrix = last < 0 || one.alone ? nullptr : &members[std::size_t(last)];
    const bool below = matrix && one.rows == 1 && one.cols == matrix->cols;
    const bool beside = matrix && one.cols == 1 && one.rows == matrix->rows;
    owners.push_back(below || beside ? last : -1);
    if (owners.back() < 0) last = int(i);
  }
  return owners;
}

const PlanBlock& ModelPlan::blockOf(std::size_t piece) const {
  return *std::ranges::find_if(blocks, [piece](const PlanBlock& block) {
    return piece >= block.first && piece < block.first + block.count;
  });
}

ModelPlan layOutPlan(std::span<const PlanPiece> pieces, const PlanSpace& space,
                     const ModelPlan* kept) {
  return PlanMaker(pieces, space, kept).make();
}

}  // namespace tfm::ui
