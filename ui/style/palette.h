// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <array>

namespace tfm::ui {

enum class Theme { Dark, Light, HighContrast };

/// Every colour that the program draws with, by its role. Gold (`mark`) is selection and pins,
/// nothing else.
struct Palette {
  QColor ground, panel, raised, line, text, muted, accent, mark, good, bad;
  QColor negative, zero, positive;   ///< signed values: orange, neutral, blue
  QColor query, key, value, output;  ///< the roles of attention, the same on every screen
  std::array<QColor, 7> series;      ///< curves and runs, safe for colour-blind eyes
};

/// The colours of a theme.
const Palette& palette(Theme theme);
/// The colours of exported figures: always the light theme, unless asked.
const Palette& paperPalette();

/// The colour of `share` in [0, 1] on cividis; values outside are clamped.
QColor cividis(double share);
/// The colour of `value` in [-limit, limit]: orange below zero, the neutral at zero, blue above.
QColor signedColor(const Palette& palette, double value, double limit);
/// Black or white, whichever can be read on `background`.
QColor readableOn(const QColor& background);
/// Text and icons of what cannot be used now: between the muted text and the panel.
QColor disabledText(const Palette& palette);

}  // namespace tfm::ui
