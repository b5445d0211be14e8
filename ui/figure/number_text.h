// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace tfm::ui {

// Numbers for the screen. Like all numbers that are shown or written, they have a decimal point and
// no thousands separators: a thousand never reads like one, and what is shown can be typed. Files
// get fullPrecision() instead.

/// `value` with three significant digits, keeping trailing zeros so that live numbers do not jump
/// ("0.500", "4.10", "1284"). "not a number" for NaN.
QString shortNumber(double value);

/// `value` as the label of a tick: like shortNumber() without trailing zeros ("0.5").
QString tickNumber(double value);

/// A training step: no decimals ("1284").
QString stepNumber(double step);

/// `value` with a fixed number of decimals, so that columns line up and live numbers do not jump.
/// Large numbers get three digits and an exponent ("1.05e15"). "NaN" for NaN.
QString fixedNumber(double value, int decimals);

/// "10⁻⁷".
QString powerOfTenText(int power);

/// The number of decimals that gives numbers up to `limit` three digits, at most `most`.
int decimalsFor(double limit, int most = 6);

/// "84.2 %".
QString percentText(double share, int decimals = 1);

/// "accuracy", or "position accuracy" where it counts positions, not whole answers.
QString accuracyText(bool by_position);

/// A duration in its two largest units: "8 s", "2 min 5 s", "3 h 10 min".
QString durationText(double seconds);

/// Joins numbers for a file or a field: "16,32,64".
template <class Number>
QString joined(const std::vector<Number>& numbers, QChar between) {
  QStringList texts;
  for (const Number number : numbers) texts << QString::number(number);
  return texts.join(between);
}

}  // namespace tfm::ui
