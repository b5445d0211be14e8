// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "ui/scene/growth_overlay.h"
#include "ui/scene/matrix_wall.h"
#include "ui/scene/matrix_wall_state.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kRoomMilliseconds = 450;  // as long as the camera moves

}  // namespace

void MatrixWall::setGrowth(std::vector<MatrixSlab> after,
                           std::span<const expand::GrownMatrix> growth) {
  auto slabs = matchGrowth(wall_->slabs, after, growth);
  const float room = wall_->growth ? wall_->growth->room : 0;
  dropGrowth();
  wall_->known_limit.reset();
  wall_->growth = ShownGrowth{.after = std::move(after), .wall = {}, .marks = marksOf(slabs)};
  wall_->growth->wall = GrowingWall({}, {}, std::move(slabs));
  // What has room already keeps it while a size is dragged.
  wall_->growth->room = room;
  const Camera camera = this->camera();
  layOutAgain();
  setCamera(camera);
  makeRoom();
}

void MatrixWall::makeRoom() {
  QVariantAnimation& move = wall_->make_room;
  if (wall_->view) moveTo(seenFrom(*wall_->view));
  if (!style().motion() || !isVisible() || wall_->growth->room >= 1) {
    wall_->growth->room = 1;
    return placeGrowth();
  }
  move.setDuration(kRoomMilliseconds);
  move.setEasingCurve(QEasingCurve::InOutCubic);
  move.setStartValue(wall_->growth->room);
  move.setEndValue(1.0F);
  move.disconnect(this);
  connect(&move, &QVariantAnimation::valueChanged, this, [this](const QVariant& room) {
    if (!wall_->growth) return;
    wall_->growth->room = room.toFloat();
    placeGrowth();
  });
  move.start();
}

void MatrixWall::placeGrowth() {
  ShownGrowth& growth = *wall_->growth;
  wall_->layout = wall_->grown() ? growth.wall.after(growth.room) : growth.wall.before(growth.room);
  wall_->scene.move(growth.wall.faces(growth.room, growth.progress),
                    GrowingWall::appearance(growth.progress));
  scheduleRender();
}

void MatrixWall::setGrowthProgress(double progress) {
  check(wall_->growth.has_value(), "a growth is shown");
  ShownGrowth& growth = *wall_->growth;
  const float now = static_cast<float>(std::clamp(progress, 0.0, 1.0));
  if (now == growth.progress) return;
  // Whoever starts the growth does not wait for the room.
  if (wall_->make_room.state() == QAbstractAnimation::Running) {
    wall_->make_room.stop();
    growth.room = 1;
  }
  const bool was_grown = wall_->grown();
  const float last = std::exchange(growth.progress, now);
  if (was_grown != wall_->grown() || wall_->moving()) {
    // Indices before are not those after.
    setHovered(std::nullopt);
    setPickedCell(std::nullopt);
    setFocusedSlab(std::nullopt);
  }
  for (std::size_t i = 0; i < growth.after.size(); ++i)
    if (wall_->hasNewValues(i, last) != wall_->hasNewValues(i, now) &&
        growth.wall.slabs()[i].changesOldValues())
      wall_->stale[i] = true;
  placeGrowth();
}

double MatrixWall::growthProgress() const {
  return wall_->growth ? static_cast<double>(wall_->growth->progress) : 0.0;
}

bool MatrixWall::showsGrowth() const { return wall_->growth.has_value(); }

std::span<const MatrixSlab> MatrixWall::grownSlabs() const {
  return wall_->growth ? std::span<const MatrixSlab>(wall_->growth->after)
                       : std::span<const MatrixSlab>();
}

void MatrixWall::clearGrowth() {
  if (!wall_->growth) return;
  dropGrowth();
  const Camera camera = this->camera();
  layOutAgain();
  if (!wall_->view) return;
  setCamera(camera);
  moveTo(seenFrom(*wall_->view));
}

void MatrixWall::dropGrowth() {
  if (!wall_->growth) return;
  if (wall_->growth->progress > 0) {
    setHovered(std::nullopt);
    setPickedCell(std::nullopt);
    setFocusedSlab(std::nullopt);
  }
  wall_->make_room.stop();
  wall_->growth.reset();
  wall_->known_limit.reset();
}

QString MatrixWall::describe(const CellRef& cell) const {
  const MatrixSlab& slab = wall_->shown()[static_cast<std::size_t>(cell.slab)];
  const auto index = [](const QString& axis, const QString& otherwise, int number) {
    return QStringLiteral("%1 %2").arg(axis.isEmpty() ? otherwise : axis).arg(number + 1);
  };
  QString text =
      QStringLiteral("%1\n%2, %3\n%4")
          .arg(slab.name, index(slab.row_axis, tr("row"), cell.row),
               index(slab.col_axis, tr("column"), cell.col),
               isUnpaired(cell) ? unpairedReason()
                                : QLocale().toString(slab.value(cell.row, cell.col), 'g', 6));
  if (wall_->grown())
    text += '\n' + entryWords(wall_->growth->wall.slabs()[static_cast<std::size_t>(cell.slab)],
                              cell.row, cell.col);
  return text;
}

}  // namespace tfm::ui
