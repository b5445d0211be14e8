// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <functional>

#include "core/report/report.h"
#include "ui/document/forward.h"
#include "ui/figure/figure.h"
#include "ui/style/forward.h"
#include "ui/window/forward.h"

namespace tfm::ui {

/// The report that a student makes in the window: takes figures with the model that they show,
/// keeps it over restarts, and opens what is in it again.
class ReportDesk : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this. `kept`: the file that keeps the report over restarts.
  ReportDesk(MainWindow& window, const Style& style, ModelDocument& document, LessonGuide& lessons,
             const QString& kept);
  ~ReportDesk() override;

  /// See ReportHost. Pauses training, so that figure and model are of one step.
  void add(QWidget& view, const Figure& figure, const std::function<report::Source()>& source);
  /// Opens a report in place of this one, after a question if this one was not saved. Shows a
  /// message and returns false where it cannot be read.
  bool open(const QString& path);
  /// The report as a list to edit and save.
  void show();
  ReportDialog& dialog();
  /// A figure's computation is going on.
  bool isBusy() const { return busy_ > 0; }

  const report::Report& report() { return own(); }
  /// Changes title, author, notes, or the order and number of figures.
  void edit(const std::function<void(report::Report&)>& change);
  /// Begins an empty one, after a question if this one was not saved.
  void clear();
  /// Opens the model of a figure as it was shown, or that of the answers with their lesson.
  void showAgain(std::size_t item);
  void continueLesson();
  /// Whether a lesson is open, whose answers a saved report then has.
  bool hasLesson() const;

  /// Saves it as .html, with its models, or as .pdf to print. Shows a message and returns false
  /// where it cannot be saved.
  bool save(const QString& path);

 signals:
  void changed();

 private:
  /// The report, read when it is first asked for: it may be large.
  report::Report& own();
  void take(QWidget& view, const Figure& figure, const report::Source& source);
  /// With the answers to the open lesson, if any.
  report::Report complete();
  /// Whether the user lets it go.
  bool mayGo();
  void setReport(report::Report report);
  /// Writes what is kept over restarts.
  std::optional<Error> keep() const;

  MainWindow& window_;
  const Style& style_;
  ModelDocument& document_;
  LessonGuide& lessons_;
  QString kept_;
  QPointer<ReportDialog> dialog_;
  report::Report report_;
  QTimer keeping_;  ///< what is being typed is written once a pause
  bool loaded_ = false, saved_ = true;
  int busy_ = 0;
};

}  // namespace tfm::ui
