// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/accessible_cells.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWidget>
#include <QWindow>
#include <unordered_map>

namespace tfm::ui {
namespace {

/// One painted thing as a screen reader sees it.
class CellInterface : public QAccessibleInterface {
 public:
  CellInterface(QWidget* widget, CellSource* source, int index)
      : widget_(widget), source_(source), index_(index) {}

  bool isValid() const override { return widget_ && index_ < source_->accessibleCount(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return widget_ ? widget_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(widget_.data());
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::Cell; }

  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Name && isValid() ? source_->accessibleText(index_) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area = source_->accessibleArea(index_);
    return {widget_->mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    state.readOnly = state.focusable = state.selectable = true;
    state.focused = widget_->hasFocus() && source_->accessibleCurrent() == index_;
    state.selected = source_->accessibleSelected(index_);
    return state;
  }

  int index() const { return index_; }

 private:
  QPointer<QWidget> widget_;
  CellSource* source_;
  int index_;
};

/// The widget around them. Cells are made when a reader first asks for them.
class CellsInterface : public QAccessibleWidget {
 public:
  CellsInterface(QWidget* widget, CellSource* source)
      : QAccessibleWidget(widget, QAccessible::Table), source_(source) {}
  ~CellsInterface() override {
    for (const auto& [index, id] : cells_) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return source_->accessibleCount(); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    const auto known = cells_.find(index);
    if (known != cells_.end()) return QAccessible::accessibleInterface(known->second);
    auto* cell = new CellInterface(widget(), source_, index);  // owned by Qt's accessibility cache
    cells_[index] = QAccessible::registerAccessibleInterface(cell);
    return cell;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* cell = dynamic_cast<const CellInterface*>(child);
    return cell ? cell->index() : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint local = widget()->mapFromGlobal(QPoint(x, y));
    for (int index = 0; index < childCount(); ++index)
      if (source_->accessibleArea(index).contains(local)) return child(index);
    return nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    return widget()->hasFocus() ? child(source_->accessibleCurrent()) : nullptr;
  }

  QString text(QAccessible::Text kind) const override {
    if (kind == QAccessible::Name) return source_->accessibleTitle();
    const int current = source_->accessibleCurrent();
    if (kind == QAccessible::Value && current >= 0) return source_->accessibleText(current);
    return QAccessibleWidget::text(kind);
  }

 private:
  CellSource* source_;
  mutable std::unordered_map<int, QAccessible::Id> cells_;
};

QAccessibleInterface* makeCellsInterface(const QString&, QObject* object) {
  auto* source = dynamic_cast<CellSource*>(object);
  auto* widget = qobject_cast<QWidget*>(object);
  return source && widget ? new CellsInterface(widget, source) : nullptr;
}

}  // namespace

void installCellAccessibility() { QAccessible::installFactory(makeCellsInterface); }

void announceCurrent(QWidget& widget) {
  const auto& source = dynamic_cast<const CellSource&>(widget);
  if (!QAccessible::isActive() || source.accessibleCurrent() < 0) return;
  QAccessibleEvent event(&widget, QAccessible::Focus);
  event.setChild(source.accessibleCurrent());
  QAccessible::updateAccessibility(&event);
}

}  // namespace tfm::ui
