// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expand/growth.h"

namespace tfm::expand {

/// How one kind of expansion departs from the plain rule over axis tags. Filled by the file of the
/// kind, read by parameter_maps.cpp.
struct Recipe {
  ModelConfig after;
  bool exact = true;
  std::string inexact;
  std::vector<std::string> notes;

  // Hidden
  HiddenMethod hidden_method = HiddenMethod::ZeroPad;
  std::int64_t hidden_copies = 1;  ///< of each old component
  bool sinusoid_to_table = false;

  // Layers
  std::int64_t encoder_position = 0, encoder_added = 0;
  std::int64_t decoder_position = 0, decoder_added = 0;
  LayerMethod layer_method = LayerMethod::ZeroBranches;
};

/// Where the sizes of the chosen layers and attentions are written: feed-forward, heads, value and
/// key size. Throws Error for layers that are not there and sizes that would shrink.
Recipe growSizes(const ModelConfig& before, const Growth& growth);
/// Decides the method, or throws Error saying why none is exact and what would be.
Recipe growHidden(const ModelConfig& before, const Growth& growth, std::int64_t step);
/// The method that growHidden() takes; Automatic where none is exact.
HiddenMethod hiddenMethod(const ModelConfig& before, const Growth& growth);
Recipe addLayers(const ModelConfig& before, const Growth& growth);

/// Refuses with what is wrong about a growth and what could be done instead.
[[noreturn]] void refuse(const Growth& growth, const std::string& why, const std::string& instead);

/// Width of the hidden states that carry the sinusoid.
std::int64_t sinusoidBase(const ModelConfig& config);

}  // namespace tfm::expand
