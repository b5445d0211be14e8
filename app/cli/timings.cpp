// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/timings.h"

#include "core/base/median.h"

namespace tfm::cli {

double Timings::median() const { return tfm::median(seconds_); }

}  // namespace tfm::cli
