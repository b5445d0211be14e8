// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <functional>

namespace tfm::ui {

class Style;

/// Drives a growth from 0 to 1 in about a second, slow at both ends. Without motion in the style it
/// jumps to the end.
class GrowthAnimation : public QObject {
  Q_OBJECT

 public:
  /// `show` is called with the progress: first 0, last 1.
  GrowthAnimation(const Style& style, std::function<void(double)> show, QObject* parent = nullptr);

  /// From the beginning; a running one starts again.
  void start();
  /// To the end at once: any action does this to what still moves.
  void finish();
  bool isRunning() const;
  void setDuration(int milliseconds);

 signals:
  /// The end is shown, by itself or by finish().
  void finished();

 private:
  const Style& style_;
  std::function<void(double)> show_;
  QVariantAnimation animation_;
};

}  // namespace tfm::ui
