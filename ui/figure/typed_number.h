// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace tfm::ui {

// The one way to read a number that somebody types: as in core/base/number_text.h, with blanks
// around it. A field that holds one number understands the decimal mark of the system's locale,
// too; thousands separators are never understood.

/// The decimal mark of the system's locale: "," in Germany. Numbers are shown with a point.
QString systemDecimalMark();

std::optional<std::int64_t> typedWhole(const QString& text);
std::optional<std::uint64_t> typedUnsigned(const QString& text);
std::optional<double> typedReal(const QString& text, const QString& mark = systemDecimalMark());

/// A word of a list whose items may be separated by commas: only the point is a decimal mark.
std::optional<double> listedReal(const QString& word);

/// What is wrong with a text that is no number: “0,5” is not a number, and what to do.
QString notANumber(const QString& text);
/// What to do about a text that is no number, if separators are the reason; else empty.
QString separatorHint(const QString& text);

}  // namespace tfm::ui
