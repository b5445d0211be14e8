// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace tfm::ui {

class Style;

/// A row of buttons of which one is down: Score | Scaled | Masked | Softmax. One stop for Tab; the
/// arrow keys choose.
class Segmented : public QWidget {
  Q_OBJECT

 public:
  /// The first choice is down. There is at least one.
  Segmented(const Style& style, const QStringList& choices, QWidget* parent = nullptr);

  /// -1 where none is down.
  int current() const;
  /// Presses `choice`, with the signal if it is another one.
  void setCurrent(int choice);
  /// Lets none be down, without a signal: what is shown is none of the choices.
  void clearCurrent();
  void setChoiceText(int choice, const QString& text);
  void setChoiceToolTip(int choice, const QString& text);
  void setChoiceEnabled(int choice, bool enabled);
  void setChoiceVisible(int choice, bool visible);

 signals:
  void currentChanged(int choice);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void updateSizes();

  const Style& style_;
  QButtonGroup* group_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
