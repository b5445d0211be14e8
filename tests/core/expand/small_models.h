// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/expand/verify.h"
#include "tests/core/expand/growth_to.h"

namespace tfm::test {

struct SmallModel {
  std::string name;
  ModelConfig config;
};

/// Small models of every architecture, norm, placement, activation, position and tying that growth
/// must keep.
std::vector<SmallModel> smallModels();
/// Those of them that pool.
std::vector<SmallModel> funnelModels();
SmallModel smallModel(const std::string& name);

/// A model in the middle of its training: no parameter, gain, bias or moment has its first value.
ModelState trainedState(const ModelConfig& config, std::uint64_t seed = 1);

/// Two sequences with labels; the second has padding.
Batch probeBatch(const ModelConfig& config);

/// Grows and compares; `plan` must be allowed.
expand::Verdict grownVerdict(const ModelConfig& config, const expand::Plan& plan);

/// "" or the message of the Error that growing throws.
std::string refusal(const ModelConfig& config, const expand::Plan& plan);

}  // namespace tfm::test
