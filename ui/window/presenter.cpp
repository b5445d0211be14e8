// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presenter.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLight = 130;  // radius of the spotlight
constexpr double kArrow = 44;   // height of the big pointer
const QColor kDark(0, 0, 0, 175);

/// An arrow with its tip at the upper left.
QCursor bigArrow(const Style& style) {
  const int height = style.px(kArrow);
  const QPolygonF outline{{QPointF(0.04, 0.02), QPointF(0.04, 0.80), QPointF(0.22, 0.64),
                           QPointF(0.34, 0.94), QPointF(0.47, 0.88), QPointF(0.35, 0.59),
                           QPointF(0.58, 0.58)}};
  QPixmap picture(height, height);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(height, height);
  painter.setPen(QPen(Qt::white, 0.05, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::black);
  painter.drawPolygon(outline);
  painter.end();
  return QCursor(picture, 1, 1);
}

}  // namespace

Presenter::Presenter(const Style& style, QWidget& window)
    : QWidget(&window), style_(style), window_(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
  qApp->installEventFilter(this);
}

void Presenter::setForm(Form form) {
  if (form == form_) return;
  form_ = form;
  pointer_ = window_.mapFromGlobal(QCursor::pos());
  setGeometry(window_.rect());
  raise();
  setVisible(form != Form::None);
  update();
  emit formChanged(form);
}

void Presenter::setProjector(bool on) {
  projector_ = on;
  if (on)
    window_.setCursor(bigArrow(style_));
  else
    window_.unsetCursor();
  if (!on) setForm(Form::None);
}

bool Presenter::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::Resize) setGeometry(window_.rect());
  if (event->type() == QEvent::MouseMove && form_ == Form::Spotlight) {
    pointer_ = window_.mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition().toPoint());
    update();
  }
  const bool pressed = event->type() == QEvent::KeyPress;
  if (!pressed && event->type() != QEvent::ShortcutOverride) return false;
  const auto& key = *static_cast<QKeyEvent*>(event);
  const QWidget* focus = QApplication::focusWidget();
  const bool types = focus != nullptr && focus->testAttribute(Qt::WA_InputMethodEnabled);
  const bool blanks = projector_ && key.key() == Qt::Key_B && key.modifiers() == Qt::NoModifier &&
                      !types && QApplication::activeModalWidget() == nullptr;
  if (form_ != Form::Blank && !blanks) return false;
  event->accept();
  if (pressed) setForm(form_ == Form::Blank ? Form::None : Form::Blank);
  return true;
}

void Presenter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (form_ == Form::Blank) return painter.fillRect(rect(), Qt::black);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath dark;
  dark.setFillRule(Qt::OddEvenFill);
  dark.addRect(rect());
  const double radius = style_.px(kLight);
  dark.addEllipse(QPointF(pointer_), radius, radius);
  painter.fillPath(dark, kDark);
}

}  // namespace tfm::ui
