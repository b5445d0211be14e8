// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_chain.h"

#include <QDropEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

#include "ui/style/style.h"
#include "ui/views/grow/growth_words.h"

namespace tfm::ui {
namespace {

constexpr int kRow = 26;

}  // namespace

GrowthChain::GrowthChain(const Style& style, QWidget* parent) : QListWidget(parent), style_(style) {
  setDragDropMode(QAbstractItemView::InternalMove);
  setDefaultDropAction(Qt::MoveAction);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setWordWrap(true);
  setAccessibleName(tr("Planned expansions"));
  connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!filling_ && held_ < 0) emit selected(row);
  });
}

void GrowthChain::showPlan(const expand::Plan& plan, std::span<const expand::Change> changes,
                           int problem_at, int selected) {
  filling_ = true;
  // In place: a new preview, one per training step, must not end a drag.
  while (count() > int(plan.size())) delete takeItem(count() - 1);
  while (count() < int(plan.size())) addItem(QString());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool possible = i < changes.size();
    QString text = QString::number(i + 1) + QStringLiteral("  ") + GrowthWords::name(plan[i].kind) +
                   QStringLiteral("  ");
    text += possible ? GrowthWords::sizes(plan[i].kind, changes[i].before, changes[i].after)
                     : QStringLiteral("→ ") + QString::number(plan[i].size);
    const bool broken = plan[i].broken != expand::Break::None;
    if (broken) text += QStringLiteral("  ⚑ ") + tr("broken");
    const bool wrong = broken || int(i) == problem_at;
    QListWidgetItem* item = this->item(int(i));
    item->setText(text);
    item->setSizeHint({0, style_.px(kRow)});
    item->setForeground(wrong ? QBrush(style_.palette().bad) : QBrush());
    item->setToolTip(tr("Drag to move, Delete to remove"));
  }
  filling_ = false;
  selected_ = selected;
  if (held_ >= count()) held_ = -1;
  mark(held_ < 0 ? selected_ : held_);
  setVisible(!plan.empty());
  updateGeometry();
}

QSize GrowthChain::sizeHint() const {
  int height = 2 * frameWidth();
  for (int row = 0; row < count(); ++row) height += sizeHintForRow(row);
  return {style_.px(200), height + style_.px(4)};
}

QSize GrowthChain::minimumSizeHint() const { return {style_.px(120), sizeHint().height()}; }

void GrowthChain::mark(int row) {
  filling_ = true;
  setCurrentRow(row);
  filling_ = false;
}

void GrowthChain::mousePressEvent(QMouseEvent* event) {
  held_ = indexAt(event->position().toPoint()).row();
  QListWidget::mousePressEvent(event);
}

void GrowthChain::mouseReleaseEvent(QMouseEvent* event) {
  QListWidget::mouseReleaseEvent(event);
  const int row = std::exchange(held_, -1);
  if (row >= 0 && row != selected_) emit selected(row);
}

void GrowthChain::startDrag(Qt::DropActions actions) {
  QListWidget::startDrag(actions);  // until it is dropped
  held_ = -1;
  mark(selected_);
}

void GrowthChain::dropEvent(QDropEvent* event) {
  const int from = std::exchange(held_, -1);
  const QModelIndex over = indexAt(event->position().toPoint());
  int to = over.isValid() ? over.row() : count() - 1;
  if (over.isValid() && dropIndicatorPosition() == QAbstractItemView::BelowItem && to < from) ++to;
  if (over.isValid() && dropIndicatorPosition() == QAbstractItemView::AboveItem && to > from) --to;
  // The plan decides what is shown, not the list.
  event->setDropAction(Qt::IgnoreAction);
  event->accept();
  if (from >= 0 && from != to) emit moved(from, to);
}

void GrowthChain::keyPressEvent(QKeyEvent* event) {
  if ((event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) && currentRow() >= 0) {
    emit removed(currentRow());
    return;
  }
  const bool moves = (event->modifiers() & Qt::AltModifier) != 0 &&
                     (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down);
  if (moves && currentRow() >= 0) {
    const int to = currentRow() + (event->key() == Qt::Key_Up ? -1 : 1);
    if (to >= 0 && to < count()) emit moved(currentRow(), to);
    return;
  }
  QListWidget::keyPressEvent(event);
}

}  // namespace tfm::ui
