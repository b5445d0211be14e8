// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tfm::cli {

/// What `make` gives. An Error that it throws is at `option`, where the user has to look; with
/// `place` only an Error that names that place.
template <class Make>
auto atOption(const std::string& option, const Make& make, std::string_view place = {}) {
  try {
    return make();
  } catch (const Error& problem) {
    if (!place.empty() && problem.where() != place) throw;
    throw Error(problem.problem(), option, problem.hint());
  }
}

/// What `make` gives. A growth that it refuses is at `source`, the option or the file that says
/// what grows; what memory cannot hold is not.
template <class Make>
auto atGrowth(const std::string& source, const Make& make) {
  try {
    return make();
  } catch (const Error& problem) {
    if (!problem.where().starts_with("growing ")) throw;
    throw Error(problem.problem(), source + ": " + problem.where(), problem.hint());
  }
}

}  // namespace tfm::cli
