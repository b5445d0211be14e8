// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/generated_task.h"

namespace tfm::data {

/// The longest generated review in words, including commas and full stops; the shortest has 4.
inline constexpr std::int64_t kLongestReview = 30;

/// The words of the grammar in a fixed order. A review is a list of indices into them.
const std::vector<std::string>& sentimentWords();

/// A short film review of one to three clauses, such as "the ending is not slow at all , though the
/// plot drags ." Praise and blame are equally likely in every clause, and the polarity of the
/// review is not 0.
Ids drawReview(const Draws& draws);

/// How positive (> 0) or negative (< 0) a review is:
///  - a clause counts 2, with an intensifier (very, at all ...) 4, with a weakener (rather,
///    slightly ...) 1; it is positive if its adjective or verb is praise and negative if it is
///    blame, and each negation (not, nobody would say ...) changes the sign;
///  - clauses are added up, but a main clause counts twice if another one concedes something to it:
///    the second one in "A , but B" and in "although A , B", the first one in "A , though B".
/// Single words say little: because of "not" and "but", the same words in another order may mean
/// the opposite.
std::int64_t polarity(std::span<const std::int32_t> review);

}  // namespace tfm::data
