// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <vector>

namespace tfm::ui {

/// What matrices of A − B show, and which of them have cells that B has not: "Step 30 minus step
/// 20: ... Grey cells of 3 matrices have no partner in B: encoder layer 1, feed forward: ...".
QString differenceSentence(std::int64_t step, std::int64_t minus_step,
                           const std::vector<std::string>& unpaired);

}  // namespace tfm::ui
