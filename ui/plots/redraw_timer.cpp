// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/redraw_timer.h"

#include <QWidget>
#include <algorithm>

namespace tfm::ui {
namespace {

constexpr qint64 kInterval = 67;  // milliseconds: 15 Hz

}  // namespace

RedrawTimer::RedrawTimer(const QWidget& widget, std::function<void()> redraw)
    : widget_(widget), redraw_(std::move(redraw)) {
  timer_.setSingleShot(true);
  timer_.callOnTimeout([this] { fire(); });
}

void RedrawTimer::request() {
  if (!widget_.isVisible() || timer_.isActive()) return;
  const qint64 rest = since_last_.isValid() ? kInterval - since_last_.elapsed() : 0;
  timer_.start(int(std::max<qint64>(rest, 0)));
}

void RedrawTimer::fire() {
  if (!widget_.isVisible()) return;
  since_last_.start();
  redraw_();
}

}  // namespace tfm::ui
