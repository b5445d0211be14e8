// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ask/answering.h"
#include "core/backend/backend.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// One place of the residual stream: the states after a layer, or the input of a stack.
struct PatchedRow {
  Stack stack = Stack::None;
  std::int64_t layer = -1;  ///< -1: the input
  std::string tensor;
  std::vector<std::string> labels;  ///< of the positions in the text patched into, where known
  /// By position: the probability and logit of each of the two answers once the states of that
  /// position come from the other text. Empty until measured; as long as the shorter text.
  std::vector<double> from_probability, into_probability;
  std::vector<double> from_logit, into_logit;
};

/// The causal map of a text A patched into a text B: where, put into B, does the state of A bring
/// about A's answer? (Meng et al. 2022, figure 1; Zhang and Nanda 2023.)
struct PatchMap {
  ProbeInput from, into;
  std::int64_t output = 0;  ///< row of the output whose answer is followed
  /// The most probable token there for each of the texts, and its label.
  std::int32_t from_token = 0, into_token = 0;
  std::string from_label, into_label;
  /// Of these tokens on the text patched into and on the other one, unpatched.
  double from_probability_before = 0.0, into_probability_before = 0.0;
  double from_logit_before = 0.0, into_logit_before = 0.0;
  double from_probability_there = 0.0, into_probability_there = 0.0;
  double from_logit_there = 0.0, into_logit_there = 0.0;
  std::vector<PatchedRow> rows;  ///< encoder first, in execution order
};

struct PatchOptions {
  std::string from, into;  ///< texts
  /// The answers that are read with them; none: the right ones if known, else the model's own.
  std::optional<std::string> from_answer = std::nullopt, into_answer = std::nullopt;
  /// Row of the output to follow, from 0; -1: the first one where the texts' answers differ, or the
  /// last one if none does.
  std::int64_t output = -1;
};

/// Called after each row with the map so far; returns false to cancel.
using PatchProgress = std::function<bool(const PatchMap& so_far, double share)>;

/// The positions of a layer run as batches. Returns nullopt if cancelled. Throws Error for texts
/// that cannot be read, an output row that one of them does not have, and models without answers.
std::optional<PatchMap> patchMap(const ModelState& state, const data::TextCodec& codec,
                                 const PatchOptions& options, const Backend<float>& backend,
                                 const PatchProgress& progress = {});

/// The map as a table: stack, layer, position, token, then the probabilities and logits.
std::string patchTsv(const PatchMap& map);

}  // namespace tfm::train
