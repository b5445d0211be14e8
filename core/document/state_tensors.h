// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/document/tensor_reader.h"
#include "core/io/safetensors.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// Adds the tensors of a document's state: parameters by their names with shape (out, in), moments
/// as optimizer.first_moment.NAME and optimizer.second_moment.NAME, missed steps as
/// optimizer.missed_steps. `moments`: whether it has any. With Large::InPlace the state must
/// outlive the file.
void writeState(const ModelState& state, bool moments, io::Large large, io::TensorFile& file);

/// Reads them into a state with config, layout and steps; moments that the file does not have are
/// zeros, and the optimizer then begins anew. Throws Error naming a tensor that is missing or
/// invalid.
void readState(TensorReader& reader, ModelState& state);

/// Only the missed steps of a state, if it has any, with `prefix` before their name; and reads
/// them, with the layout and the optimizer's step of `state`.
void writeMissedSteps(const ModelState& state, const std::string& prefix,
                      io::NamedTensors& tensors);
std::vector<MissedSteps> readMissedSteps(TensorReader& reader, const std::string& prefix,
                                         const ModelState& state);

}  // namespace tfm::train
