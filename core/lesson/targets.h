// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tfm::lesson {

/// What a page can point at and a lesson can lock: a part of a screen by the name that F1 gives it,
/// or a command of the menu. A test of the window compares the table with its screens.
struct Target {
  std::string_view screen;  ///< empty: it is there with every screen; kMenu: a command
  std::string_view name;
};
inline constexpr std::string_view kMenu = "Menu";

std::span<const Target> targets();

/// "Attention, The large map" or "The large map": that of `screen` or, where this has none, of the
/// only screen that has it.
std::optional<std::size_t> targetNamed(std::string_view text, std::string_view screen = {});

/// The screens that lessons can open.
std::span<const std::string_view> screens();

}  // namespace tfm::lesson
