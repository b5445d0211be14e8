// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/wall_contents.h"

#include <QColor>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/check.h"
#include "ui/growth/growth_marks.h"

namespace tfm::ui {

bool WallContents::setSlabs(std::vector<MatrixSlab> slabs) {
  for (const MatrixSlab& slab : slabs)
    check(slab.rows > 0 && slab.cols > 0 &&
              slab.values.size() == std::size_t(slab.rows) * std::size_t(slab.cols),
          "a slab has rows x cols values");
  const bool same = sameShapes(slabs, shown());
  clearGrowth();
  slabs_ = std::move(slabs);
  forgetLimit();
  if (same) return false;
  inside_.clear();
  frames_.clear();
  unpaired_.clear();
  return true;
}

void WallContents::setValues(int index, SharedNumbers values) {
  check(index >= 0 && index < int(slabs_.size()), "the slab exists");
  const auto at = std::size_t(index);
  check(values.size() == slabs_[at].values.size(), "a slab keeps its shape");
  slabs_[at].values = std::move(values);
  if (growth_) {
    const auto& growing = growth_->wall.slabs();
    for (std::size_t i = 0; i < growing.size(); ++i)
      if (growing[i].before() == index) stale_[i] = true;
  } else {
    stale_[at] = true;
    forgetLimit();
  }
}

bool WallContents::setInside(std::vector<QSize> inside) {
  check(inside.empty() || inside.size() == slabs_.size(), "every slab has a size");
  if (inside == inside_) return false;
  const std::vector<QSize> before = std::exchange(inside_, std::move(inside));
  if (growth_) return false;
  const bool all = before.empty() || inside_.empty();
  for (std::size_t i = 0; i < stale_.size(); ++i)
    if (all || before[i] != inside_[i]) stale_[i] = true;
  return true;
}

bool WallContents::setUnpaired(std::vector<bool> unpaired) {
  check(unpaired.empty() || unpaired.size() == slabs_.size(), "one flag per slab");
  if (unpaired == unpaired_) return false;
  unpaired_ = std::move(unpaired);
  forgetColours();
  return true;
}

bool WallContents::isUnpaired(const CellRef& cell) const {
  const auto slab = std::size_t(cell.slab);
  return !growth_ && slab < unpaired_.size() && unpaired_[slab] &&
         std::isnan(slabs_[slab].value(cell.row, cell.col));
}

bool WallContents::setFrames(std::vector<SlabFrame> frames) {
  for (const SlabFrame& frame : frames) {
    check(frame.slab >= 0 && frame.slab < int(slabs_.size()), "the framed slab exists");
    const MatrixSlab& slab = slabs_[std::size_t(frame.slab)];
    check(frame.row >= 0 && frame.rows > 0 && frame.row + frame.rows <= slab.rows &&
              frame.col >= 0 && frame.cols > 0 && frame.col + frame.cols <= slab.cols,
          "a frame lies on its slab");
  }
  if (frames == frames_) return false;
  frames_ = std::move(frames);
  return true;
}

void WallContents::setGrowth(std::vector<MatrixSlab> after,
                             std::span<const expand::GrownMatrix> growth) {
  auto growing = matchGrowth(slabs_, after, growth);
  std::vector<GrownCells> cells;  // the numbers are not copied
  for (const expand::GrownMatrix& matrix : growth)
    cells.emplace_back(
        std::shared_ptr<const expand::GrownMatrix>(std::shared_ptr<void>(), &matrix));
  growth_ = Growth{.after = std::move(after),
                   .wall = GrowingWall({}, {}, std::move(growing)),
                   .marks = growthMarks(cells),
                   .room = room()};
  forgetLimit();
}

void WallContents::clearGrowth() {
  if (!growth_) return;
  growth_.reset();
  forgetLimit();
}

std::span<const MatrixSlab> WallContents::grownSlabs() const {
  return growth_ ? std::span<const MatrixSlab>(growth_->after) : std::span<const MatrixSlab>();
}

void WallContents::setRoom(float room) {
  growth_->room = room;
  place();
}

void WallContents::setProgress(float progress) {
  const float last = std::exchange(growth_->progress, progress);
  for (std::size_t i = 0; i < growth_->after.size(); ++i)
    if (hasNewValues(i, last) != hasNewValues(i, progress) &&
        growth_->wall.slabs()[i].changesOldValues())
      stale_[i] = true;
  place();
}

void WallContents::layOut(const WallShape& shape, const Palette& palette) {
  layout_ = ui::layOut(slabs_, shape.aspect, shape.text, shape.letters, shape.shapes);
  std::vector<SlabFace> faces;
  if (growth_) {
    growth_->wall = GrowingWall(
        layout_, ui::layOut(growth_->after, shape.aspect, shape.text, shape.letters, shape.shapes),
        growth_->wall.slabs());
    faces = growth_->wall.faces(growth_->room, growth_->progress);
  } else {
    for (const SlabPlace& slab : layout_.slabs) faces.push_back(faceOf(slab));
  }
  scene_.build(faces, palette);
  stale_.assign(faces.size(), true);
  if (growth_) place();
}

void WallContents::place() {
  layout_ = grown() ? growth_->wall.after(growth_->room) : growth_->wall.before(growth_->room);
  scene_.move(growth_->wall.faces(growth_->room, growth_->progress),
              GrowingWall::appearance(growth_->progress));
}

bool WallContents::setFixedLimit(std::optional<double> limit) {
  check(!limit || *limit > 0, "a colour limit is positive");
  return std::exchange(fixed_limit_, limit) != limit;
}

ColorScale WallContents::scale(double share) {
  if (fixed_limit_) return ColorScale::signedTo(*fixed_limit_);
  if (!known_limit_) {
    MagnitudeHistogram histogram;
    // One scale for the whole growth: colours change only if numbers do.
    for (const MatrixSlab& slab : growth_ ? growth_->after : slabs_) histogram.add(slab.values);
    known_limit_ = niceLimit(histogram.quantile(share));
  }
  return ColorScale::signedTo(*known_limit_);
}

void WallContents::setPalette(const Palette& palette) {
  scene_.setPalette(palette);
  forgetColours();
}

void WallContents::recolour(const ColorScale& scale, const Palette& palette) {
  if (std::exchange(coloured_, scale) != scale) forgetColours();
  const ColorTable colors = ColorTable(scale, palette).inGlOrder();
  for (std::size_t i = 0; i < stale_.size(); ++i)
    if (stale_[i]) recolour(i, colors, palette);
  stale_.assign(stale_.size(), false);
}

void WallContents::recolour(std::size_t i, const ColorTable& colors, const Palette& palette) {
  const int index = int(i);
  if (!growth_) {
    const auto kept = inside_.empty() ? std::nullopt : std::optional(inside_[i]);
    const bool pairs = unpaired_.empty() || !unpaired_[i];
    const ColorTable own = pairs ? colors : colors.withBad(glPixel(unpairedGround(palette).rgb()));
    return scene_.recolour(index, {slabs_[i].values, own, palette, nullptr, kept});
  }
  const MatrixSlab& after = growth_->after[i];
  const GrowingSlab& slab = growth_->wall.slabs()[i];
  if (!hasNewValues(i, growth_->progress) && slab.before() >= 0) {
    const auto values = slab.valuesBefore(slabs_[std::size_t(slab.before())], after);
    return scene_.recolour(index, {values, colors, palette, &slab});
  }
  scene_.recolour(index, {after.values, colors, palette, &slab});
}

// Slabs show their new values one after another, so that no frame has to update all.
bool WallContents::hasNewValues(std::size_t index, float progress) const {
  constexpr float kFirst = 0.6f, kLast = 0.8f;
  const auto share = float(index) / float(growth_->after.size());
  return progress >= kFirst + (kLast - kFirst) * share;
}

std::vector<GrowthMark> WallContents::marks() const {
  if (growth_) return growth_->marks;
  if (std::ranges::find(unpaired_, true) == unpaired_.end()) return {};
  return {{.words = unpairedName(), .unpaired = true}};
}

std::vector<Ghost> WallContents::ghosts() const {
  return growth_ && !grown() ? growth_->wall.ghosts(growth_->room) : std::vector<Ghost>();
}

std::vector<FreshBlock> WallContents::fresh() const {
  return grown() && !moving() ? freshBlocks(growth_->wall.slabs(), growth_->after)
                              : std::vector<FreshBlock>();
}

QString WallContents::describe(const CellRef& cell) const {
  const MatrixSlab& slab = shown()[std::size_t(cell.slab)];
  const auto index = [](const QString& axis, const QString& otherwise, int number) {
    return QStringLiteral("%1 %2").arg(axis.isEmpty() ? otherwise : axis).arg(number + 1);
  };
  QString text =
      QStringLiteral("%1\n%2, %3\n%4")
          .arg(slab.name, index(slab.row_axis, tr("row"), cell.row) + slab.rowName(cell.row),
               index(slab.col_axis, tr("column"), slab.firstCol(cell.row) + cell.col),
               isUnpaired(cell) ? unpairedReason()
                                : QString::number(slab.value(cell.row, cell.col), 'g', 6));
  if (!grown()) return text;
  const GrowingSlab& growing = growth_->wall.slabs()[std::size_t(cell.slab)];
  const expand::Entry entry = growing.entry(cell.row, cell.col);
  text += '\n' + markName(entry);
  const double factor = growing.scale(cell.row, cell.col);
  return entry == expand::Entry::Scaled ? text + ' ' + factorText(factor, factor) : text;
}

}  // namespace tfm::ui
