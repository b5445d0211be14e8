// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/accessible_items.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <QWindow>
#include <unordered_map>

#include "ui/figure/figure.h"
#include "ui/figure/items.h"

namespace tfm::ui {
namespace {

/// A painted item, as seen by a screen reader.
class ItemInterface : public QAccessibleInterface {
 public:
  ItemInterface(QWidget* picture, Items& items, int item)
      : picture_(picture), items_(items), item_(item) {}

  bool isValid() const override { return picture_ && item_ < items_.itemCount(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override {
    return picture_ ? picture_->window()->windowHandle() : nullptr;
  }
  QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(picture_.data());
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::Cell; }

  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Name && isValid() ? items_.itemText(item_) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect area = items_.itemRect(item_).toAlignedRect();
    return {items_.pointerArea().mapToGlobal(area.topLeft()), area.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    state.readOnly = state.focusable = state.selectable = true;
    state.focused = picture_->hasFocus() && items_.currentItem() == item_;
    state.selected = items_.lockedItem() == item_;
    return state;
  }

  int item() const { return item_; }

 private:
  QPointer<QWidget> picture_;
  Items& items_;
  int item_;
};

/// The picture itself. Interfaces of items are created when first requested.
class PictureInterface : public QAccessibleWidget {
 public:
  PictureInterface(QWidget* picture, Items& items)
      : QAccessibleWidget(picture, QAccessible::Table), items_(items) {}
  ~PictureInterface() override {
    for (const auto& [item, id] : known_) QAccessible::deleteAccessibleInterface(id);
  }

  int childCount() const override { return items_.itemCount(); }
  QAccessibleInterface* child(int item) const override {
    if (item < 0 || item >= childCount()) return nullptr;
    const auto known = known_.find(item);
    if (known != known_.end()) return QAccessible::accessibleInterface(known->second);
    auto* made = new ItemInterface(widget(), items_, item);  // owned by Qt's accessibility cache
    known_[item] = QAccessible::registerAccessibleInterface(made);
    return made;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* item = dynamic_cast<const ItemInterface*>(child);
    return item ? item->item() : -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    return child(items_.itemUnder(items_.pointerArea().mapFromGlobal(QPoint(x, y))));
  }
  QAccessibleInterface* focusChild() const override {
    return widget()->hasFocus() ? child(items_.currentItem()) : nullptr;
  }

  QString text(QAccessible::Text kind) const override {
    const auto* figure = dynamic_cast<const Figure*>(widget());
    if (kind == QAccessible::Name && widget()->accessibleName().isEmpty() && figure)
      return figure->figureTitle();
    const int current = items_.currentItem();
    if (kind == QAccessible::Value && current >= 0) return items_.itemText(current);
    if (kind == QAccessible::Description) return items_.spokenText();
    return QAccessibleWidget::text(kind);
  }

 private:
  Items& items_;
  mutable std::unordered_map<int, QAccessible::Id> known_;
};

QAccessibleInterface* makePictureInterface(const QString&, QObject* object) {
  auto* items = dynamic_cast<Items*>(object);
  return items ? new PictureInterface(static_cast<QWidget*>(object), *items) : nullptr;
}

}  // namespace

void installItemAccessibility() { QAccessible::installFactory(makePictureInterface); }

void announceCurrent(Items& items) {
  if (!QAccessible::isActive() || items.currentItem() < 0) return;
  QAccessibleEvent event(dynamic_cast<QObject*>(&items), QAccessible::Focus);
  event.setChild(items.currentItem());
  QAccessible::updateAccessibility(&event);
}

}  // namespace tfm::ui
