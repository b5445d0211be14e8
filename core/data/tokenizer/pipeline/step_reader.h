// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/message_text.h"

namespace tfm::data {

/// One kind of step of a tokenizer.json: the value of its "type", and how its settings are read.
template <class Step>
struct StepKind {
  std::string_view type;
  Step (*read)(io::ObjectReader& settings);
};

/// The step that `object` describes. Throws Error naming `where` if there is no such kind, or if it
/// has a setting that was not read: it might change the tokens.
template <class Step>
Step readStep(std::span<const StepKind<Step>> kinds, const nlohmann::json& object,
              const std::string& where) {
  io::ObjectReader reader(object, where);
  const auto type = reader.get<std::string>("type", "");
  std::string known;
  for (const StepKind<Step>& kind : kinds) {
    if (kind.type == type) {
      Step step = kind.read(reader);
      reader.refuseUnknown("this setting is not read",
                           "If no token depends on it, remove it from the file");
      return step;
    }
    known.append(known.empty() ? "" : ", ").append(kind.type);
  }
  throw Error(
      "the step " + io::inQuotes(io::shortened(type, 60)) + " of the tokenizer is not known", where,
      "Known: " + known);
}

/// Visits the steps of a Sequence, the list `name` of its settings, with the place of each. Throws
/// Error if there is no list.
void forEachStep(io::ObjectReader& settings, std::string_view name,
                 const std::function<void(const nlohmann::json&, const std::string& where)>& visit);

/// Those steps, each read by `read`.
template <class Step>
std::vector<Step> readSteps(io::ObjectReader& settings, std::string_view name,
                            Step (*read)(const nlohmann::json&, const std::string& where)) {
  std::vector<Step> steps;
  forEachStep(settings, name, [&](const nlohmann::json& object, const std::string& where) {
    steps.push_back(read(object, where));
  });
  return steps;
}

}  // namespace tfm::data
