// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/lesson/progress.h"
#include "ui/views/forward.h"

class QWidget;

namespace tfm::ui {

/// A lesson as an exam: the window fills the screen, a clock runs, and each time in which another
/// program had the keyboard, or the lesson was closed, is recorded in the student's progress.
class LessonExam : public QObject {
  Q_OBJECT

 public:
  LessonExam(QWidget& window, LessonPanel& panel);

  /// Begins the open lesson, or goes on where it was left.
  void begin();
  void end();
  bool isRunning() const { return clock_.isActive(); }

 signals:
  void running(bool is_running);

 private:
  std::int64_t now() const;
  void tick();
  void watch(Qt::ApplicationState state);
  /// One was away since then, in seconds of the exam.
  void recordAbsence(std::int64_t since);

  QWidget& window_;
  LessonPanel& panel_;
  QTimer clock_;
  std::int64_t left_ = -1;  ///< when another program got the keyboard; -1: it has not
};

}  // namespace tfm::ui
