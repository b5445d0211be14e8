// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/document/document.h"

namespace tfm::train {

/// A model that begins another task with what it has learned (Devlin et al. 2019, section 3.2).
struct FineTuning {
  Document document;          ///< at step 0, without moments and history
  std::int64_t kept = 0;      ///< parameters with the values of the model that it comes from
  std::int64_t anew = 0;      ///< parameters with initial values: those of the output
  std::int64_t tokens = 0;    ///< of the vocabulary, which stays
  bool without_ends = false;  ///< texts are no longer put between [CLS] and [SEP]
};

/// Whether the model of a config can begin another task: only encoders that read tokens can, since
/// only their output depends on the task alone.
bool canBeFineTuned(const ModelConfig& config);

/// The task with texts that are read as the model of the codec reads them, and not longer.
data::TaskConfig taskToFineTune(const data::TextCodec& codec, data::TaskConfig task);

/// The model of a state at `step` with the output that the task needs. Throws Error if the model is
/// not an encoder or the task reads other tokens than the model does, with `codec`.
ModelConfig modelToFineTune(const ModelConfig& model, std::int64_t step,
                            const data::TextCodec& codec, const data::TextCodec& task);

/// A new training of the model on another task. Its weights stay, with tokenizer and vocabulary,
/// except for those of the output; these stay, too, if the answers are of the same form and tokens.
/// Everything else begins anew, as in newDocument(). Throws the errors of both.
FineTuning fineTuned(const Document& document, const data::TaskConfig& task,
                     const TrainConfig& train);

/// One sentence that says what is kept and what begins anew.
std::string describe(const FineTuning& tuning);

}  // namespace tfm::train
