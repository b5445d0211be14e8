// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class ControlImages;
struct Palette;
class Style;
class WithoutSheet;

}  // namespace tfm::ui
