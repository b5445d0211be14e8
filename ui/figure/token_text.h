// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

/// A token with visible signs for spaces, line breaks and emptiness.
QString visibleToken(const QString& token);

}  // namespace tfm::ui
