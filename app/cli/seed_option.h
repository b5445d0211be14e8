// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace CLI {
class App;
}

namespace tfm::cli {

/// Declares --seed, an unsigned 64-bit integer; other numbers are rejected.
void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set);

}  // namespace tfm::cli
