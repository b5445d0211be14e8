// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/report/report.h"

namespace tfm::ui {

/// Writes a report on pages of A4: answers, then each figure with its caption and note. Pictures
/// stay vectors. Throws Error.
void writePdf(const report::Report& report, const QString& path);

}  // namespace tfm::ui
