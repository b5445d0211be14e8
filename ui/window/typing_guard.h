// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChar>
#include <QObject>
#include <cstdint>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Keeps single-key commands from firing while the user types. A click, Return, Esc, Tab, F1 to
/// F35, and keys with Ctrl or Alt end a text. Until then, all keys are text
/// - after a field was chosen or typed into, however it lost the focus,
/// - in quick succession after a key that was no command,
/// - in quick succession from the second character of a word: a letter or space right after another
///   letter or a digit. So of a text typed outside a field at most the first character is a
///   command, which in a word is none that trains.
class TypingGuard : public QObject {
  Q_OBJECT

 public:
  /// Watches the keys of `window` and its widgets.
  explicit TypingGuard(QWidget& window);

  /// Call for a key that nothing in the window has used.
  void wasUnused(const QKeyEvent& key);
  /// Replaces the clock, in milliseconds, for tests.
  void setClock(std::function<std::int64_t()> clock) { clock_ = std::move(clock); }

 signals:
  /// The first key of a text that is ignored was typed.
  void ignoring();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isText(const QKeyEvent& key) const;
  void typed();
  void endText();

  QWidget& window_;
  std::function<std::int64_t()> clock_;
  bool in_field_ = false;  ///< no one has left it on purpose
  bool text_ = false;      ///< what was typed at last_ is text
  std::int64_t last_ = 0;
  bool told_ = false;  ///< ignoring() was emitted for this text
  QChar word_;         ///< the letter or digit that was typed at word_at_; else null
  std::int64_t word_at_ = 0;
};

}  // namespace tfm::ui
