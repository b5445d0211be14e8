// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace tfm::ui {

struct SaveQuestion {
  QString title;     ///< of the dialog
  QString proposal;  ///< a path or a file name
  QString filters;   ///< as QFileDialog takes them
};

/// The path, ended in `.ending` unless it is already: "v1.2" becomes "v1.2.csv".
QString withEnding(const QString& path, const QString& ending);

/// A title as a file name: letters and digits with dashes between, whole words as far as they fit
/// into 80 characters.
QString fileNameFor(const QString& title);

/// Asks for the path of a file to write; "" where the user gives up. `complete` makes the final
/// path of what was typed and the chosen filter. No existing file is returned unasked: a file
/// dialog only asks about the name as it was typed, so one that `complete` leads to is asked about
/// here, and who keeps it is asked for another path.
QString askSavePath(
    QWidget* parent, SaveQuestion question,
    const std::function<QString(const QString& typed, const QString& filter)>& complete);
/// For files of one ending.
QString askSavePath(QWidget* parent, SaveQuestion question, const QString& ending);

/// Says where something was saved: in the window of `by`, which hears it as a QStatusTipEvent, or
/// beside `by` where its window takes none.
void tellSaved(QWidget& by, const QString& path);

}  // namespace tfm::ui
