// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tfm::cli {

/// Returns make(). An Error thrown by it gets `option` as its place; with `place`, only an Error at
/// that place.
template <class Make>
auto atOption(const std::string& option, const Make& make, std::string_view place = {}) {
  try {
    return make();
  } catch (const Error& problem) {
    if (!place.empty() && problem.where() != place) throw;
    throw Error(problem.problem(), option, problem.hint());
  }
}

/// Returns make(). An Error about a growth gets `source`, the option or file that defines it, as
/// its place.
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
