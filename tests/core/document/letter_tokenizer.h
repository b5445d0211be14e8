// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "core/io/atomic_file.h"

namespace tfm::test {

/// A tokenizer.json of byte pairs without pairs: one token for each letter, for models of 31
/// tokens.
inline std::string letterTokenizer() {
  std::string tokens = R"("<pad>": 0, "<s>": 1, "</s>": 2, "<mask>": 30)";
  for (int i = 3; i < 29; ++i)
    tokens += ", \"" + std::string(1, char('a' + i - 3)) + "\": " + std::to_string(i);
  std::string added;
  for (const auto& [name, id] : {std::pair("<pad>", 0), {"<s>", 1}, {"</s>", 2}, {"<mask>", 30}})
    added += std::string(added.empty() ? "" : ", ") + "{\"id\": " + std::to_string(id) +
             ", \"content\": \"" + name + "\", \"special\": true}";
  return R"({"added_tokens": [)" + added + R"(], "decoder": {"type": "Fuse"},
      "post_processor": {"type": "RobertaProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]},
      "model": {"type": "BPE", "merges": [], "vocab": {)" +
         tokens + "}}}";
}

/// Makes a folder in `parent` with a model of tests/goldens/families and that tokenizer.
inline std::filesystem::path folderWithLetters(const std::filesystem::path& parent,
                                               const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = parent / name;
  fs::create_directories(folder);
  for (const char* file : {"config.json", "model.safetensors"})
    fs::copy_file(fs::path(TFM_TEST_DATA "/goldens/families") / name / file, folder / file,
                  fs::copy_options::overwrite_existing);
  io::writeFile(folder / "tokenizer.json", letterTokenizer());
  return folder;
}

}  // namespace tfm::test
