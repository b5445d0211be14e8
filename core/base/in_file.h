// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/error.h"

namespace tfm {

/// Returns read(). Adds the name of the file to an Error thrown by it, since a field alone does not
/// say which file to correct.
template <class Read>
auto inFile(const std::string& file, const Read& read) {
  try {
    return read();
  } catch (const Error& problem) {
    if (problem.where().starts_with(file)) throw;
    throw Error(problem.problem(), file + (problem.where().empty() ? "" : ": ") + problem.where(),
                problem.hint());
  }
}

}  // namespace tfm
