// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"
#include "ui/heatmap/lines_layout.h"

namespace tfm::ui {

/// Which tokens are highlighted.
struct LinesMarks {
  std::optional<Token> hovered;
  std::optional<Token> locked;

  const std::optional<Token>& shown() const { return locked ? locked : hovered; }
};

/// Paints the lines of `token`, or of all tokens. Masked pairs have none.
void paintLines(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                const std::optional<Token>& token, const Palette& palette);
/// The same for the screen, as an image.
void paintLinesFast(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const std::optional<Token>& token, const Palette& palette);
/// Paints both columns of tokens with their titles, and the weights of the shown token beside the
/// others.
void paintTokens(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                 const LinesMarks& marks, const Style& style, const Palette& palette);
/// Paints one line of text below the tokens.
void paintLinesNote(QPainter& painter, const HeatMap& map, const LinesLayout& layout,
                    const QString& note, const Palette& palette);

}  // namespace tfm::ui
