// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/model/model_config.h"

namespace tfm {

/// A named model, from the literature or for a first look.
struct Preset {
  std::string_view name;
  std::string_view short_name;  ///< also accepted; empty: none
  std::string_view description;
  std::string_view task;  ///< its default task; empty: none
  ModelConfig (*config)();
};

std::span<const Preset> presets();
/// The preset of that name. Throws Error listing the names if there is none.
const Preset& presetNamed(std::string_view name);

}  // namespace tfm
