// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_files.h"

#include <filesystem>
#include <system_error>

#include "core/base/error.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

bool isFile(const GivenFile& file) { return !file.path.empty() && file.path != "-"; }

bool isSame(const GivenFile& one, const GivenFile& other) {
  if (!isFile(one) || !isFile(other)) return false;
  std::error_code problem;  // for a missing file
  if (fs::equivalent(one.path, other.path, problem)) return true;
  const auto whole = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, problem), problem);
  };
  return whole(one.path) == whole(other.path);
}

}  // namespace

void requireOtherFiles(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (const GivenFile& file : read)
      if (isSame(file, written[i]))
        throw Error(written[i].option + " would replace " + file.path + ", which is an input",
                    written[i].option + " " + written[i].path,
                    "Choose another " + written[i].option);
    for (std::size_t j = 0; j < i; ++j)
      if (isSame(written[j], written[i]))
        throw Error(written[j].option + " and " + written[i].option + " are the same file",
                    written[i].option + " " + written[i].path,
                    "Choose another " + written[i].option);
  }
}

}  // namespace tfm::cli
