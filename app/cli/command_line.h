// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <memory>

#include "app/cli/verbs.h"

namespace tfm::cli {

/// The parser of transformarium-cli, with all verbs. Parsing sets `chosen` to the verb with its
/// options, and throws CLI::ParseError, and Error for the value of an option. `chosen` must outlive
/// it.
std::unique_ptr<CLI::App> makeParser(Action& chosen);

/// What the arguments ask for: a verb with its options, or to print the help or the version. Throws
/// Error for a wrong command line, which names the option and what is allowed.
Action actionFor(int argc, const char* const* argv);

}  // namespace tfm::cli
