// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/decimal_point.h"

#include <QLocale>
#include <clocale>

namespace tfm::ui {

void useDecimalPoint() {
  std::setlocale(LC_NUMERIC, "C");  // printf() and strtod()
  QLocale::setDefault(QLocale::c());
}

}  // namespace tfm::ui
