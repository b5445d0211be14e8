// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/data/task.h"
#include "core/io/file_identity.h"
#include "core/model/model_state.h"
#include "core/train/metrics.h"
#include "core/train/train_config.h"

namespace tfm::io {
struct TensorFile;
}

namespace tfm::train {

/// The content of a file: a snapshot of a training and all that is needed to resume it.
struct Document {
  data::TaskConfig task;
  TrainConfig train;
  ModelState state;
  History history;
};

/// A new model for a task, before its first step. Throws Error where they do not fit, where
/// training would need more memory than there is (checked before any of it is taken), and where the
/// task's texts are longer than a file can keep.
Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train);

/// The document as tensors and metadata. Parameters have their names, shape (out, in); moments are
/// optimizer.first_moment.NAME and optimizer.second_moment.NAME; runs of parameters that missed
/// steps of the optimizer are optimizer.missed_steps; measurements are history.*; events are JSON
/// under "events" in the metadata. `task`: that of the document if already made; otherwise it is
/// made, which takes time for long texts.
io::TensorFile toTensorFile(const Document& document, const data::Task* task = nullptr);
/// Throws Error naming a tensor or field that is missing, unknown or invalid, and what was
/// expected.
Document fromTensorFile(const io::TensorFile& file, const std::string& where);

/// The approximate file size of a document in bytes.
std::int64_t fileBytes(const Document& document);
/// Writes a .safetensors file with checksums atomically and returns its identity. Throws Error, and
/// io::FileReplaced if `path` is no longer the `known` file. `task`: see toTensorFile().
io::FileIdentity saveDocument(const std::filesystem::path& path, const Document& document,
                              const std::optional<io::FileIdentity>& known = {},
                              const data::Task* task = nullptr);
/// Throws Error, also if a part of the file does not match its checksum. Checksums are optional.
Document openDocument(const std::filesystem::path& path);

}  // namespace tfm::train
