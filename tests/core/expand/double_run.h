// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/expand/grow.h"
#include "core/model/batch.h"
#include "core/model/submodel.h"

namespace tfm::test {

/// What a model, or a submodel, makes of a batch in double precision, without dropout.
struct DoubleRun {
  std::vector<double> outputs;
  AlignedVector<double> gradients;  ///< of the loss, in the order of the parameters
  double loss = 0.0;
};
DoubleRun runInDouble(const ModelConfig& config, const AlignedVector<double>& parameters,
                      const Batch& batch, std::int64_t step = 0, const Submodel& submodel = {});

/// The same without gradients.
std::vector<double> outputsInDouble(const ModelConfig& config,
                                    const AlignedVector<double>& parameters, const Batch& batch,
                                    std::int64_t step = 0, const Submodel& submodel = {});

/// A state's parameters in double, and those after its growth.
AlignedVector<double> inDouble(const ModelState& state);
AlignedVector<double> grownInDouble(const ModelState& before, const expand::Grown& grown);

double largest(const std::vector<double>& values);

/// The largest |value| in `arena` of the entries of one parameter that are of one kind. -1 where it
/// has none.
double largestOf(const expand::ParameterGrowth& parameter, expand::Entry entry,
                 const AlignedVector<double>& arena);

/// One parameter of a change by its name; fails loudly where there is none.
const expand::ParameterGrowth& parameterOf(const expand::Change& change, const std::string& name);

}  // namespace tfm::test
