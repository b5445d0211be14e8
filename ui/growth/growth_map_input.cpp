// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/growth/growth_map.h"
#include "ui/style/style.h"

namespace tfm::ui {

bool GrowthMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CellWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = progress_ < 1.0 ? std::nullopt : places_.at(help->pos());
  if (cell)
    QToolTip::showText(help->globalPos(), describe(cell->row, cell->col), this,
                       cellRect(cell->row, cell->col).toAlignedRect());
  else if (edges_.at(help->pos(), standing()))
    QToolTip::showText(help->globalPos(), tr("Drag to choose the new size"), this);
  else
    QToolTip::hideText();
  return true;
}

void GrowthMap::resizeEvent(QResizeEvent*) { layOut(); }

void GrowthMap::mouseMoveEvent(QMouseEvent* event) {
  if (edges_.isHeld()) {
    if (const auto dragged = edges_.dragTo(event->position(), standing())) {
      update();
      emit sizeDragged(dragged->along, dragged->size);
    }
    return;
  }
  const auto edge = edges_.at(event->position(), standing());
  if (edge)
    setCursor(SizeEdges::cursor(*edge));
  else
    unsetCursor();
  hover(edge || progress_ < 1.0 ? std::nullopt : places_.at(event->position()));
}

void GrowthMap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (const auto edge = edges_.at(event->position(), standing())) {
    edges_.hold(*edge, event->position(), standing());
    return update();
  }
  const auto cell = progress_ < 1.0 ? std::nullopt : places_.at(event->position());
  if (!cell) return event->ignore();
  hover(cell);
  click(*cell);
}

void GrowthMap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !edges_.isHeld())
    return CellWidget::mouseReleaseEvent(event);
  edges_.letGo();
  layOut();
  emit dragFinished();
}

QString GrowthMap::accessibleTitle() const {
  return tr("%1, %2").arg(figureTitle(), cells_.shapeText());
}

}  // namespace tfm::ui
