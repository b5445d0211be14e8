// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class CornerMenu;
class ExplanationPane;
class Figure;
class Items;
class PartMarks;

}  // namespace tfm::ui
