// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <array>

namespace tfm::ui {

enum class Theme { Dark, Light, HighContrast };

/// All colours of the program by role, each with one meaning: the accent, violet, is what one
/// operates or has pointed at; gold (`mark`) is locked and pinned; blue is data.
struct Palette {
  QColor ground, panel, raised, line, text, muted, accent, mark, good, bad;
  QColor negative, zero, positive;   ///< signed values: orange, neutral, blue
  QColor query, key, value, output;  ///< the parts of attention, the same on every screen
  std::array<QColor, 7> series;      ///< curves and runs, safe for colour-blind eyes
};

/// The colours of a theme.
const Palette& palette(Theme theme);
/// The default colours of exported figures: the light theme.
const Palette& paperPalette();

/// The colour of `share` in [0, 1] on cividis; values outside are clamped.
QColor cividis(double share);
/// The colour of `value` in [-limit, limit]: orange below zero, the neutral at zero, blue above.
QColor signedColor(const Palette& palette, double value, double limit);
/// Black or white, whichever is readable on `background`.
QColor readableOn(const QColor& background);
/// For text and icons of disabled controls: between muted text and panel.
QColor disabledText(const Palette& palette);

}  // namespace tfm::ui
