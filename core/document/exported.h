// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/model/pretrained/foreign_files.h"
#include "core/model/pretrained/gguf_model.h"

namespace tfm::train {

/// A model as a folder in the layout of the Hugging Face Hub, which the transformers library opens.
struct ExportedModel {
  ForeignFiles model;
  /// config.json, generation_config.json, README.md (a model card with the history of the model)
  /// and, where the tokenizer has this form, tokenizer.json and tokenizer_config.json.
  std::map<std::string, std::string> texts;
  std::vector<std::string> left_out;  ///< what the folder does not hold, a sentence each
};

/// `as`: the type of the family (see foreignFiles()); empty: the first that has the model. The
/// document must outlive the result. Throws Error naming what no family has, before anything is
/// written.
ExportedModel exportedModel(const Document& document, std::string_view as = {});

/// A model with its tokenizer as a GGUF file, which llama.cpp runs; its numbers stay F32.
struct ExportedGguf {
  GgufFiles files;  ///< for io::writeGguf()
  std::vector<std::string> left_out;
};
/// As exportedModel(), of the families llama, qwen2 and gpt2. Throws Error naming what such a file
/// cannot say: also a tokenizer.
ExportedGguf exportedGguf(const Document& document, std::string_view as = {});

/// Writes the files and returns their names. The folder is made if it is missing. Throws Error,
/// also if it holds files already.
std::vector<std::string> writeExported(const ExportedModel& model,
                                       const std::filesystem::path& folder,
                                       std::uint64_t most_of_a_file = kLargestShard);

}  // namespace tfm::train
