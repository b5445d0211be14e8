// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/cost.h"

#include "core/model/build_program.h"
#include "core/program/used_parameters.h"

namespace tfm::matformer {

Cost costOf(const ModelConfig& config, const Submodel& submodel) {
  ProgramOptions options;
  options.submodel = submodel;
  const Program program = buildProgram(config, fullShape(config, 1), options);
  Cost cost;
  cost.flops = program.forwardFlops();
  for (const EntryRun& run : usedRuns(program)) cost.parameters += run.count;
  return cost;
}

}  // namespace tfm::matformer
