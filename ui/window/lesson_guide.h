// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <vector>

#include "core/document/window_state.h"
#include "core/lesson/progress.h"
#include "core/report/report.h"
#include "ui/document/forward.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/window/forward.h"
#include "ui/window/lesson_locks.h"

namespace tfm::ui {

/// Leads through a lesson in the main window: opens its start, the screen of each page and what the
/// page points at, and keeps how far one is.
class LessonGuide : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this. `window` lays the panel out.
  LessonGuide(MainWindow& window, Zones& zones, TransportBar& transport, const Style& style,
              ModelDocument& document, Settings& settings);

  /// What the screens show in a new window: a lesson begins with it.
  void setFresh(train::WindowState fresh) { fresh_ = std::move(fresh); }
  /// Opens a lesson where it was left, asking first if its start replaces the open model. Shows a
  /// message and returns false where it cannot be opened or has mistakes.
  bool open(const QString& path);
  /// Opens it anew at a page, counted from 0, as its author tries it.
  bool tryOut(const QString& path, std::int64_t page);
  /// Goes on with a lesson that was handed in, on the model that was handed in with it.
  void goOn(const report::LessonAnswers& answers, train::Document document);
  void close();
  /// Of the open lesson; empty: none.
  const QString& path() const { return path_; }
  bool isOpen() const;
  /// The open lesson and how far one is in it, without a model.
  report::LessonAnswers answers() const;
  LessonPanel& panel() { return *panel_; }
  /// Why the open lesson does not allow a part of a screen or a command; empty: it does.
  QString whyLocked(const QString& name) const { return locks_->why(name); }
  /// Whether it locks something, screens included.
  bool isLocked() const;
  /// Whether the password is that of the lesson; then nothing of it is locked any more.
  bool unlock(const QString& password);
  /// Asks for the password; false: the user gave up.
  bool askToUnlock();
  /// A lesson with a password asks for it, an exam whether to leave.
  void closeAfterAsking();

  /// The lessons that come with the program: paths and titles.
  struct Row {
    QString path, title;
  };
  static std::vector<Row> shipped();
  /// The widget that a row of lesson::targets() names; null if it is not there.
  QWidget* targetWidget(std::size_t target) const;

 signals:
  void opened(bool is_open);
  void unlocked();
  /// A locked part was used.
  void refused(const QString& name);
  void examRunning(bool is_running);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// `progress`: where to begin; null: where it was left.
  bool open(const QString& path, const lesson::Progress* progress);
  /// Shows a lesson with its model. `path`: where its progress is kept.
  void begin(const QString& path, std::string text, train::Document document,
             lesson::Progress progress);
  void openPage();
  void point();
  void lock();
  bool mayClose();

  MainWindow& window_;
  Zones& zones_;
  TransportBar& transport_;
  const Style& style_;
  ModelDocument& document_;
  Settings& settings_;
  LessonPanel* panel_;
  LessonLocks* locks_;
  LessonExam* exam_;
  bool unlocked_ = false;
  QPointer<PartMarks> marks_;
  train::WindowState fresh_;
  QString path_;
  std::string text_;        ///< of the open lesson
  QByteArray usual_zones_;  ///< to restore when the lesson is closed
};

}  // namespace tfm::ui
