// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

/// `value` for the screen with a fixed number of decimals in the user's locale, so that columns
/// line up and live numbers do not jump. Says so when it is not a number.
QString fixedNumber(double value, int decimals);

/// Decimals with which numbers up to `limit` show three digits, at most six.
int decimalsFor(double limit);

}  // namespace tfm::ui
