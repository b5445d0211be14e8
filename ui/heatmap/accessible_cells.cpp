// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/accessible_cells.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWindow>
#include <unordered_map>

#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {
namespace {

/// A painted item, as seen by a screen reader.
class CellInterface : public QAccessibleInterface {
 public:
  CellInterface(CellGrid* grid, int item) : grid_(grid), item_(item) {}

  bool isValid() const override { return grid_ && item_ < grid_->itemCount(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return grid_ ? grid_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(grid_.data());
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::Cell; }

  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Name && isValid() ? grid_->itemText(item_) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area = grid_->itemRect(item_).toAlignedRect();
    return {grid_->viewport()->mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    state.readOnly = state.focusable = state.selectable = true;
    state.focused = grid_->hasFocus() && grid_->currentItem() == item_;
    state.selected = grid_->lockedItem() == item_;
    return state;
  }

  int item() const { return item_; }

 private:
  QPointer<CellGrid> grid_;
  int item_;
};

/// The grid itself. Items are created when first requested.
class GridInterface : public QAccessibleWidget {
 public:
  explicit GridInterface(CellGrid* grid) : QAccessibleWidget(grid, QAccessible::Table) {}
  ~GridInterface() override {
    for (const auto& [item, id] : items_) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return grid().itemCount(); }
  QAccessibleInterface* child(int item) const override {
    if (item < 0 || item >= childCount()) return nullptr;
    const auto known = items_.find(item);
    if (known != items_.end()) return QAccessible::accessibleInterface(known->second);
    auto* cell = new CellInterface(&grid(), item);  // owned by Qt's accessibility cache
    items_[item] = QAccessible::registerAccessibleInterface(cell);
    return cell;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* cell = dynamic_cast<const CellInterface*>(child);
    return cell ? cell->item() : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    return child(grid().itemUnder(grid().viewport()->mapFromGlobal(QPoint(x, y))));
  }
  QAccessibleInterface* focusChild() const override {
    return widget()->hasFocus() ? child(grid().currentItem()) : nullptr;
  }

  QString text(QAccessible::Text kind) const override {
    if (kind == QAccessible::Name) return grid().accessibleTitle();
    const int current = grid().currentItem();
    if (kind == QAccessible::Value && current >= 0) return grid().itemText(current);
    return QAccessibleWidget::text(kind);
  }

 private:
  CellGrid& grid() const { return static_cast<CellGrid&>(*widget()); }

  mutable std::unordered_map<int, QAccessible::Id> items_;
};

QAccessibleInterface* makeGridInterface(const QString&, QObject* object) {
  auto* grid = qobject_cast<CellGrid*>(object);
  return grid ? new GridInterface(grid) : nullptr;
}

}  // namespace

void installCellAccessibility() { QAccessible::installFactory(makeGridInterface); }

void announceCurrent(CellGrid& grid) {
  if (!QAccessible::isActive() || grid.currentItem() < 0) return;
  QAccessibleEvent event(&grid, QAccessible::Focus);
  event.setChild(grid.currentItem());
  QAccessible::updateAccessibility(&event);
}

}  // namespace tfm::ui
