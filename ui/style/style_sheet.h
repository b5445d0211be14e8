// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/style/forward.h"

namespace tfm::ui {

/// resources/style.qss with names replaced by the palette's colours and units by scaled pixels.
/// Throws std::logic_error for an unknown name.
QString styleSheet(const Style& style, const ControlImages& images);

}  // namespace tfm::ui
