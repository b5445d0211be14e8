// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/fields.h"
#include "ui/figure/items.h"

namespace tfm::ui {

/// What a screen shows, as fields that a document keeps. Their texts stay readable, as `info`
/// prints them.

/// Whole numbers: "0, 2, 1".
io::TextSlot keptNumbers(std::vector<int*> numbers);
/// A cell: "1, 3"; empty: none.
io::TextSlot keptCell(std::optional<Cell>& cell);
/// Words without spaces, one after the other.
io::TextSlot keptWords(std::vector<std::string>& words);

}  // namespace tfm::ui
