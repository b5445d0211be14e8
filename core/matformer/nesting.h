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
///   Sampled: one granularity, drawn for each step (MatFormer: Devvrit et al., NeurIPS 2024).
///   Joint: the weighted sum of the losses of all, on one batch (its first version, arXiv
///   2310.07707v1, as DynaBERT: Hou et al. 2020).
enum class Training { Sampled, Joint };

/// The most submodels that a model is trained to contain, itself included.
inline constexpr std::size_t kMostGranularities = 33;

/// Which submodels a model is trained to contain. Widths are absolute: a feed-forward that grows
/// keeps them, and the whole model is always one more granularity.
struct Nesting {
  std::vector<std::int64_t> widths;  ///< of every feed-forward, ascending; empty: nothing is nested
  std::vector<std::int64_t> heads;   ///< of every attention, beside each width; empty: all heads
  Training training = Training::Sampled;
  /// Shares of the draws, or factors of the losses, smallest granularity first. Those that are
  /// missing repeat the last; empty: all alike, and they sum to 1.
  std::vector<double> weights;
  bool operator==(const Nesting&) const = default;
};

/// One of the submodels that a model is trained to contain.
struct Granularity {
  std::string name;  ///< "S", "M", "L", "XL", "2XL", ... by size
  Submodel submodel;
  double weight = 1.0;  ///< probability of its draw, or factor of its loss
  bool operator==(const Granularity&) const = default;
};

/// The name of the granularity at this place, 0 for the smallest.
std::string granularityName(std::size_t place);

/// An eighth, a quarter, half and all of the widest feed-forward (Devvrit et al., section 3.1).
Nesting usualNesting(const ModelConfig& config);

/// The submodels that `nesting` asks for, smallest first, the whole model last. In a layer that is
/// narrower than a width all of it runs. Empty where nothing is nested.
std::vector<Granularity> granularities(const ModelConfig& config, const Nesting& nesting);

/// The place of the granularity that training step `step` draws: a function of these arguments
/// alone.
std::size_t drawnGranularity(const std::vector<Granularity>& granularities, std::uint64_t seed,
                             std::uint64_t step);

/// Throws Error naming the field, its value and what is allowed.
void validate(const Nesting& nesting);

/// One JSON object.
std::string toJson(const Nesting& nesting);
/// Reads what toJson wrote; `where` names the source in errors.
Nesting nestingFromJson(std::string_view json, const std::string& where);

}  // namespace tfm::matformer
