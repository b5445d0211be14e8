// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view.h"

#include <QEvent>
#include <QKeyEvent>

#include "ui/document/observing.h"
#include "ui/widgets/forward_key.h"

namespace tfm::ui {

View::View(Observing& observing, QWidget* parent) : QWidget(parent), observing_(observing) {}

View::~View() {
  observing_.setNeed(this, {});
  for (QWidget* side : {inspector_.data(), left_.data()})
    if (side != nullptr && side->parent() == nullptr) delete side;
}

void View::setSides(QWidget* inspector, QWidget* left, const QString& left_name) {
  left_name_ = left_name;
  inspector_ = inspector;
  left_ = left;
  inspector->installEventFilter(this);
  if (left != nullptr) left->installEventFilter(this);
}

void View::updateNeed() { observing_.setNeed(this, isVisible() ? need() : Need{}); }

void View::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  inspectorShown(inspector_ && inspector_->isVisible());
  if (left_) leftShown(left_->isVisible());
  updateNeed();
  shown();
}

void View::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  hidden();
  updateNeed();
}

void View::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape || picture() == nullptr || !forwardKey(*picture(), *event))
    QWidget::keyPressEvent(event);
}

bool View::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
    const bool shown = event->type() == QEvent::Show;
    if (watched == inspector_) inspectorShown(shown);
    if (watched == left_) leftShown(shown);
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace tfm::ui
