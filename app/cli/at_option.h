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

}  // namespace tfm::cli
