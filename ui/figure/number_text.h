// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

// Numbers for reading on screen, in the user's locale. Files get fullPrecision() instead.

/// `value` with three significant digits, trailing zeros kept so that live numbers do not jump
/// ("0.500", "4.10", "1,284"). Says so when it is not a number.
QString shortNumber(double value);

/// `value` as the label of a tick: like shortNumber() without trailing zeros ("0.5").
QString tickNumber(double value);

/// A training step: grouped digits, no decimals ("1,284").
QString stepNumber(double step);

/// `value` with a fixed number of decimals, so that columns line up and live numbers do not jump.
/// Three digits and an exponent where it would take too many ("1.05e15"). Says so when it is not a
/// number.
QString fixedNumber(double value, int decimals);

/// "10⁻⁷".
QString powerOfTenText(int power);

/// Decimals with which numbers up to `limit` show three digits, at most `most`.
int decimalsFor(double limit, int most = 6);

}  // namespace tfm::ui
