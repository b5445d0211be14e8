// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QSpinBox;

namespace tfm::ui {

class Style;

/// Makes a spin box from `least` to `most` in the number font, with the accessible name `name`.
QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value);

}  // namespace tfm::ui
