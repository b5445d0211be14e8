// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/thread_option.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <thread>

namespace tfm::cli {

void addThreadsOption(CLI::App& options, int& threads) {
  constexpr int kMaxThreads = 256;
  threads = std::clamp(int(std::thread::hardware_concurrency()), 1, kMaxThreads);
  options.add_option("--threads", threads, "Number of threads; results do not depend on it")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads));
}

}  // namespace tfm::cli
