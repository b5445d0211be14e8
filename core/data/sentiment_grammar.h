// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/generated_task.h"

namespace tfm::data {

/// The most words of a review that the grammar makes, commas and stops counted; the fewest are 4.
inline constexpr std::int64_t kLongestReview = 30;

/// The words that the grammar knows, each once, in a fixed order. A review is a list of their
/// numbers.
const std::vector<std::string>& sentimentWords();

/// A short review of a film: one to three clauses about parts of it, such as "the ending is not
/// slow at all , though the plot drags ." Praise and blame are equally likely in every clause,
/// whatever else is in it, and its polarity is not 0.
Ids drawReview(const Draws& draws);

/// How far a review is for (> 0) or against (< 0) its film:
///  - a clause counts 2, with a strengthening word (very, at all ...) 4, with a weakening one
///    (rather, slightly ...) 1; it counts for the film where its adjective or verb is praise and
///    against it where that is blame, and each turning word (not, nobody would say ...) changes the
///    side;
///  - clauses are added up, but a main clause counts twice where another concedes something to it:
///    the second one in "A , but B" and in "although A , B", the first one in "A , though B".
/// A word alone says little: "not" and "but" change sides, so that the same words in another order
/// may mean the opposite.
std::int64_t polarity(std::span<const std::int32_t> review);

}  // namespace tfm::data
