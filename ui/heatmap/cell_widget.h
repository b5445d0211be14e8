// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/heatmap/accessible_cells.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/hover_lock.h"

class QKeyEvent;

namespace tfm::ui {

/// A widget of rows and columns of cells that are pointed at one by one: hovering previews a cell,
/// a click locks it, a second click or Esc frees it; arrow keys walk, Return locks. Screen readers
/// hear the cells.
class CellWidget : public QWidget, public CellSource {
  Q_OBJECT

 public:
  explicit CellWidget(QWidget* parent = nullptr);

  const std::optional<Cell>& lockedCell() const { return lock_.locked(); }
  /// The locked cell, else the hovered one.
  const std::optional<Cell>& shownCell() const { return lock_.shown(); }
  /// Locks a cell, or frees with no cell, without a signal: for following another panel.
  void showLock(const std::optional<Cell>& cell);
  /// Where a cell is drawn now, in the widget's coordinates.
  virtual QRectF cellRect(int row, int col) const = 0;

  int accessibleCount() const override { return rowCount() * colCount(); }
  QString accessibleText(int index) const override;
  QRect accessibleArea(int index) const override;
  int accessibleCurrent() const override;
  bool accessibleSelected(int index) const override;

 signals:
  /// Another cell is previewed; (-1, -1) when none is. Silent while a cell is locked.
  void cellHovered(int row, int col);
  void cellLocked(int row, int col);
  void cellFreed();

 protected:
  virtual int rowCount() const = 0;
  virtual int colCount() const = 0;
  /// The cell in words.
  virtual QString cellText(int row, int col) const = 0;

  const HoverLock<Cell>& lock() const { return lock_; }
  void hover(const std::optional<Cell>& cell);
  void click(const Cell& cell);
  /// False if nothing was locked.
  bool freeLock();
  /// After a change of size: frees the lock, and forgets what is hovered, where there is no such
  /// cell any more.
  void forgetOutside();

  void leaveEvent(QEvent* event) override;
  /// Return locks, Esc frees, arrows walk.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void walkTo(const Cell& cell);

  HoverLock<Cell> lock_;
};

}  // namespace tfm::ui
