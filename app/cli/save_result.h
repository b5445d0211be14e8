// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/guarded_output.h"
#include "app/cli/training_run.h"
#include "core/base/error.h"

namespace tfm::cli {

/// Where a trained model is.
struct Saved {
  std::string file;              ///< empty: nowhere
  std::optional<Error> problem;  ///< why it is not where it should be, and where it is instead
  bool complete = true;          ///< nothing worth keeping is in the checkpoint alone
};

/// Saves what a training led to. It is put beside the file where it is much worse than the model
/// that is there, of whose history `replaced` is (null: not known), or than training had it before,
/// and where another program has replaced the file; `force` puts it there all the same. `best`: of
/// this training, or null. A model that cannot be saved at all where it should be is kept in the
/// temporary folder.
Saved saveResult(GuardedOutput& out, const RunResult& result, const train::History* replaced,
                 const std::shared_ptr<const train::Document>& best, bool force);

}  // namespace tfm::cli
