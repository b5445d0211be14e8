// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/forward.h"

namespace tfm::ui {

/// Makes a spin box from `least` to `most` in the number font, with the accessible name `name`.
QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value);

}  // namespace tfm::ui
