// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

#include "ui/style/forward.h"

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace tfm::ui {

/// A section of a page of the manual: the text from one heading to the next.
struct ManualSection {
  QString page;     ///< "models.md"
  QString title;    ///< of the page
  QString heading;  ///< empty for what comes before the first heading below the title
  QString text;     ///< with the heading
};

/// The sections of the pages of docs/, in the order of the list.
const std::vector<ManualSection>& manualSections();

/// The pages of docs/ with their pictures. Typing lists the sections that have all the words;
/// choosing one goes there and marks them. Not modal.
class Manual : public QDialog {
  Q_OBJECT

 public:
  explicit Manual(const Style& style, QWidget* parent = nullptr);

  /// Goes to a page or to a heading of it: "models.md", "using-the-window.md#train-1".
  void open(const QString& place);

  QLineEdit& words() { return *words_; }
  /// The pages, or the sections that were found.
  QListWidget& list() { return *list_; }
  QTextBrowser& text() { return *text_; }

 private:
  void fillList();
  void openChosen();
  void markWords();

  QLineEdit* words_;
  QListWidget* list_;
  QTextBrowser* text_;
};

}  // namespace tfm::ui
