// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

enum class MessageKind { Error, Warning, Good };

/// A message: what happened, where, and what to do about it. The last two may be empty.
struct Message {
  MessageKind kind = MessageKind::Error;
  QString what = {};
  QString where = {};
  QString hint = {};
  QString action = {};  ///< text of a button that helps, e.g. "Open another file"; empty for none
  std::function<void()> onAction = {};  ///< called when it is pressed, after the bar was closed
};

/// A non-modal bar for messages; hidden while there is none. Good news has two lines at most, and
/// the rest in tooltips, so that it covers nothing; other messages are shown in full.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(const Style& style, QWidget* parent = nullptr);

  /// Replaces the previous message.
  void showMessage(const Message& message);
  void showError(const Error& error);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void updateLook();

  const Style& style_;
  Message message_;
  QLabel* sign_;
  QLabel* what_;
  QLabel* details_;
  ElidedLabel *news_, *more_;  ///< in their place, for good news
  QPushButton* action_;
  QToolButton* close_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
