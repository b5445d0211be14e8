// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

/// A token as it can be seen: blanks, line ends and emptiness get a sign.
QString visibleToken(const QString& token);

}  // namespace tfm::ui
