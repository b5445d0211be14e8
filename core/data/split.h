// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <span>

namespace tfm::data {

/// Which side of a task's examples: those it learns from, or those that only measure it.
enum class Split { Training, Evaluation };

/// A fixed 64-bit number for a sequence of ids, the same on every machine and in every version.
std::uint64_t stableHash(std::span<const std::int32_t> ids);

/// The side that an example belongs to, decided by its own hash: about `held_out` of all examples
/// are for evaluation, and no seed, order or batch size ever moves one across.
Split splitOf(std::uint64_t hash, double held_out);

/// For stored examples: those with a lower hash than this are for evaluation. That are held_out of
/// the different ones, at least one and not all: unlike splitOf(), this leaves no side of a small
/// file empty. There must be two or more hashes.
std::uint64_t firstTrainedHash(const std::set<std::uint64_t>& hashes, double held_out);

}  // namespace tfm::data
