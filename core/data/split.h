// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>

namespace tfm::data {

/// The two sides of a task's examples.
enum class Split { Training, Evaluation };

/// A 64-bit hash of ids, the same on every machine and in every version.
std::uint64_t stableHash(std::span<const std::int32_t> ids);
/// The hash of a text, by its bytes.
std::uint64_t stableHash(std::string_view text);

/// The side of an example by its hash alone, independent of seed, order and batch size: a share of
/// about `held_out` is for evaluation.
Split splitOf(std::uint64_t hash, double held_out);

/// For stored examples: those with a hash below the returned one are for evaluation. They are a
/// share held_out of the different hashes, at least one and not all: unlike splitOf(), this never
/// leaves a side of a small file empty. At least two hashes are required.
std::uint64_t firstTrainedHash(const std::set<std::uint64_t>& hashes, double held_out);

}  // namespace tfm::data
