// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <functional>

#include "ui/growth/animation_export.h"

class QWidget;

namespace tfm::ui {

class GrowthPair;

/// The path with the ending that the chosen kind of film asks for ("mp4", "gif", or "" for a folder
/// of pictures). A name that was typed with the ending of another kind says more than the kind that
/// the dialog began with, which is mp4.
QString filmPath(const QString& path, const QString& ending);

/// Makes what paints the frames of a film of that size.
using FilmMaker = std::function<FramePainter(const QSize& frame)>;

/// Asks for a file and writes a film (.mp4, .gif) or, without an ending, a folder of numbered
/// pictures. Shows progress and can be cancelled. Returns what was written; "" where the user gave
/// up. Throws Error where it cannot be written.
QString exportFilm(QWidget& owner, const FilmMaker& film);

/// Asks for a file and writes the figure, or its numbers, by the ending: .pdf, .svg, .png, .csv.
/// Returns what was written; "" where the user gave up. Throws Error where it cannot be written.
QString exportBeforeAfter(QWidget& owner, const GrowthPair& pair);

}  // namespace tfm::ui
