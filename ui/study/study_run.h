// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace tfm::ui {

class BackgroundStudy;
class Style;

/// Start and Cancel of a study in the background, its progress and the time that is left.
class StudyRun : public QWidget {
  Q_OBJECT

 public:
  /// `words` stand on the button while nothing runs.
  StudyRun(const Style& style, BackgroundStudy& study, const QString& words,
           QWidget* parent = nullptr);

  /// Whether it can be started, and what is said while nothing runs; `bad`: of something that
  /// failed.
  void setIdle(bool possible, const QString& sentence, bool bad = false);
  /// Makes Start the thing to do here: in its colour, and for Enter.
  void setPrimary();
  QPushButton* button() const { return button_; }
  /// Asks a study that runs to end, once.
  void cancel();

 signals:
  /// Start was clicked: whoever hears it starts the study.
  void startAsked();

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
