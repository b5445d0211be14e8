// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/rail.h"

#include <QPainter>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kWidth = 26;

}  // namespace

Rail::Rail(const Style& style, QWidget* parent) : QToolButton(parent), style_(style) {
  setRole(*this, "rail");
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  connect(this, &QToolButton::clicked, this, [this] { emit asked(!shown_); });
  style_.follow(this, [this] { updateGeometry(); });
}

void Rail::setPanel(const QString& name, bool shown) {
  shown_ = shown;
  setText(name);
  setAccessibleName(name);
  setAccessibleDescription(shown ? tr("shown") : tr("hidden"));
  setToolTip(shown ? tr("Fold the left panel (F7)") : tr("Unfold the left panel (F7)"));
  update();
}

QSize Rail::sizeHint() const { return {style_.px(kWidth), style_.px(160)}; }
QSize Rail::minimumSizeHint() const { return {style_.px(kWidth), style_.px(60)}; }

void Rail::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionToolButton option;
  initStyleOption(&option);
  option.text.clear();
  painter.drawComplexControl(QStyle::CC_ToolButton, option);
  const int icon = style_.iconSize(), gap = style_.px(8);
  style_.icon("side-left").paint(&painter, QRect((width() - icon) / 2, style_.px(10), icon, icon));
  painter.setPen(style_.palette().muted);
  painter.translate((width() - fontMetrics().height()) / 2, style_.px(10) + icon + gap);
  painter.rotate(90);
  const int length = height() - icon - 2 * style_.px(10) - gap;
  painter.drawText(QRect(0, -fontMetrics().height(), length, fontMetrics().height()),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideRight, length));
}

}  // namespace tfm::ui
