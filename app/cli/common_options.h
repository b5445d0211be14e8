// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace tfm::cli {

/// Declares an option for a number in a range. Its help shows the default.
template <class Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Number& number,
                       std::type_identity_t<Number> least, std::type_identity_t<Number> most,
                       const std::string& meaning) {
  return app.add_option(name, number, meaning)
      ->capture_default_str()
      ->type_name(std::is_integral_v<Number> ? "N" : "X")
      ->check(CLI::Range(least, most));
}

/// Declares --threads. Default: one per core; results do not depend on it.
void addThreadsOption(CLI::App& options, int& threads);

/// Declares --seed, an unsigned 64-bit integer; other numbers are rejected.
void addSeedOption(CLI::App& options, const char* meaning,
                   const std::function<void(std::uint64_t)>& set);

/// Declares --beam, which is returned, and --length-penalty, which needs it.
CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty);

}  // namespace tfm::cli
