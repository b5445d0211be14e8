// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace tfm::lesson {

/// The beginning of such a file, up to its heading; `style`: CSS after the common one. Ends with
/// "</body></html>".
std::string htmlHead(std::string_view title, std::string_view style = {});

/// A lesson as one HTML file to read, which needs no other file and no network. `pages`: with live
/// values in place of their words. Hints, answers and solutions are folded up.
std::string toHtml(const Lesson& lesson, std::span<const Page> pages);

}  // namespace tfm::lesson
