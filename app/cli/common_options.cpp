// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common_options.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <thread>

namespace tfm::cli {

void addThreadsOption(CLI::App& options, int& threads) {
  constexpr int kMaxThreads = 256;
  threads = std::clamp(int(std::thread::hardware_concurrency()), 1, kMaxThreads);
  addNumber(options, "--threads", threads, 1, kMaxThreads,
            "Number of threads; results do not depend on it");
}

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

CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty) {
  CLI::Option* beam =
      app.add_option("--beam", beams, "Beam search with this many answers at a time; 1: greedy")
          ->type_name("N")
          ->check(CLI::Range(1, 1000));
  addNumber(app, "--length-penalty", length_penalty, 0.0, 10.0,
            "Exponent by which beam search favours long answers (Wu et al. 2016); 0: none")
      ->needs(beam);
  return beam;
}

}  // namespace tfm::cli
