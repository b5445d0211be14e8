// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/cell_widget.h"

#include <QKeyEvent>
#include <algorithm>

#include "ui/heatmap/walk.h"

namespace tfm::ui {

CellWidget::CellWidget(QWidget* parent) : QWidget(parent) {
  installCellAccessibility();
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

void CellWidget::showLock(const std::optional<Cell>& cell) {
  if (cell == lock_.locked()) return;
  if (cell)
    lock_.click(*cell);
  else
    lock_.free();
  update();
}

void CellWidget::hover(const std::optional<Cell>& cell) {
  const bool changed = lock_.hovered() != cell;
  if (lock_.hover(cell)) {
    const Cell shown = cell.value_or(Cell{});
    emit cellHovered(shown.row, shown.col);
  }
  if (changed) update();
}

void CellWidget::click(const Cell& cell) {
  if (lock_.click(cell))
    emit cellLocked(cell.row, cell.col);
  else
    emit cellFreed();
  update();
}

bool CellWidget::freeLock() {
  if (!lock_.free()) return false;
  emit cellFreed();
  update();
  return true;
}

void CellWidget::forgetOutside() {
  const auto outside = [this](const std::optional<Cell>& cell) {
    return cell && (cell->row >= rowCount() || cell->col >= colCount());
  };
  // In this order: who hears that the lock is freed asks what is hovered.
  if (outside(lock_.hovered())) hover(std::nullopt);
  if (outside(lock_.locked())) freeLock();
}

void CellWidget::walkTo(const Cell& cell) {
  if (lock_.shown() == cell) return;
  if (lock_.locked())
    click(cell);
  else
    hover(cell);
  announceCurrent(*this);
}

void CellWidget::leaveEvent(QEvent*) { hover(std::nullopt); }

void CellWidget::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && freeLock()) return;
  if (isLockKey(event->key()) && lock_.shown()) return click(Cell(*lock_.shown()));
  const std::optional<Cell> step = stepFor(event->key());
  if (accessibleCount() == 0 || !step) return QWidget::keyPressEvent(event);
  // The first key enters at the first cell.
  const Cell from = lock_.shown().value_or(Cell{-step->row, -step->col});
  walkTo({std::clamp(from.row + step->row, 0, rowCount() - 1),
          std::clamp(from.col + step->col, 0, colCount() - 1)});
}

QString CellWidget::accessibleText(int index) const {
  return cellText(index / colCount(), index % colCount());
}

QRect CellWidget::accessibleArea(int index) const {
  return cellRect(index / colCount(), index % colCount()).toAlignedRect();
}

int CellWidget::accessibleCurrent() const {
  const auto& cell = lock_.shown();
  return cell ? cell->row * colCount() + cell->col : -1;
}

bool CellWidget::accessibleSelected(int index) const {
  const auto& cell = lock_.locked();
  return cell && cell->row * colCount() + cell->col == index;
}

}  // namespace tfm::ui
