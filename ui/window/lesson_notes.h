// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/style/forward.h"
#include "ui/views/forward.h"

class QTextBrowser;

namespace tfm::ui {

/// For the teacher: the notes of the open page of a lesson, its answers, and what comes next. Opens
/// on another screen than the window where there is one.
class LessonNotes : public QDialog {
  Q_OBJECT

 public:
  /// `panel` must outlive it.
  LessonNotes(const Style& style, LessonPanel& panel, QWidget* window);

  QTextBrowser& text() { return *text_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void render();

  LessonPanel& panel_;
  QTextBrowser* text_;
};

}  // namespace tfm::ui
