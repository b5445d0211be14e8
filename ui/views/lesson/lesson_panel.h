// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "core/lesson/live_values.h"
#include "core/lesson/progress.h"
#include "ui/views/lesson/lesson_question.h"
#include "ui/views/lesson/weight_steps.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

class QScrollArea;
class QTextBrowser;
class QToolButton;

namespace tfm::ui {

/// One page of a lesson beside the picture: its text with live values, what to predict, to do and
/// to answer, and what is done. It asks the checks of the page a few times a second, so that a deed
/// closes a step by itself, however it is done.
class LessonPanel : public View {
  Q_OBJECT

 public:
  LessonPanel(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// Begins where `progress` left off.
  void open(const lesson::Lesson& lesson, lesson::Progress progress);
  const lesson::Lesson& lesson() const { return lesson_; }
  const lesson::Progress& progress() const { return progress_; }
  /// Of the same lesson, at the same page.
  void setProgress(const lesson::Progress& progress);
  /// Shown beside the page number; empty: none.
  void setClock(const QString& time);
  /// The open page; call after open().
  const lesson::Page& page() const { return lesson_.pages[std::size_t(progress_.page)]; }
  const lesson::PageProgress& pageProgress() const;
  void goTo(std::int64_t page);
  /// Scrolls the text if there is more of it, else goes to the next page (1) or back (-1).
  void turn(int pages);
  /// Asks the checks now.
  void look();

  /// Calls `use` with what checks and live values see now.
  void withSource(const std::function<void(const lesson::ValueSource&)>& use) const;

  LessonQuestion& prediction() { return *prediction_; }
  LessonQuestion& question() { return *question_; }

 signals:
  void pageOpened();
  /// progress() changed.
  void advanced();
  void closeAsked();
  void linkClicked(const QUrl& link);

 protected:
  Need need() const override;
  void shown() override { timer_.start(); }
  void hidden() override { timer_.stop(); }

 private:
  lesson::PageProgress& now() { return progress_.pages[std::size_t(progress_.page)]; }
  void addHint();
  /// Shows the page with what is known now.
  void render(const lesson::ValueSource& source);
  void renderQuestions(const lesson::ValueSource& source);

  const Style& style_;
  ModelDocument& document_;
  lesson::Lesson lesson_;
  lesson::Progress progress_;
  QString shown_;  ///< the text, as Markdown
  QTimer timer_;
  WeightSteps steps_;
  QScrollArea* page_;
  ElidedLabel* name_;
  QLabel *clock_, *place_, *title_;
  QToolButton* close_;
  QTextBrowser* text_;
  LessonQuestion *prediction_, *question_;
  QFrame* deed_;
  QLabel *sign_, *deed_text_;
  QPushButton *hint_, *back_, *next_;
};

}  // namespace tfm::ui
