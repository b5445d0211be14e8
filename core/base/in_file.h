// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/error.h"

namespace tfm {

/// What `read` gives. An Error that it throws names the file too: a field alone tells nobody which
/// of several files to correct.
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
