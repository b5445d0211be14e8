// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/style/palette.h"

namespace tfm::ui {

/// Something that happened at a step: an expansion, a new learning rate, a checkpoint.
struct PlotFlag {
  double step = 0;
  QString text;
  /// The role of its colour, so that it changes with the theme.
  QColor Palette::*colour = &Palette::accent;
};

}  // namespace tfm::ui
