// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "core/base/error.h"
#include "core/io/file_kind.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

bool isFile(const std::string& path) { return !path.empty() && path != "-"; }

std::string inSmallLetters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Whether there is a file of tensors, as models are.
bool isModel(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) && fs::file_size(path, unknown) > 0 &&
         io::fileKind(path) == io::FileKind::Tensors;
}

}  // namespace

bool isSameFile(const std::string& one, const std::string& other) {
  if (!isFile(one) || !isFile(other)) return false;
  std::error_code problem;  // for a missing file
  if (fs::equivalent(one, other, problem)) return true;
  const auto whole = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, problem), problem);
  };
  return whole(one) == whole(other);
}

void requireEnding(const GivenFile& written) {
  if (!isFile(written.path) || written.endings.empty()) return;
  const fs::path path = written.path;
  const std::string ending = path.extension().string();
  const std::string& usual = written.endings.front();
  if (ending.empty() && usual != kDocumentEndings.front() && isModel(path))
    throw Error(written.option + " would replace a model by a " + usual + " file",
                written.option + " " + written.path, "Choose another " + written.option);
  if (ending.empty() || std::ranges::count(written.endings, inSmallLetters(ending)) > 0) return;
  fs::path other = path;
  std::string hint = "Name it " + other.replace_extension(usual).string();
  if (usual == kDocumentEndings.front() && inSmallLetters(ending) != kTableEndings.front())
    hint += "; for NumPy, transformarium-cli export --format npz then writes its weights";
  throw Error(written.option + " writes a " + usual +
                  " file, whatever its name, and this one is "
                  "called " +
                  ending,
              written.option + " " + written.path, hint);
}

void requireOtherFiles(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (const GivenFile& file : read)
      if (isSameFile(file.path, written[i].path))
        throw Error(written[i].option + " would replace " + file.path + ", which is an input",
                    written[i].option + " " + written[i].path,
                    "Choose another " + written[i].option);
    for (std::size_t j = 0; j < i; ++j)
      if (isSameFile(written[j].path, written[i].path))
        throw Error(written[j].option + " and " + written[i].option + " are the same file",
                    written[i].option + " " + written[i].path,
                    "Choose another " + written[i].option);
  }
  for (const GivenFile& file : written) requireEnding(file);
}

}  // namespace tfm::cli
