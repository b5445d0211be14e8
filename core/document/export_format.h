// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/model/pretrained/family.h"

namespace tfm::train {

/// What an export would write.
struct ExportPlan {
  std::string family = {};  ///< "llama, Llama"; empty: the format has all models
  std::vector<std::string> other_families = {};  ///< types of others that have this model
  std::vector<MappedTensor> map = {};            ///< what becomes of each parameter
  std::vector<std::string> left_out = {};        ///< what is not written, a sentence each
  /// Writes it. Returns the names of the files if the format is a folder. Throws Error.
  std::function<std::vector<std::string>(const std::filesystem::path&)> write = {};
};

/// A format in which models leave, for the tool and the window. Another format is a row of
/// exportFormats().
struct ExportFormat {
  std::string_view name;    ///< of the tool's option
  std::string_view words;   ///< "GGUF file"
  std::string_view opens;   ///< a sentence: what opens it
  std::string_view ending;  ///< that its files have; empty: it is a folder
  std::string_view beside;  ///< what a document's name without its ending gets by default
  bool of_families;         ///< only models that a family of pretrained ones has
  /// `as`: see exportedModel(). Throws Error for a model that the format does not have.
  ExportPlan (*plan)(const std::shared_ptr<const Document>& document, std::string_view as);
};

std::span<const ExportFormat> exportFormats();
/// The one with this name, or null.
const ExportFormat* exportFormatNamed(std::string_view name);
/// All names, for messages.
std::string exportFormatNames();

}  // namespace tfm::train
