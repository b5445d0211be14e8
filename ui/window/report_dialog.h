// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/style/forward.h"
#include "ui/window/forward.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSvgWidget;

namespace tfm::ui {

/// The report as a list of figures: their order and notes, title and name, saving and opening.
class ReportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `desk` must outlive it.
  ReportDialog(const Style& style, ReportDesk& desk, QWidget* window);

  QListWidget& list() { return *list_; }
  QLineEdit& title() { return *title_; }
  QLineEdit& author() { return *author_; }
  QPlainTextEdit& note() { return *note_; }

 private:
  void render();
  void showItem();
  /// The chosen figure; -1: none.
  int chosen() const;
  void move(int by);
  void remove();
  void save(const QString& ending);
  void openChosen();

  const Style& style_;
  ReportDesk& desk_;
  QLineEdit *title_, *author_;
  QLabel *lesson_, *empty_, *caption_;
  QListWidget* list_;
  QSvgWidget* picture_;
  QPlainTextEdit* note_;
  QPushButton *again_, *go_on_, *up_, *down_, *remove_, *html_, *pdf_;
  bool rendering_ = false;
};

}  // namespace tfm::ui
