// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/growth/grown_cells.h"

class QWidget;

namespace tfm::ui {

class GrowthPair;
class Style;

/// The path with the ending that the chosen kind of film asks for ("mp4", "gif", or "" for a folder
/// of pictures). A name that was typed with the ending of another kind says more than the kind that
/// the dialog began with, which is mp4.
QString filmPath(const QString& path, const QString& ending);

/// Asks for a file and writes the growth of these matrices as a film (.mp4, .gif) or, without an
/// ending, as a folder of numbered pictures. Shows progress and can be cancelled. Throws Error
/// where it cannot be written.
void exportGrowth(QWidget& owner, const Style& style, const QString& title,
                  const std::vector<GrownCells>& matrices);

/// Asks for a file and writes the figure, or its numbers, by the ending: .pdf, .svg, .png, .csv.
/// Throws Error where it cannot be written.
void exportBeforeAfter(QWidget& owner, const GrowthPair& pair);

}  // namespace tfm::ui
