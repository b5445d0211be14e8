// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <functional>

#include "ui/forward.h"
#include "ui/growth/animation_export.h"

namespace tfm::ui {

/// The path with the extension of the chosen kind of film ("mp4", "gif", or "" for a folder of
/// images). A typed extension of another kind overrides the dialog's default, which is mp4.
QString filmPath(const QString& path, const QString& ending);

/// Makes a painter of film frames of that size.
using FilmMaker = std::function<FramePainter(const QSize& frame)>;

/// Asks for a path and writes a film (.mp4, .gif) or, without an extension, a folder of numbered
/// images. Shows progress and can be cancelled. Returns the path; "" if cancelled. Throws Error if
/// writing fails.
QString exportFilm(QWidget& owner, const FilmMaker& film);

/// Asks for a path and writes the figure, or its numbers, depending on the extension: .pdf, .svg,
/// .png, .csv. Returns the path; "" if cancelled. Throws Error if writing fails.
QString exportBeforeAfter(QWidget& owner, const GrowthPair& pair);

}  // namespace tfm::ui
