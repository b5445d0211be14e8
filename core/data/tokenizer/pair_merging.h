// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm::data {

/// A word as indices into a list of pieces, and how often it occurs.
struct CountedPieces {
  std::vector<std::int32_t> pieces;
  std::int64_t count = 0;
};

/// Two neighbouring pieces: the left one in the high half, so that pairs compare as (left, right).
using PiecePair = std::uint64_t;

PiecePair pairOf(std::int32_t left, std::int32_t right);

/// Replaces each occurrence of a pair by the joined piece, from the front. Returns whether there
/// was one.
bool joinPair(std::vector<std::int32_t>& pieces, PiecePair pair, std::int32_t joined);

/// Byte pair encoding (Sennrich et al. 2016, algorithm 1) of a table of words. A merge visits only
/// the words with the merged pair.
class PairMerging {
 public:
  /// All pieces of a word but the first begin with `continuation`.
  PairMerging(std::vector<std::string> pieces, std::vector<CountedPieces> words,
              std::string_view continuation);

  const std::vector<std::string>& pieces() const { return pieces_; }

  /// Merges the most frequent pair of neighbours everywhere; of equally frequent ones, that of the
  /// earlier pieces. Adds the merged piece unless another pair has already produced it. Returns
  /// false and does nothing if no pair occurs `min_count` (>= 1) times.
  bool mergeBest(std::int64_t min_count);

 private:
  using Pair = PiecePair;
  struct Occurrences {
    std::int64_t count = 0;
    std::vector<std::size_t> words;  // all words with the pair, and some that had it
  };
  struct Candidate {
    std::int64_t count;
    Pair pair;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  void merge(Pair pair);
  void addWord(Pair pair, std::size_t word);
  std::int32_t joinedPiece(Pair pair);

  std::string_view continuation_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, std::int32_t> places_;
  std::vector<CountedPieces> words_;
  std::unordered_map<Pair, Occurrences> pairs_;
  // Each change of a count adds a candidate; outdated ones are skipped.
  std::priority_queue<Candidate> candidates_;
};

}  // namespace tfm::data
