// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/open_model.h"
#include "core/model/batch.h"
#include "core/observe/intervention.h"

namespace tfm::cli {

/// Declares --with, which may be given several times.
void addWithOption(CLI::App& options, std::vector<std::string>& with);

/// Puts the interventions in force in the model, for runs in the precision of `Real`, and says so
/// on standard error; returns them. For one text, use requireInside() too. Throws Error.
template <class Real>
std::vector<observe::Intervention> putInForce(OpenModel& model,
                                              const std::vector<std::string>& with);

/// Prints one line, in which "with" lists the interventions, if there are any.
void printWith(nlohmann::ordered_json json, const std::vector<std::string>& with);

/// Throws Error for an intervention after the last position of the input.
void requireInside(const OpenModel& model, const Batch& input,
                   const std::vector<observe::Intervention>& interventions);

}  // namespace tfm::cli
