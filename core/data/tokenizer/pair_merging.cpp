// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pair_merging.h"

#include <utility>

namespace tfm::data {
namespace {

std::int32_t left(PiecePair pair) { return static_cast<std::int32_t>(pair >> 32); }
std::int32_t right(PiecePair pair) { return static_cast<std::int32_t>(pair & 0xFFFFFFFF); }

template <class Visit>
void forEachPair(const std::vector<std::int32_t>& pieces, Visit&& visit) {
  for (std::size_t i = 1; i < pieces.size(); ++i) visit(pairOf(pieces[i - 1], pieces[i]));
}

}  // namespace

PiecePair pairOf(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

bool joinPair(std::vector<std::int32_t>& pieces, PiecePair pair, std::int32_t joined) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool here = i + 1 < pieces.size() && pairOf(pieces[i], pieces[i + 1]) == pair;
    pieces[kept++] = here ? joined : pieces[i];
    if (here) ++i;
  }
  const bool joined_any = kept < pieces.size();
  pieces.resize(kept);
  return joined_any;
}

PairMerging::PairMerging(std::vector<std::string> pieces, std::vector<CountedPieces> words,
                         std::string_view continuation)
    : continuation_(continuation), pieces_(std::move(pieces)), words_(std::move(words)) {
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    places_.emplace(pieces_[i], static_cast<std::int32_t>(i));
  for (std::size_t word = 0; word < words_.size(); ++word)
    forEachPair(words_[word].pieces, [&](Pair pair) {
      pairs_[pair].count += words_[word].count;
      addWord(pair, word);
    });
  for (const auto& [pair, occurrences] : pairs_) candidates_.push({occurrences.count, pair});
}

bool PairMerging::mergeBest(std::int64_t min_count) {
  while (!candidates_.empty() && candidates_.top().count >= min_count) {
    const Candidate best = candidates_.top();
    candidates_.pop();
    if (pairs_[best.pair].count != best.count) continue;
    merge(best.pair);
    return true;
  }
  return false;
}

void PairMerging::merge(Pair pair) {
  const std::int32_t joined = joinedPiece(pair);
  std::unordered_map<Pair, std::int64_t> changes;
  for (const std::size_t word : std::exchange(pairs_[pair].words, {})) {
    auto& [pieces, count] = words_[word];
    const std::vector<std::int32_t> before = pieces;
    if (!joinPair(pieces, pair, joined)) continue;
    forEachPair(before, [&](Pair old) { changes[old] -= count; });
    forEachPair(pieces, [&](Pair now) {
      changes[now] += count;
      if (left(now) == joined || right(now) == joined) addWord(now, word);
    });
  }
  for (const auto& [changed, difference] : changes) {
    if (difference == 0) continue;
    const std::int64_t count = pairs_[changed].count += difference;
    if (count > 0) candidates_.push({count, changed});
  }
}

void PairMerging::addWord(Pair pair, std::size_t word) {
  std::vector<std::size_t>& words = pairs_[pair].words;
  if (words.empty() || words.back() != word) words.push_back(word);  // once for "aaaa"
}

std::int32_t PairMerging::joinedPiece(Pair pair) {
  const auto text = [this](std::int32_t piece) { return pieces_[static_cast<std::size_t>(piece)]; };
  const std::string joined = text(left(pair)) + text(right(pair)).substr(continuation_.size());
  const auto [place, is_new] = places_.emplace(joined, static_cast<std::int32_t>(pieces_.size()));
  if (is_new) pieces_.push_back(joined);
  return place->second;
}

}  // namespace tfm::data
