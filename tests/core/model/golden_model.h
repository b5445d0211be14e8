// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "tests/core/golden.h"
#include "tests/core/model/model_run.h"

namespace tfm::test {

/// The config that a golden describes, for sequences of `length`. The test sets input and output.
ModelConfig configOf(const Golden& config, std::int64_t length,
                     Architecture architecture = Architecture::EncoderDecoder);

std::vector<std::int32_t> idsOf(const Golden& tensor);

/// Takes all parameters from the golden; it and the model must have the same ones.
void setParameters(ModelRun& run, const Golden& parameters);

/// Runs an encoder forward on the golden's ids and padding, with parameters laid out by `layout`,
/// that of the config they were read for.
void runOn(ModelRun& run, const Golden& golden, const ParameterLayout& layout,
           const AlignedVector<double>& parameters);

/// What is done wrong, in the config or in the tensors of a pretrained encoder.
struct Mistake {
  const char* name;
  std::function<void(ModelConfig&, io::NamedTensors&)> make;
};

/// "" or what differs: one of the golden's gradients is off by more than 1e-12 (of the largest,
/// from 1 on).
std::string wrongGradients(ModelRun& run, const Golden& gradients);

/// "" or the first of the attentions whose probabilities (for the golden's first sequences) are not
/// those of the golden.
std::string wrongProbabilities(ModelRun& run, const Golden& by_path);

/// 1e-12 of the largest expected number, from 1 on.
bool agrees(const std::vector<double>& got, const std::vector<double>& expected);
bool agrees(double got, double expected);

}  // namespace tfm::test
