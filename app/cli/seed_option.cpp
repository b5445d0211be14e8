// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/seed_option.h"

#include <CLI/App.hpp>
#include <charconv>
#include <string>

namespace tfm::cli {

void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set) {
  const auto read = [set](const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, seed);
    if (problem != std::errc() || stopped != end)
      throw CLI::ValidationError("--seed", text + " is not a whole number from 0 to 2^64 - 1");
    set(seed);
  };
  options.add_option_function<std::string>("--seed", read, meaning)->type_name("N");
}

}  // namespace tfm::cli
