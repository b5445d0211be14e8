// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace tfm::matformer {

/// A well-known notebook's wiring of nested submodels, rebuilt to be measured against the published
/// method (Devvrit et al. 2023). It classifies a sequence into one of two classes. What is wrong
/// with it, and kept here:
///   - Attention runs over the sequences of a batch, at each position apart, and never over the
///     positions of a sequence: an answer depends on what else is in the batch.
///   - Each granularity has attention and norms of its own, which are never trained and not stored:
///     a model that is read again has others.
///   - One feed-forward serves all layers and granularities; its values begin with deviation 1.
///   - Padding takes part in the mean over the positions.
/// Not kept: it cuts the feed-forward's second bias to the width, which fails where that is below
/// the hidden size.
struct NotebookWiring {
  std::int64_t hidden = 256;
  std::int64_t feed_forward = 2048;
  std::int64_t heads = 4;
  std::int64_t layers = 2;
  std::size_t granularities = 4;
  std::int64_t head_size = 512;  ///< between the mean and the answer
  std::int64_t vocabulary = 0;   ///< of a trained token table; 0: reads features, hidden wide
};

/// The widths of its granularities, smallest first: the feed-forward size halved again and again.
std::vector<std::int64_t> widthsOf(const NotebookWiring& wiring);

/// One granularity (0: the smallest) with its loss, for one batch shape. The program's parameters
/// are those that are trained, the same ones for all granularities; what is never trained is a
/// constant, drawn from `untrained_seed`. It reads and answers under the names of buildProgram(),
/// besides notebookOrders(). Throws Error naming a size that is not allowed.
Program buildNotebookProgram(const NotebookWiring& wiring, std::size_t granularity,
                             const BatchShape& shape, std::uint64_t untrained_seed);

/// Integers of such a program that are the same for every batch.
struct FixedIds {
  std::string_view name;
  std::vector<std::int32_t> values;
};
/// Where its rows go: from (sequence, position) to (position, sequence), and back.
std::array<FixedIds, 2> notebookOrders(const BatchShape& shape);

}  // namespace tfm::matformer
