// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expand/growth.h"

namespace tfm::expand {

/// How one kind of expansion differs from the general rule on axis tags. Made by the file of the
/// kind, read by parameter_maps.cpp.
struct Recipe {
  ModelConfig after;
  bool exact = true;
  std::string inexact;
  std::vector<std::string> notes;

  // Hidden
  HiddenMethod hidden_method = HiddenMethod::Automatic;
  std::int64_t hidden_copies = 1;  ///< of each old component
  bool sinusoid_to_table = false;

  // Layers
  std::int64_t encoder_position = 0, encoder_added = 0;
  std::int64_t decoder_position = 0, decoder_added = 0;
  LayerMethod layer_method = LayerMethod::Automatic;
};

/// Grows feed-forward widths, heads, value and key sizes. Throws Error for layers that do not exist
/// and sizes that would shrink.
Recipe growSizes(const ModelConfig& before, const Growth& growth);
/// Grows the hidden size. Throws Error saying why the method is not exact and what would be.
Recipe growHidden(const ModelConfig& before, const Growth& growth, std::int64_t step);
/// The method that growHidden() uses; Automatic if none is exact.
HiddenMethod hiddenMethod(const ModelConfig& before, const Growth& growth);
Recipe addLayers(const ModelConfig& before, const Growth& growth);

/// Throws Error with what is wrong with a growth and what to do instead.
[[noreturn]] void refuse(const Growth& growth, const std::string& why, const std::string& instead);

/// The width of the sinusoid in the hidden states.
std::int64_t sinusoidBase(const ModelConfig& config);

}  // namespace tfm::expand
