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

/// What a file holds: a model at a moment of its training and all that is needed to go on.
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

/// The document as tensors and metadata. Parameters stand under their names, (out, in); moments
/// under optimizer.first_moment.NAME and optimizer.second_moment.NAME; runs of parameters that
/// missed steps of the optimizer under optimizer.missed_steps; measurements under
/// history.*, events as JSON under "events" in the metadata. `task`: made of the document's, where
/// it is at hand; else it is made, which takes time for long texts.
io::TensorFile toTensorFile(const Document& document, const data::Task* task = nullptr);
/// Throws Error naming the tensor or field that is missing, extra or wrong, and what was expected.
Document fromTensorFile(const io::TensorFile& file, const std::string& where);

/// About how many bytes the file of a document has.
std::int64_t fileBytes(const Document& document);
/// Writes a .safetensors file with checksums, whole or not at all; its identity. Throws Error, and
/// io::FileReplaced where `path` is no longer the `known` file. `task`: see toTensorFile().
io::FileIdentity saveDocument(const std::filesystem::path& path, const Document& document,
                              const std::optional<io::FileIdentity>& known = {},
                              const data::Task* task = nullptr);
/// Throws Error, also where a part of the file differs from its checksum; one without opens.
Document openDocument(const std::filesystem::path& path);

}  // namespace tfm::train
