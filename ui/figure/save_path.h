// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

struct SaveQuestion {
  QString title;     ///< of the dialog
  QString proposal;  ///< a path or a file name
  QString filters;   ///< as QFileDialog takes them
};

/// Appends `.ending` to the path unless it already ends in it: "v1.2" becomes "v1.2.csv".
QString withEnding(const QString& path, const QString& ending);

/// A title as a file name: words of letters and digits joined by dashes, at most 80 characters.
QString fileNameFor(const QString& title);

/// Asks for the path of a file to write; "" if the user cancels. `complete` makes the final path
/// from the typed one and the chosen filter. Never returns an existing file without asking: a file
/// dialog asks only about the name as typed, so this asks about a name changed by `complete`, and
/// for another path if the user keeps the file.
QString askSavePath(
    QWidget* parent, SaveQuestion question,
    const std::function<QString(const QString& typed, const QString& filter)>& complete);
/// For files with one extension.
QString askSavePath(QWidget* parent, SaveQuestion question, const QString& ending);

/// Shows where something was saved: through a QStatusTipEvent to the window of `by`, or as a
/// tooltip at `by` if its window does not handle that.
void notifySaved(QWidget& by, const QString& path);

}  // namespace tfm::ui
