// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/document/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Starts and cancels a study in the background; shows its progress and the remaining time.
class StudyControls : public QWidget {
  Q_OBJECT

 public:
  /// `words`: the button's text while no study runs.
  StudyControls(const Style& style, BackgroundStudy& study, const QString& words,
                QWidget* parent = nullptr);

  /// Sets whether the study can be started, and the text shown while none runs. `bad`: the text is
  /// an error message.
  void setIdle(bool possible, const QString& sentence, bool bad = false);
  /// Makes Start the default button.
  void setPrimary();
  QPushButton* button() const { return button_; }
  /// Cancels a running study.
  void cancel();

 signals:
  /// Start was clicked; connect this to start the study.
  void startRequested();

 private:
  void startOrCancel();
  void showState();

  BackgroundStudy& study_;
  const QString words_;
  QString sentence_;
  bool possible_ = true, bad_ = false, primary_ = false;
  QPushButton* button_;
  QProgressBar* progress_;
  QLabel* state_;
};

}  // namespace tfm::ui
