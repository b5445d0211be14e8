// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfm::fuzz {

/// One of `corpus` with a few random changes: bits flipped, bytes inserted, removed, repeated, cut
/// or spliced from another one, numbers and tokens exchanged. A pure function of the corpus and
/// `iteration`, so that any finding can be repeated.
std::string mutated(const std::vector<std::string>& corpus, std::uint64_t iteration);

}  // namespace tfm::fuzz
