// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/motion.h"

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kDuration = 1100;  // milliseconds

}  // namespace

Motion::Motion(const Style& style, std::function<void(double)> show, QObject* parent)
    : QObject(parent), style_(style), show_(std::move(show)) {
  animation_.setStartValue(0.0);
  animation_.setEndValue(1.0);
  animation_.setEasingCurve(QEasingCurve::InOutSine);
  animation_.setDuration(kDuration);
  connect(&animation_, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& value) { show_(value.toDouble()); });
  connect(&animation_, &QVariantAnimation::finished, this, &Motion::finished);
}

void Motion::start() {
  animation_.stop();
  show_(0.0);
  if (style_.motion()) return animation_.start();
  show_(1.0);
  emit finished();
}

void Motion::finish() {
  if (!isRunning()) return;
  animation_.stop();
  show_(1.0);
  emit finished();
}

bool Motion::isRunning() const { return animation_.state() == QAbstractAnimation::Running; }

void Motion::setDuration(int milliseconds) { animation_.setDuration(milliseconds); }

}  // namespace tfm::ui
