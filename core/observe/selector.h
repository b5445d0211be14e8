// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tfm::observe {

/// Whether a tensor's name matches a pattern: '*' matches any characters, '?' any single one, and
/// commas separate alternatives. "*.probabilities" selects all attention maps.
bool selects(std::string_view pattern, std::string_view name);

}  // namespace tfm::observe
