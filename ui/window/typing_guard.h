// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Keeps single-key commands from firing while the user types. Keys in quick succession are a run.
/// Once a key of a run went into a text field, or was no command, the run is text: the rest of it
/// triggers no commands. A pause, a click, Return, Esc, Tab, and keys with Ctrl or Alt end a run.
class TypingGuard : public QObject {
  Q_OBJECT

 public:
  /// Watches the keys of `window` and its widgets.
  explicit TypingGuard(QWidget& window);

  /// Call for a key that nothing in the window has used.
  void wasUnused(const QKeyEvent& key);
  /// Replaces the clock, in milliseconds, for tests.
  void setClock(std::function<std::int64_t()> clock) { clock_ = std::move(clock); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isText() const;
  void typed();

  QWidget& window_;
  std::function<std::int64_t()> clock_;
  bool text_ = false;  ///< the run so far is text
  std::int64_t last_ = 0;
};

}  // namespace tfm::ui
