// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace tfm::observe {

/// What the numbers of a tensor stand for, as sizes: heads x queries x keys for the maps of an
/// attention (before it all sequences, if there are several), rows x cols for all else. Throws
/// Error where there is no tensor of that name.
std::vector<std::int64_t> tensorShape(const Program& program, std::string_view name);

}  // namespace tfm::observe
