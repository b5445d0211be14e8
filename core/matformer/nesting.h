// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/submodel.h"

namespace tfm::matformer {

/// How a step trains nested submodels.
///   Sampled: one random granularity per step (MatFormer: Devvrit et al., NeurIPS 2024).
///   Joint: the weighted sum of all losses on one batch (its first version, arXiv 2310.07707v1, as
///   in DynaBERT: Hou et al. 2020).
enum class Training { Sampled, Joint };

/// Maximum number of granularities, including the whole model.
inline constexpr std::size_t kMaxGranularities = 33;

/// The nested submodels to train. Widths are absolute, so growing a feed-forward does not change
/// them; the whole model is always an additional granularity.
struct Nesting {
  std::vector<std::int64_t> widths;  ///< of every feed-forward, ascending; empty: no nesting
  std::vector<std::int64_t> heads;   ///< of every attention, one per width; empty: all heads
  Training training = Training::Sampled;
  /// Probabilities (Sampled) or factors of the losses (Joint), smallest granularity first. Missing
  /// ones repeat the last; empty: equal, with sum 1.
  std::vector<double> weights;
  bool operator==(const Nesting&) const = default;
};

/// One of the nested submodels of a model.
struct Granularity {
  std::string name;  ///< "S", "M", "L", "XL", "2XL", ... by size
  Submodel submodel;
  double weight = 1.0;  ///< probability (Sampled) or factor of its loss (Joint)
  bool operator==(const Granularity&) const = default;
};

/// The name of a granularity by index, 0 for the smallest.
std::string granularityName(std::size_t place);

/// An eighth, a quarter, half and all of the widest feed-forward (Devvrit et al., section 3.1).
Nesting defaultNesting(const ModelConfig& config);

/// The submodels of `nesting`, smallest first, the whole model last. Layers narrower than a width
/// run completely. Empty without nesting.
std::vector<Granularity> granularities(const ModelConfig& config, const Nesting& nesting);

/// The index of the random granularity of training step `step`, determined by the arguments.
std::size_t sampleGranularity(const std::vector<Granularity>& granularities, std::uint64_t seed,
                              std::uint64_t step);

/// Throws Error naming the invalid field, its value and what is allowed.
void validate(const Nesting& nesting);
/// Throws Error naming a width or a number of heads that no part of this model has. The largest may
/// be the whole model.
void requireSubmodels(const Nesting& nesting, const ModelConfig& config);

/// One JSON object.
std::string toJson(const Nesting& nesting);
/// Reads what toJson() wrote; `where` names the source in errors.
Nesting nestingFromJson(std::string_view json, const std::string& where);

}  // namespace tfm::matformer
