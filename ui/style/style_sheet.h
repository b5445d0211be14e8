// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

class ControlImages;
class Style;

/// resources/style.qss with its names replaced by the palette's colours and its units by scaled
/// pixels. Throws std::logic_error for a name that does not exist.
QString styleSheet(const Style& style, const ControlImages& images);

}  // namespace tfm::ui
