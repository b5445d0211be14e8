// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/desk.h"
#include "core/lesson/lesson.h"
#include "core/lesson/situation.h"

namespace tfm::lesson {

using Words = std::vector<std::string>;

/// A kind of check: how it is written, when it holds, and the deed that makes it hold, which
/// `lesson run` performs. The window's panel, `lesson check` and `lesson run` all ask this table.
struct CheckKind {
  std::string_view pattern;  ///< "held-out accuracy at least <number>"
  std::string_view meaning;
  bool (*holds)(const Situation& situation, const Words& words);
  void (*perform)(Desk& desk, const Words& words);
  /// Words with which it may hold now; null: all words that its slots can hold.
  std::vector<Words> (*seen)(const Situation& now) = nullptr;
};

std::span<const CheckKind> checkKinds();

/// The words that may stand in a slot of a pattern, such as "<number>".
struct Slot {
  std::string_view name;
  std::string_view allowed;  ///< for messages: "a number, such as 0.9"
};
std::span<const Slot> slotWords();

/// Reads a check. Throws Error saying what is wrong, with what would be understood; its place is
/// empty.
Check checkFromText(const std::string& text);

bool holds(const Check& check, const Situation& situation);
void perform(const Check& check, Desk& desk);

/// All checks that hold, as one writes them. What a deed has done is what holds after it and not
/// before.
std::vector<std::string> checksThatHold(const Situation& now);

}  // namespace tfm::lesson
