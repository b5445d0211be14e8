// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/step_parts.h"

namespace tfm::train {

std::vector<WeightedPart> stepParts(std::span<const matformer::Granularity> sizes,
                                    matformer::Training training, std::size_t drawn) {
  if (sizes.empty()) return {WeightedPart{}};
  if (training == matformer::Training::Sampled)
    return {{sizes[drawn].submodel, 1.0, sizes[drawn].name}};
  std::vector<WeightedPart> parts;
  for (const matformer::Granularity& one : sizes)
    parts.push_back({one.submodel, one.weight, one.name});
  return parts;
}

std::vector<WeightedPart> partsWithWhole(const ModelConfig& config,
                                         const matformer::Nesting& nesting) {
  if (!config.changes.empty()) return {WeightedPart{}};
  const auto sizes = matformer::granularities(config, nesting);
  return stepParts(sizes, nesting.training, sizes.empty() ? 0 : sizes.size() - 1);
}

}  // namespace tfm::train
