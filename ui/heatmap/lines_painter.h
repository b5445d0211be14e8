// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/lines_layout.h"

class QPainter;

namespace tfm::ui {

/// What stands out among the tokens.
struct LinesMarks {
  std::optional<Token> hovered;
  std::optional<Token> locked;

  const std::optional<Token>& shown() const { return locked ? locked : hovered; }
};

/// The lines of the token that is shown, or of all tokens. Masked pairs have none.
void paintLines(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                const std::optional<Token>& token, const Palette& palette);
/// The same for the screen, as an image.
void paintLinesFast(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const std::optional<Token>& token, const Palette& palette);
/// Both columns of tokens with their titles; the weights of the shown token beside the others.
void paintTokens(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                 const LinesMarks& marks, const Style& style, const Palette& palette);
/// One line of words below the tokens.
void paintLinesNote(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const QString& note, const Palette& palette);

}  // namespace tfm::ui
