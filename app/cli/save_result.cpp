// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/save_result.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/cli/checkpoints.h"
#include "app/cli/output.h"
#include "core/io/file_descriptor.h"
#include "core/train/explosion.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

/// Saves beside the file under an unused name.
fs::path saveBeside(const fs::path& out, const std::string& word, const train::Document& document) {
  std::error_code problem;
  fs::path file = besideFile(out, word);
  for (int number = 2; fs::exists(fs::symlink_status(file, problem)); ++number)
    file = besideFile(out, word + "-" + std::to_string(number));
  train::saveDocument(file, document);
  return file;
}

/// Creates an empty file with a name that nobody else can foresee, read or replace.
/// Empty: it could not be created.
fs::path newFileIn(const fs::path& folder) {
  constexpr std::string_view kEnding = ".safetensors";
  std::string name = (folder / "transformarium-XXXXXX").string() + std::string(kEnding);
  const io::FileDescriptor file(::mkostemps(name.data(), int(kEnding.size()), O_CLOEXEC));
  return file ? fs::path(name) : fs::path();
}

/// Saves a model that cannot be saved to --out in the temporary folder.
Saved keepElsewhere(const Error& problem, const train::Document& document) {
  std::error_code none;
  for (const fs::path& folder : {fs::temp_directory_path(none), fs::path("/tmp")}) {
    const fs::path kept = folder.empty() ? folder : newFileIn(folder);
    if (kept.empty()) continue;
    try {
      train::saveDocument(kept, document);
      return {kept.string(),
              Error(problem.problem(), problem.where(),
                    "The model is kept as " + kept.string() + ": move it to a safe place"),
              false};
    } catch (const Error&) {  // the first problem is reported
      fs::remove(kept, none);
    }
  }
  return {"",
          Error(problem.problem(), problem.where(),
                "The model is lost: free some space before training again"),
          false};
}

std::string lossText(double from, double to) {
  return "its training loss is " + shortNumber(to) + " and was " + shortNumber(from);
}

/// Why the model should not replace a better one; empty if it should.
std::string worseThan(const RunResult& result, const train::History* replaced) {
  const train::History& now = result.document.history;
  const double loss = result.evaluation.loss;
  const double recent = train::LossWatch(now).recent();
  if (replaced != nullptr && train::isMuchWorse(now, loss, *replaced))
    return "the model is much worse than the one in the file: " +
           lossText(train::LossWatch(*replaced).lowest(), recent);
  if (train::isMuchWorse(now, loss, now))
    return "training has exploded: " + lossText(train::LossWatch(now).lowest(), recent);
  return {};
}

/// Saves the model beside the file, and the best one in the file if that is new.
Saved saveWorse(GuardedOutput& out, const RunResult& result, const std::string& why,
                const std::shared_ptr<const train::Document>& best) {
  const fs::path& path = out.path();
  if (best == nullptr && !out.replaces()) {
    out.save(result.document);
    return {path.string(),
            Error(why, path.string(),
                  "It is saved anyway, since this training found nothing better. Try a lower "
                  "--learning-rate"),
            false};
  }
  const fs::path file = saveBeside(path, "new", result.document);
  std::string hint = "It is saved as " + file.string() + ", and the file ";
  if (best == nullptr) {
    hint += "is unchanged";
  } else if (out.replaces()) {
    hint += "is unchanged; the best model of this training, after step " +
            withCommas(best->state.step) + ", is saved as " +
            saveBeside(path, "best", *best).string();
  } else {
    out.save(*best);
    hint += "contains the best model of this training, after step " + withCommas(best->state.step);
  }
  return {file.string(),
          Error(why, path.string(), hint + ". Try a lower --learning-rate; --force replaces it"),
          best != nullptr};
}

}  // namespace

Saved saveResult(GuardedOutput& out, const RunResult& result, const train::History* replaced,
                 const std::shared_ptr<const train::Document>& best, bool force) {
  const fs::path& path = out.path();
  try {
    if (force) {
      out.saveOver(result.document);
      return {path.string(), {}};
    }
    if (const std::string why = worseThan(result, replaced); !why.empty())
      return saveWorse(out, result, why, best);
    out.save(result.document);
    return {path.string(), {}};
  } catch (const io::FileReplaced& problem) {
    try {
      const fs::path file = saveBeside(path, "new", result.document);
      return {file.string(), Error(problem.problem(), problem.where(),
                                   "The trained model is saved as " + file.string() +
                                       ", and the file is unchanged; --force replaces it")};
    } catch (const Error& other) {
      return keepElsewhere(other, result.document);
    }
  } catch (const Error& problem) {
    return keepElsewhere(problem, result.document);
  }
}

}  // namespace tfm::cli
