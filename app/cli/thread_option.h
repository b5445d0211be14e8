// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace tfm::cli {

/// Declares --threads. Default: one per core; results do not depend on it.
void addThreadsOption(CLI::App& options, int& threads);

}  // namespace tfm::cli
