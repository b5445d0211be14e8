// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ask/answering.h"
#include "core/matformer/nesting.h"

namespace tfm::train {

/// What the loss compares a model's answers to a text with.
enum class LossAnswer {
  Right,   ///< the right answer, which the task knows
  Own,     ///< the model's own greedy answer
  Next,    ///< each next token of the text
  Given,   ///< an answer that the user gives
  Hidden,  ///< the tokens that evaluation would hide in it
};

/// Texts as the batch of a training step that holds nothing else, as data::batchOf() makes it.
/// Positions at the end that no counted answer depends on are left out, which changes no number.
struct StepTexts {
  std::vector<ProbeInput> texts;    ///< each with its own part of the batch, without its loss
  ProbeInput all;                   ///< the batch, with labels and their weights
  std::vector<LossAnswer> answers;  ///< of each text
};

/// `answers`: those of the texts, instead of the right ones and the model's; empty: none.
/// Throws Error for a text that cannot be read or has no loss: of a model without answers, of a
/// regression whose right numbers are not known, of a single token of text, of a text without
/// hidden tokens where the task hides none; and for rows of numbers of different lengths.
StepTexts stepTexts(const ModelState& state, const data::TextCodec& codec, data::Framing framing,
                    std::span<const std::string> texts, const Backend<float>& backend,
                    std::span<const std::string> answers = {});

/// Whether a text can have a loss.
bool hasLoss(const data::TextCodec& codec, data::Framing framing, const std::string& text);

/// What is compared with what, over which positions, and for which of the nested submodels: one
/// sentence.
std::string lossSentence(const StepTexts& texts, const ModelConfig& config,
                         const matformer::Nesting& nesting);

}  // namespace tfm::train
