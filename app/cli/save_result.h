// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cli/guarded_output.h"
#include "app/cli/training_run.h"
#include "core/base/error.h"

namespace tfm::cli {

/// Where a trained model was saved.
struct Saved {
  std::string file;              ///< empty: nowhere
  std::optional<Error> problem;  ///< why it is not in --out, and where it is instead
  bool complete = true;          ///< the checkpoint is no longer needed
};

/// Saves the result of a training. Saves it beside the file if it is much worse than the model in
/// the file, whose history is `replaced` (null: unknown), or than an earlier state of this
/// training, or if another program has replaced the file; `force` replaces the file anyway. `best`:
/// the best model of this training, or null. A model that cannot be saved there at all is saved in
/// the temporary folder.
Saved saveResult(GuardedOutput& out, const RunResult& result, const train::History* replaced,
                 const std::shared_ptr<const train::Document>& best, bool force);

}  // namespace tfm::cli
