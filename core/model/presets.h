// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/model/model_config.h"

namespace tfm {

/// A model from the literature or made for a first look.
struct Preset {
  std::string_view name;
  std::string_view short_name;  ///< also accepted; empty: none
  std::string_view sentence;
  std::string_view task;  ///< what it is usually trained on; empty: nothing
  ModelConfig (*config)();
};

std::span<const Preset> presets();
/// The preset of that name; throws Error that lists the names.
const Preset& presetNamed(std::string_view name);

}  // namespace tfm
