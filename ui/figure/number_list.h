// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace tfm::ui {

/// Joins numbers for a file or a field, independent of the locale: "16,32,64".
template <class Number>
QString joined(const std::vector<Number>& numbers, QChar between) {
  QStringList texts;
  for (const Number number : numbers) texts << QString::number(number);
  return texts.join(between);
}

}  // namespace tfm::ui
