// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariantAnimation>
#include <functional>

namespace tfm::ui {

class Style;

/// A movement from 0 to 1 with easing, of about a second, as that of a growth, or of another
/// duration. Jumps to the end if the style has motion off.
class Motion : public QObject {
  Q_OBJECT

 public:
  /// `show` is called with the progress: first 0, last 1.
  Motion(const Style& style, std::function<void(double)> show, QObject* parent = nullptr);

  /// Starts, or restarts, from the beginning.
  void start();
  /// Jumps to the end; any user action does this.
  void finish();
  /// Stays where it is.
  void stop() { animation_.stop(); }
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
