// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>
#include <vector>

#include "core/io/fields.h"

namespace tfm::ui {

/// The display text of a config's word: "rms_norm" is "RMSNorm", "learning_rate" is "Learning
/// rate". Translated (context "fields").
QString fieldWord(std::string_view word);

/// The translated meaning of a field.
QString fieldMeaning(const io::Field& field);

/// The current value of a field, as it would be typed.
QString fieldValue(const io::Field& field);
/// The same as shown in a form: reals with six digits, no limit instead of 0.
QString shownValue(const io::Field& field);

/// "Learning rate: “abc” is not accepted. Allowed: a number from 0 to below 1000".
QString notAllowedText(const io::Field& field, const QString& typed);

/// A message with the fields it names, such as context_length, as the form calls them.
QString withFieldWords(QString message, const std::vector<io::Field>& fields);

/// Whether typed text, read as typed_number.h says, is an allowed value of the field.
bool isAllowed(const io::Field& field, const QString& typed);

/// Assigns typed text to the field if it is allowed; otherwise the field keeps its value.
bool assignTyped(const io::Field& field, const QString& typed);

}  // namespace tfm::ui
