// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace CLI {
class App;
}

namespace tfm::cli {

/// Declares --seed, a whole number of 64 bits: no other number is taken for one.
void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set);

}  // namespace tfm::cli
