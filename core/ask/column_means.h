// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/task.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// The mean of each column of some activations over all positions of the first held-out examples,
/// without padding and what follows the end of an answer, by name.
template <class Real>
std::map<std::string, std::vector<double>> columnMeans(const ModelState& state,
                                                       const data::Task& task,
                                                       const std::set<std::string>& tensors,
                                                       std::int64_t examples,
                                                       const Backend<Real>& backend);

}  // namespace tfm::train
