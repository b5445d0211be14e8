// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tfm {

// The one way to read a number that somebody wrote: options, fields, tables, targets. The same in
// every locale: the decimal mark is the point, and there are no thousands separators. The whole
// text must be the number; surrounding blanks are the caller's, see withoutBlanks().

/// "12", "-3", "+07" (7: a leading zero does not mean octal). nullopt for anything else, and for
/// what does not fit into the type.
std::optional<std::int64_t> wholeNumberIn(std::string_view text);
/// The same for 0 to 2^64 - 1.
std::optional<std::uint64_t> unsignedNumberIn(std::string_view text);

/// "0.5", "+2.04", ".5", "5.", "1e-3": the nearest double, 0 for what is too small. nullopt for
/// anything else, "inf", "nan" and hexadecimal numbers included, and for what is too large.
std::optional<double> realNumberIn(std::string_view text);

/// The text without the spaces and tabs around it.
std::string_view withoutBlanks(std::string_view text);

}  // namespace tfm
