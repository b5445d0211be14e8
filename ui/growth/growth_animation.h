// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <functional>

namespace tfm::ui {

class Style;

/// Animates a growth from 0 to 1 in about a second, with easing. Jumps to the end if the style has
/// motion off.
class GrowthAnimation : public QObject {
  Q_OBJECT

 public:
  /// `show` is called with the progress: first 0, last 1.
  GrowthAnimation(const Style& style, std::function<void(double)> show, QObject* parent = nullptr);

  /// Starts, or restarts, from the beginning.
  void start();
  /// Jumps to the end; any user action does this.
  void finish();
  bool isRunning() const;
  void setDuration(int milliseconds);

 signals:
  /// The end was reached, by itself or through finish().
  void finished();

 private:
  const Style& style_;
  std::function<void(double)> show_;
  QVariantAnimation animation_;
};

}  // namespace tfm::ui
