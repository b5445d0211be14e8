// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tfm::cli {

/// Declares --beam, which is returned, and --length-penalty, which needs it.
CLI::Option* addBeamOptions(CLI::App& app, std::optional<std::int64_t>& beams,
                            double& length_penalty);

}  // namespace tfm::cli
