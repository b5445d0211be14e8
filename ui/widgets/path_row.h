// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The texts of a PathRow.
struct PathWords {
  QString name;
  QString meaning;  ///< its tooltip
  QString empty;    ///< shown while there is no path
  QString filter;   ///< of files, as QFileDialog takes it
};

/// A field for the path of a file or folder: typed, chosen in a dialog, or dropped. Problems with
/// the path are shown below it.
class PathRow : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { File, Folder, Either };

  PathRow(const Style& style, Kind kind, PathWords words, QWidget* parent = nullptr);

  QString path() const;
  /// Shows a path without a signal.
  void setPath(const QString& path);
  /// Sets the message below; empty for none.
  void setProblem(const QString& problem);
  QLineEdit& editor() { return *editor_; }
  QPushButton& chooseButton() { return *choose_; }
  QLabel& problem() { return *problem_; }

 signals:
  /// The user changed the path; empty: none.
  void chosen(const QString& path);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void take(const QString& path);
  void choose();
  void chooseFile();
  void chooseFolder();

  const Kind kind_;
  const PathWords words_;
  QString path_;
  QLineEdit* editor_;
  QPushButton* choose_;
  QLabel* problem_;
};

}  // namespace tfm::ui
