// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm::ui {

/// A duration in its two largest units: "8 s", "2 min 5 s", "3 h 10 min".
QString durationText(double seconds);

}  // namespace tfm::ui
