// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <functional>

namespace tfm::ui {

/// A line for a value: once editing has ended, it shows the value that holds, never another text.
/// A text that cannot be read is refused then, and Return does nothing else.
class ValueLine : public QLineEdit {
  Q_OBJECT

 public:
  /// `readable`: whether a text can become the value. `shown`: the text of the value.
  ValueLine(std::function<bool(const QString&)> readable, std::function<QString()> shown,
            QWidget* parent = nullptr);

  void showValue() { setText(shown_()); }

 signals:
  /// Editing has ended with a text that can be read; the value is shown next.
  void done(const QString& typed);
  /// Editing has ended with another text; the value is shown again.
  void refused(const QString& typed);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void finish();

  const std::function<bool(const QString&)> readable_;
  const std::function<QString()> shown_;
};

}  // namespace tfm::ui
