// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>

class QKeyEvent;
class QWidget;

namespace tfm::ui {

/// Keeps commands of a single key from firing while somebody types. Keys that follow each other
/// without a pause are a run. Once a key of a run went into a text field, or no command had a use
/// for it, the run is text: what of it reaches no text field does nothing. A pause, a click,
/// Return, Esc, Tab, and keys with Ctrl or Alt end a run.
class TypingGuard : public QObject {
  Q_OBJECT

 public:
  /// Watches the keys of `window` and what is in it.
  explicit TypingGuard(QWidget& window);

  /// Nobody in the window had a use for this key.
  void wasUnused(const QKeyEvent& key);
  /// Milliseconds since any moment; at first a clock of its own.
  void setClock(std::function<std::int64_t()> clock) { clock_ = std::move(clock); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isText() const;
  void typed();

  QWidget& window_;
  std::function<std::int64_t()> clock_;
  bool text_ = false;  ///< the run so far
  std::int64_t last_ = 0;
};

}  // namespace tfm::ui
