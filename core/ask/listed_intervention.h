// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/intervention.h"

namespace tfm::train {

/// An intervention that a document remembers, with its switch. Training does not know it.
struct ListedIntervention {
  observe::Intervention what;
  bool on = true;
  bool operator==(const ListedIntervention&) const = default;
};

/// A JSON array of {"what": as observe::textOf() says it, "on"}.
std::string toJson(std::span<const ListedIntervention> list);
/// The reverse. Throws Error; `where` names the source. What is listed need not fit any model.
std::vector<ListedIntervention> listedInterventionsFromJson(std::string_view json,
                                                            const std::string& where);

}  // namespace tfm::train
