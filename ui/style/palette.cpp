// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/style/oklab.h"

namespace tfm::ui {
namespace {

// Roles are Paul Tol's hues, lightened on dark and darkened on light until their contrast with
// ground, panel and raised is 4.5, enough for text. Series are his hues with lightness spread until
// colour-blind people can distinguish them; their contrast is 3, enough for lines.
const Palette kDark = {
    .ground = "#0f1522",
    .panel = "#151d2d",
    .raised = "#1b2538",
    .line = "#27334a",
    .text = "#e8edf6",
    .muted = "#8e9cb5",
    .accent = "#a99bff",
    .mark = "#f2c14e",
    .good = "#46c08a",
    .bad = "#ef6461",
    .negative = "#f08b3c",
    .zero = "#222d42",
    .positive = "#3f97e0",
    .query = "#4ba3e3",
    .key = "#ee7733",
    .value = "#2bb5a4",
    .output = "#cf7fc4",
    .series = {"#5aa9ff", "#ff9347", "#37ffb3", "#ff80b0", "#7ce5fd", "#af7b57", "#b962b4"},
};

const Palette kLight = {
    .ground = "#f3f5f9",
    .panel = "#ffffff",
    .raised = "#f7f9fc",
    .line = "#dbe2ec",
    .text = "#1a2333",
    .muted = "#5e6c84",
    .accent = "#5a48d0",
    .mark = "#b98300",
    .good = "#1c8f5f",
    .bad = "#c93a37",
    .negative = "#d96a11",
    .zero = "#eceff4",
    .positive = "#0877bd",
    .query = "#0072b4",
    .key = "#b5500d",
    .value = "#00786c",
    .output = "#aa4499",
    .series = {"#1f6fd6", "#d76600", "#029884", "#b5262d", "#0a6479", "#75090e", "#620077"},
};

// Signed values start from black here as in kDark: cells then differ as much as they can.
const Palette kHighContrast = {
    .ground = "#000000",
    .panel = "#000000",
    .raised = "#1a1a1a",
    .line = "#ffffff",
    .text = "#ffffff",
    .muted = "#d9d9d9",
    .accent = "#c6baff",
    .mark = "#ffd84d",
    .good = "#5fe3a1",
    .bad = "#ff9a94",
    .negative = "#ffa34d",
    .zero = "#101010",
    .positive = "#6bbcff",
    .query = "#66c2ff",
    .key = "#ffa366",
    .value = "#4fe0cc",
    .output = "#f0a8e6",
    .series = {"#66c2ff", "#ff8c1b", "#b2ffd9", "#ff8183", "#90e6ff", "#feb496", "#db97c7"},
};

}  // namespace

const Palette& palette(Theme theme) {
  return *std::array{&kDark, &kLight, &kHighContrast}.at(std::size_t(theme));
}

const Palette& paperPalette() { return kLight; }

QColor signedColor(const Palette& palette, double value, double limit) {
  if (!(limit > 0) || std::isnan(value)) return palette.zero;
  const double share = std::min(std::abs(value) / limit, 1.0);
  return mixOklab(palette.zero, value < 0 ? palette.negative : palette.positive, share);
}

QColor readableOn(const QColor& background) {
  return contrast(background, Qt::black) >= contrast(background, Qt::white) ? Qt::black : Qt::white;
}

QColor disabledText(const Palette& palette) { return mixOklab(palette.panel, palette.muted, 0.7); }

}  // namespace tfm::ui
