// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QSpinBox;

namespace tfm::ui {

class Style;

/// A field for a whole number from `least` to `most`, in the face of numbers, that screen readers
/// hear as `name`.
QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value);

}  // namespace tfm::ui
