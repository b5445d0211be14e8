// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ask/listed_intervention.h"
#include "core/data/task.h"
#include "core/data/text_references.h"
#include "core/document/window_state.h"
#include "core/io/file_identity.h"
#include "core/io/safetensors.h"
#include "core/model/model_state.h"
#include "core/train/metrics.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// The content of a file: a snapshot of a training and all that is needed to resume it.
struct Document {
  /// What it learns, with its texts; none: it can be used, grown and exported, but not trained.
  std::optional<data::TaskConfig> task;
  TrainConfig train;
  ModelState state;
  History history;
  /// Without a task: how it reads texts. Else null: as the task says.
  std::shared_ptr<const data::TextCodec> codec = nullptr;
  /// Without a task: the one that it would have if its texts were found.
  std::optional<data::MissingTexts> missing = std::nullopt;
  /// Of a pretrained model, the type of its family (see Family), in which it is handed back if it
  /// still has the model; else empty.
  std::string family = {};
  /// The window shows the model with these; it is trained, measured and exported without them.
  std::vector<ListedIntervention> interventions = {};
  /// What the window shows of it. Saved with the model that it is about, else not at all.
  WindowState window = {};
};

/// Throws Error where the document has no task, saying why and how to give it one.
void requireTask(const Document& document);
/// Makes its task. Throws Error, also as requireTask().
std::shared_ptr<const data::Task> makeTask(const Document& document);
/// Makes its codec: its task if it has one. Throws Error.
std::shared_ptr<const data::TextCodec> makeCodec(const Document& document);

/// Gives a task to a document without one; its model continues with it. Throws Error, also as
/// requireSuits().
void giveTask(Document& document, const data::TaskConfig& task);
/// An initial config for giveTask(): the task whose texts are missing, else the kind that the codec
/// is named after, with its lengths and its vocabulary; nullopt where there is no such kind.
std::optional<data::TaskConfig> likelyTask(const Document& document);
/// The document without its task, the moments of its optimizer and its history: what others need
/// to use the model.
Document modelAlone(const Document& document);

/// A new model for a task, before its first step. Throws Error where they do not fit, where
/// training would need more memory than there is (checked before any of it is taken), and where the
/// task's texts are longer than a file can keep.
Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train);

/// The document as tensors and metadata. Parameters have their names, shape (out, in); moments are
/// optimizer.first_moment.NAME and optimizer.second_moment.NAME; runs of parameters that missed
/// steps of the optimizer are optimizer.missed_steps; measurements are history.*; events are JSON
/// under "events" in the metadata, and the list of interventions under "interventions"; of the
/// window: see writeWindow(). `task`:
/// that of the document if already made; otherwise it is made, which takes time for long texts.
/// `folder`: of the file; texts of more than data::kMaxKeptBytes are then kept as references where
/// there are files with them. Empty: all texts are kept. With Large::InPlace the document must
/// outlive the result.
io::TensorFile toTensorFile(const Document& document, const data::Task* task = nullptr,
                            const std::filesystem::path& folder = {},
                            io::Large large = io::Large::Copied);
/// Throws Error naming a tensor or field that is missing, unknown or invalid, and what was
/// expected. A document whose texts have moved or changed opens without its task. `folder`: of the
/// file.
Document fromTensorFile(const io::TensorFile& file, const std::string& where,
                        const std::filesystem::path& folder = {});

/// The approximate file size of a document in bytes.
std::int64_t fileBytes(const Document& document);
/// Writes a .safetensors file with checksums atomically and returns its identity. Throws Error, and
/// io::FileReplaced if `path` is no longer the `known` file. `task`: see toTensorFile().
io::FileIdentity saveDocument(const std::filesystem::path& path, const Document& document,
                              const std::optional<io::FileIdentity>& known = {},
                              const data::Task* task = nullptr);
/// A file that saveDocument() wrote, or a pretrained model: a GGUF file or a folder with a
/// config.json (see importedModel()). Throws Error, also if a part of the file does not match its
/// checksum. Checksums are optional.
Document openDocument(const std::filesystem::path& path);

}  // namespace tfm::train
