// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/model_config.h"

namespace tfm {

/// A whole number and its bounds.
struct IntegerField {
  std::int64_t ModelConfig::* member;
  std::int64_t lowest;
  std::int64_t highest;
};
/// A real number with lowest <= value < limit.
struct RealField {
  double ModelConfig::* member;
  double lowest;
  double limit;
};
struct SwitchField {
  bool ModelConfig::* member;
};
/// One of a few words; the word's place in the list is the enumerator.
struct ChoiceField {
  std::vector<std::string_view> words;
  int (*get)(const ModelConfig&);
  void (*set)(ModelConfig&, int);
};

/// One choice of a model. JSON, validation and forms are loops over these.
struct ConfigField {
  std::string_view name;     ///< in files, e.g. "norm_placement"
  std::string_view meaning;  ///< one sentence
  std::variant<IntegerField, RealField, SwitchField, ChoiceField> kind;
};

/// All fields but the layers, in the order of files and forms.
std::span<const ConfigField> configFields();

/// "12 to 34" or "one of pre, post": what a field allows.
std::string allowedText(const ConfigField& field);

}  // namespace tfm
