// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace tfm::train {

/// A pretrained model, of a folder or a GGUF file (see readPretrainedModel()), as a document
/// without a task. It reads texts with its own tokenizer. A decoder goes on with a text, with an
/// encoder it answers one; an encoder with a head for hidden tokens fills these in, another ends
/// with its hidden states. An encoder of rows of numbers reads those of inputs.npz (array `inputs`,
/// sequences x positions x width, or with positions first unless its config.json says batch_first)
/// or inputs.csv (parseNumberTable()) in its folder by the names r1, r2, ..., one sequence after
/// the other; without such a file, each letter stands for a row of random numbers. `notes`: gets
/// what was left out or assumed, a sentence each. Throws Error.
Document importedModel(const std::filesystem::path& folder,
                       std::vector<std::string>* notes = nullptr);
/// The same of weights in a .safetensors or .npz that a map describes (see ModelMap): a decoder,
/// alone or with an encoder, or an encoder of tokens. Throws Error.
Document mappedModel(const std::filesystem::path& weights, const std::filesystem::path& map);

}  // namespace tfm::train
