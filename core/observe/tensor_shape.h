// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace tfm::observe {

/// The logical shape of a tensor: heads x queries x keys for attention maps, rows for integers,
/// otherwise rows x cols. With several sequences, these come first where each has separate rows.
/// Throws Error if there is no tensor with that name.
std::vector<std::int64_t> tensorShape(const Program& program, std::string_view name);

}  // namespace tfm::observe
