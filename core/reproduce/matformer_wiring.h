// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace tfm::reproduce {

/// The wiring of nested submodels in a well-known notebook, reproduced to compare it with the
/// published method (Devvrit et al. 2023). A binary sequence classifier. Its flaws, kept here:
///   - Attention runs over the sequences of a batch, separately at each position, and never over
///     the positions of a sequence: answers depend on the rest of the batch.
///   - Each granularity has its own attention and norms, which are neither trained nor stored: a
///     model has different ones when loaded.
///   - One feed-forward serves all layers and granularities; its initial deviation is 1.
///   - The mean over positions includes padding.
/// Not kept: it truncates the second bias of the feed-forward to the width, which fails for widths
/// below the hidden size.
struct NotebookWiring {
  std::int64_t hidden = 256;
  std::int64_t feed_forward = 2048;
  std::int64_t heads = 4;
  std::int64_t layers = 2;
  std::size_t granularities = 4;
  std::int64_t head_size = 512;  ///< hidden size of the classifier
  std::int64_t vocabulary = 0;   ///< of a trained embedding; 0: reads features of width hidden
};

/// The widths of its granularities, smallest first: feed_forward / 2^i.
std::vector<std::int64_t> widthsOf(const NotebookWiring& wiring);

/// One granularity (0: the smallest) with its loss, for one batch shape. The program's parameters
/// are the trained ones, shared by all granularities; untrained ones are random constants drawn
/// from `untrained_seed`. Its inputs and outputs have the names of buildProgram(), in addition to
/// notebookOrders().
Program buildNotebookProgram(const NotebookWiring& wiring, std::size_t granularity,
                             const BatchShape& shape, std::uint64_t untrained_seed);

/// Integer inputs of such a program that are the same for all batches.
struct FixedIds {
  std::string_view name;
  std::vector<std::int32_t> values;
};
/// The permutations of rows from (sequence, position) to (position, sequence), and back.
std::array<FixedIds, 2> notebookOrders(const BatchShape& shape);

}  // namespace tfm::reproduce
