// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class ControlImages;
struct Palette;
class Style;

}  // namespace tfm::ui
