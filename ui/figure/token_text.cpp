// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/token_text.h"

namespace tfm::ui {

QString visibleToken(const QString& token) {
  if (token.isEmpty()) return QStringLiteral("∅");
  QString seen = token;
  return seen
      .replace(QLatin1Char(' '), QChar(0x2423))    // open box
      .replace(QLatin1Char('\n'), QChar(0x21b5))   // return arrow
      .replace(QLatin1Char('\t'), QChar(0x21e5));  // tab arrow
}

}  // namespace tfm::ui
