// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/growth.h"
#include "core/io/fields.h"

namespace tfm::expand {

/// All fields of a growth except its constant and seed, bound to `growth`.
std::vector<io::Field> growthFields(Growth& growth);

}  // namespace tfm::expand
