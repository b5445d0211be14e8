// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace tfm::ui {

/// The item of `count` that a key leads to from `current` (-1: none): arrow keys, Home and End
/// walk, Esc leaves the items. Nullopt for other keys, and for Esc outside of the items.
std::optional<int> itemAfterKey(int key, int current, int count);
/// Whether the key confirms the current item: Return, Enter, Space.
bool isConfirmKey(int key);

}  // namespace tfm::ui
