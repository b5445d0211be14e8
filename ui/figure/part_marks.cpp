// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/part_marks.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// The visible part of a widget in the window, which need not be its ancestor.
QRect seenOf(const QWidget* part, const QWidget& window) {
  if (part == nullptr || !part->isVisible() || !window.isAncestorOf(part)) return {};
  QRect seen = part->rect();
  for (const QWidget* inside = part; inside != &window; inside = inside->parentWidget())
    seen = seen.translated(inside->pos()) & inside->parentWidget()->rect();
  return seen;
}

}  // namespace

PartMarks::PartMarks(const Style& style, QWidget& window, const std::vector<ExplainedPart>& parts)
    : QWidget(&window), style_(style) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  for (const ExplainedPart& part : parts) parts_.push_back(part.widget);
  window.installEventFilter(this);
  setGeometry(window.rect());
  raise();
}

std::vector<QRect> PartMarks::marks() const {
  const int side = style_.px(20);
  std::vector<QRect> marks;
  for (const QPointer<QWidget>& part : parts_) {
    QRect& place = marks.emplace_back();
    const QRect seen = seenOf(part, *parentWidget());
    if (seen.isEmpty()) continue;
    place = QRect(seen.topLeft() - QPoint(side / 4, side / 4), QSize(side, side));
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, width() - side)));
    place.moveTop(std::clamp(place.top(), 0, std::max(0, height() - side)));
    // If parts start at the same place, the later number goes beside the first.
    for (std::size_t i = 0; i + 1 < marks.size(); ++i)
      if (marks[i].intersects(place)) place.moveLeft(marks[i].right() + 2);
  }
  return marks;
}

bool PartMarks::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  // Moving, hiding or scrolling a part repaints the window.
  if (event->type() == QEvent::UpdateRequest && marks() != painted_) {
    raise();
    update();
  }
  return false;
}

void PartMarks::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Palette& palette = style_.palette();
  painter.setFont(style_.textFont(12, QFont::Bold));
  int number = 0;
  painted_ = marks();
  for (const QRect& place : painted_) {
    ++number;
    if (place.isEmpty()) continue;
    painter.setPen(QPen(palette.ground, style_.px(1.5)));
    painter.setBrush(palette.accent);
    painter.drawEllipse(place);
    painter.setPen(readableOn(palette.accent));
    painter.drawText(place, Qt::AlignCenter, QString::number(number));
  }
}

}  // namespace tfm::ui
