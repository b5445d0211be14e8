// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

#include "core/io/fields.h"

namespace tfm::ui {

/// A config's word for people: "rms_norm" is "RMSNorm", "learning_rate" is "Learning
/// rate". Goes through the translator (context "fields").
QString fieldWord(std::string_view word);

/// The field's sentence through the translator.
QString fieldMeaning(const io::Field& field);

/// The value a field holds now, as it is typed.
QString fieldValue(const io::Field& field);
/// The same in a form: a number that is not whole with six digits.
QString shownValue(const io::Field& field);

/// "Learning rate is abc. Allowed: a number from 0 to below 1000".
QString notAllowedText(const io::Field& field, const QString& typed);

/// Writes what was typed into the field if it is allowed; otherwise the field keeps its value.
/// Numbers are read in the user's locale and with a decimal point.
bool assignTyped(const io::Field& field, const QString& typed);

}  // namespace tfm::ui
