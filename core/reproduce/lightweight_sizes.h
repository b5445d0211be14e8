// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/delight.h"
#include "core/model/model_config.h"
#include "core/reproduce/claim.h"

namespace tfm::reproduce {

/// The Funnel with blocks of 4, 4 and 4 layers of hidden size 768; `every_layer`: each layer but
/// the first pools, as the notes say, instead of the first of each block.
ModelConfig funnelOf444(bool every_layer = false);
/// The length after each of its 12 layers.
Numbers lengthsOf(const ModelConfig& config, std::int64_t tokens);
/// Rows of the queries, keys, values and residual in its first layer that pools.
Numbers rowsOfPoolingAttention(std::int64_t tokens);
/// With a layer at full length after them: the layer, from 1, whose output is added to the
/// up-sampled states.
std::int64_t layerAddedToCopies();
/// Operations of one of its layers at full length for `tokens` tokens.
double operationsAt(std::int64_t tokens);

/// The maps of a DExTra unit with w_m = 2.
std::vector<GroupedSizes> dextraUnit(std::int64_t hidden, std::int64_t depth);
/// How many of `size` features each output of a grouped map reads: ones through weights of one.
Numbers readFeatures(std::int64_t size, std::int64_t groups);
/// All that they read: the weights of a map from `size` features to as many.
double weightsOfGroups(std::int64_t size, std::int64_t groups);
/// The columns of 1 ... size after a grouped map that changes nothing, and the shuffle.
Numbers shuffled(std::int64_t size, std::int64_t groups);
/// Which of the pooled vectors, from 0, each of `length` positions repeats.
Numbers repeatedVectors(std::int64_t length, std::int64_t times);

}  // namespace tfm::reproduce
