// SPDX-License-Identifier: GPL-3.0-or-later
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/scene/matrix_wall.h"
#include "ui/scene/matrix_wall_state.h"

namespace tfm::ui {

void MatrixWall::cameraTaken() { setView(std::nullopt); }

void MatrixWall::setHovered(std::optional<CellRef> cell) {
  if (wall_->hovered == cell) return;
  wall_->hovered = cell;
  update();
  if (cell)
    emit cellHovered(cell->slab, cell->row, cell->col);
  else
    emit hoverEnded();
}

void MatrixWall::pointerAt(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell && cell != wall_->hovered)
    QToolTip::showText(mapToGlobal(position.toPoint()), describe(*cell), this);
  if (!cell) QToolTip::hideText();
  setHovered(cell);
}

void MatrixWall::leaveEvent(QEvent*) { setHovered(std::nullopt); }

void MatrixWall::clicked(const QPointF& position) {
  const auto cell = cellAt(position);
  if (cell) setPickedCell(cell == wall_->picked ? std::nullopt : cell);
}

void MatrixWall::doubleClicked(const QPointF& position) {
  if (const auto cell = cellAt(position)) {
    finishMove();
    approachSlab(cell->slab);
  }
}

void MatrixWall::resizeEvent(QResizeEvent* event) {
  VtkPane::resizeEvent(event);
  // Someone who turned the wall keeps it as it stands.
  if (!wall_->view) return;
  if (chooseShape())
    layOutAgain();
  else
    lookFrom(*wall_->view);
}

void MatrixWall::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  switch (key) {
    case Qt::Key_R:
      return goHome();
    case Qt::Key_F:
      return showView(View::Front);
    case Qt::Key_I:
      return showView(View::Iso);
    case Qt::Key_T:
      return showView(View::Top);
    case Qt::Key_N:
      stepFocus(1);
      return;
    case Qt::Key_P:
      stepFocus(-1);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!wall_->focused) break;
      approachSlab(*wall_->focused);
      if (!wall_->picked || wall_->picked->slab != *wall_->focused)
        setPickedCell(CellRef{*wall_->focused, 0, 0});
      return;
    case Qt::Key_Escape:
      if (!wall_->picked && !wall_->focused) break;
      if (wall_->picked)
        setPickedCell(std::nullopt);
      else
        setFocusedSlab(std::nullopt);
      return;
    default:
      if (walkCells(key)) return;
  }
  VtkPane::keyPressEvent(event);
}

bool MatrixWall::walkCells(int key) {
  if (!wall_->picked) return false;
  CellRef cell = *wall_->picked;
  switch (key) {
    case Qt::Key_Left:
      --cell.col;
      break;
    case Qt::Key_Right:
      ++cell.col;
      break;
    case Qt::Key_Up:
      --cell.row;
      break;
    case Qt::Key_Down:
      ++cell.row;
      break;
    default:
      return false;
  }
  const MatrixSlab& slab = wall_->shown()[static_cast<std::size_t>(cell.slab)];
  cell.row = std::clamp(cell.row, 0, slab.rows - 1);
  cell.col = std::clamp(cell.col, 0, slab.cols - 1);
  setPickedCell(cell);
  return true;
}

bool MatrixWall::stepFocus(int step) {
  const int count = static_cast<int>(wall_->shown().size());
  const int next = wall_->focused ? *wall_->focused + step : (step > 0 ? 0 : count - 1);
  if (next < 0 || next >= count) return false;
  setPickedCell(std::nullopt);
  setFocusedSlab(next);
  return true;
}

// Tab walks the slabs and leaves the wall after the last one.
bool MatrixWall::focusNextPrevChild(bool next) {
  if (stepFocus(next ? 1 : -1)) return true;
  return VtkPane::focusNextPrevChild(next);
}

}  // namespace tfm::ui
