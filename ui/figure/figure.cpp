// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure.h"

#include <QLocale>

namespace tfm::ui {

QString fullPrecision(double value) {
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace tfm::ui
