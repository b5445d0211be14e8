// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <set>
#include <string>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/window/forward.h"

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QToolButton;

namespace tfm::ui {

/// Writes a lesson beside the window: its source, what is wrong with it, and the checks that fit
/// what was done in the window while it recorded.
class LessonEditor : public QDialog {
  Q_OBJECT

 public:
  LessonEditor(MainWindow& window, LessonGuide& guide, const Style& style, ModelDocument& document);

  /// A new lesson that begins with the open model and what the window shows. The lesson in the
  /// editor goes, after a question if it was edited.
  void begin();
  /// Edits a lesson file. Shows a message where it cannot be read.
  void openFile(const QString& path);
  const QString& path() const { return path_; }

  QPlainTextEdit& source() { return *source_; }
  QListWidget& mistakes() { return *mistakes_; }
  /// Checks that hold since the recording began.
  QListWidget& seen() { return *seen_; }
  QPushButton& recordButton() { return *record_; }
  QPushButton& addButton() { return *add_; }
  QPushButton& tryButton() { return *try_; }

  void reject() override;

 private:
  void take(const QString& path, const std::string& source);
  /// The line of the cursor, counted from 1.
  std::int64_t line() const;
  void goToLine(std::int64_t line);
  /// Replaces the source, as one edit that can be undone.
  void edit(const std::string& source);
  void point();
  void record(bool on);
  void addSeen();
  void tryPage();
  bool save();
  bool saveAs();
  /// Whether the source may go, asking if it was edited.
  bool mayGo();
  void showMistakes();
  std::set<std::string> holding() const;

  MainWindow& window_;
  LessonGuide& guide_;
  ModelDocument& document_;
  QString path_;                  ///< empty: none yet
  std::set<std::string> before_;  ///< checks that held when the recording began
  QPlainTextEdit* source_;
  QListWidget *mistakes_, *seen_;
  QLabel *state_, *verdict_;
  QToolButton* point_;
  QPushButton *record_, *add_, *try_;
};

}  // namespace tfm::ui
