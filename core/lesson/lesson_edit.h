// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/document/window_state.h"

namespace tfm::lesson {

/// The source of a lesson to begin with, of one page.
/// `start`: as in its head. `shown`: what the window shows, which the page begins with.
std::string newLesson(const std::string& start, const train::WindowState& shown);

/// The place in Lesson::pages of the page at a line of the source, counted from 1; nullopt: none,
/// as in the head.
std::optional<std::size_t> pageAt(std::string_view source, std::int64_t line);

/// The source with another page after the one at a line.
std::string withPage(const std::string& source, std::int64_t line);

/// The source with a key in the block of the page at a line: replaced, or for check, point and
/// hints added to the list. Makes the block where there is none. Throws Error where there is no
/// page, and for an unknown key.
std::string withKey(const std::string& source, std::int64_t line, std::string_view key,
                    const std::string& value);

}  // namespace tfm::lesson
