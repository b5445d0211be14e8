// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QString>
#include <QToolButton>

#include "ui/style/forward.h"

namespace tfm::ui {

/// Makes a spin box from `least` to `most` in the number font, with the accessible name `name`.
QSpinBox* numberBox(const Style& style, const QString& name, int least, int most, int value);

/// The same for numbers with two decimals.
QDoubleSpinBox* realBox(const Style& style, const QString& name, double least, double most);

/// Makes a button; `role` as for setRole().
QPushButton* pushButton(const QString& text, const QString& tip = {}, const char* role = "");

/// Makes a button with an icon, which Tab reaches but a click does not focus. `name`: what it does,
/// for the tooltip and screen readers.
QToolButton* iconButton(const Style& style, const QString& icon, const QString& name,
                        const char* role = "");

}  // namespace tfm::ui
