// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/piece_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <utility>

#include "core/base/error.h"
#include "core/data/tokenizer/pair_merging.h"
#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/io/fields.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using io::ObjectReader;
using nlohmann::json;

/// The characters of a piece, as parts of it.
std::vector<std::string_view> charactersIn(std::string_view piece) {
  std::vector<std::string_view> characters;
  for (std::size_t at = 0; at < piece.size(); at += characters.back().size())
    characters.push_back(piece.substr(at, io::characterAt(piece, at).length));
  return characters;
}

/// The tokens of the bytes of a text, where each byte has one; else none.
Ids byteTokens(std::string_view text, const TokenNames& names) {
  Ids ids;
  for (const char byte : text) {
    const std::int32_t id = names.find(byteName(static_cast<unsigned char>(byte)));
    if (id < 0) return {};
    ids.push_back(id);
  }
  return ids;
}

/// The id of the token that a setting names; -1 if it is missing or null.
std::int32_t namedToken(ObjectReader& settings, const char* setting, const TokenNames& names) {
  const json* value = settings.child(setting);
  if (value == nullptr || value->is_null()) return -1;
  const auto name = settings.get<std::string>(setting, "");
  const std::int32_t id = names.find(name);
  if (id < 0) settings.throwInvalid(setting, "a token of the vocabulary");
  return id;
}

std::string textOr(ObjectReader& settings, const char* setting) {
  const json* value = settings.child(setting);
  return value == nullptr || value->is_null() ? "" : settings.get<std::string>(setting, "");
}

// --- BPE ----------------------------------------------------------------------------------------

struct Merge {
  std::int32_t rank = 0, joined = 0;
};

struct PairMerges {
  const TokenNames* names;
  std::unordered_map<PiecePair, Merge> merges;
  std::string prefix, suffix;  // of characters within a word, and of the last one
  std::int32_t unknown = -1;
  bool fuse_unknown = false, byte_fallback = false, whole_first = false;

  void append(std::string_view piece, Ids& ids) const {
    if (whole_first)
      if (const std::int32_t id = names->find(piece); id >= 0) return ids.push_back(id);
    const Ids merged = mergedFrom(charactersOf(piece));
    ids.insert(ids.end(), merged.begin(), merged.end());
  }

 private:
  /// The tokens of single characters.
  Ids charactersOf(std::string_view piece) const {
    Ids ids;
    bool unknown_waits = false;  // as in the library, behind the bytes of following characters
    const auto flush = [&] {
      if (std::exchange(unknown_waits, false)) ids.push_back(unknown);
    };
    const std::vector<std::string_view> characters = charactersIn(piece);
    for (std::size_t i = 0; i < characters.size(); ++i) {
      std::string name(characters[i]);
      if (i > 0) name.insert(0, prefix);
      if (i + 1 == characters.size()) name += suffix;
      if (const std::int32_t id = names->find(name); id >= 0) {
        flush();
        ids.push_back(id);
        continue;
      }
      if (byte_fallback)
        if (const Ids bytes = byteTokens(name, *names); !bytes.empty()) {
          ids.insert(ids.end(), bytes.begin(), bytes.end());
          continue;
        }
      if (unknown < 0) continue;
      if (!fuse_unknown) flush();
      unknown_waits = true;
    }
    flush();
    return ids;
  }

  /// A neighbourhood: tokens in a list, so that a merge costs the logarithm of their number.
  struct Node {
    std::int32_t id = 0;
    std::ptrdiff_t before = -1, after = -1;
    bool gone = false;
  };
  struct Candidate {
    std::int32_t rank;
    std::ptrdiff_t left;
    std::int32_t joined;
    bool operator<(const Candidate& other) const {  // the queue's first is the largest
      return rank != other.rank ? rank > other.rank : left > other.left;
    }
  };

  Ids mergedFrom(const Ids& ids) const {
    std::vector<Node> nodes(ids.size());
    std::priority_queue<Candidate> queue;
    const auto find = [&](std::ptrdiff_t left) -> const Merge* {
      if (left < 0 || nodes[std::size_t(left)].after < 0) return nullptr;
      const Node& node = nodes[std::size_t(left)];
      const auto found = merges.find(pairOf(node.id, nodes[std::size_t(node.after)].id));
      return found == merges.end() ? nullptr : &found->second;
    };
    const auto offer = [&](std::ptrdiff_t left) {
      if (const Merge* merge = find(left)) queue.push({merge->rank, left, merge->joined});
    };
    for (std::size_t i = 0; i < ids.size(); ++i)
      nodes[i] = {ids[i], std::ptrdiff_t(i) - 1, i + 1 < ids.size() ? std::ptrdiff_t(i) + 1 : -1};
    for (std::size_t i = 0; i < ids.size(); ++i) offer(std::ptrdiff_t(i));
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      Node& left = nodes[std::size_t(best.left)];
      const Merge* merge = left.gone ? nullptr : find(best.left);
      if (merge == nullptr || merge->joined != best.joined) continue;  // one of the two has changed
      Node& right = nodes[std::size_t(left.after)];
      left.id = best.joined;
      left.after = right.after;
      right.gone = true;
      if (right.after >= 0) nodes[std::size_t(right.after)].before = best.left;
      offer(left.before);
      offer(best.left);
    }
    Ids merged;
    for (const Node& node : nodes)
      if (!node.gone) merged.push_back(node.id);
    return merged;
  }
};

/// ["Ġ", "t"], or "Ġ t" in older files.
std::pair<std::string, std::string> pairFrom(const json& entry, const std::string& where) {
  if (entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string())
    return {entry[0].get<std::string>(), entry[1].get<std::string>()};
  const std::string text = entry.is_string() ? entry.get<std::string>() : std::string();
  const std::size_t space = text.find(' ');
  if (space == text.npos || text.find(' ', space + 1) != text.npos)
    throw Error("a merge is " + io::shortened(entry.dump(), 60), where,
                R"(Expected two tokens, as ["a", "b"] or "a b")");
  return {text.substr(0, space), text.substr(space + 1)};
}

ReadModel pairMerges(ObjectReader& settings, const TokenNames& names) {
  auto model = std::make_shared<PairMerges>();
  model->names = &names;
  model->prefix = textOr(settings, "continuing_subword_prefix");
  model->suffix = textOr(settings, "end_of_word_suffix");
  model->unknown = namedToken(settings, "unk_token", names);
  model->fuse_unknown = settings.get("fuse_unk", false);
  model->byte_fallback = settings.get("byte_fallback", false);
  model->whole_first = settings.get("ignore_merges", false);
  if (const json* dropout = settings.child("dropout"); dropout != nullptr && !dropout->is_null())
    if (settings.get("dropout", 0.0) != 0.0) settings.throwInvalid("dropout", "null or 0");
  const json* list = settings.child("merges");
  if (list == nullptr || !list->is_array()) settings.throwInvalid("merges", "a list of pairs");
  const std::string where = settings.where() + ", merges";
  for (std::size_t rank = 0; rank < list->size(); ++rank) {
    const auto [left, right] = pairFrom((*list)[rank], where);
    const std::string joined =
        left + (right.starts_with(model->prefix) ? right.substr(model->prefix.size()) : right);
    for (const std::string& name : {left, right, joined})
      if (names.find(name) < 0)
        throw Error("the merge of " + io::inQuotes(left) + " and " + io::inQuotes(right) +
                        " needs the token " + io::inQuotes(name),
                    where, "The vocabulary does not have it; use the files of one tokenizer");
    // Of equal pairs the last one counts, as in the library.
    model->merges[pairOf(names.find(left), names.find(right))] = {std::int32_t(rank),
                                                                  names.find(joined)};
  }
  return {[model](std::string_view piece, Ids& ids) { model->append(piece, ids); }, model->unknown};
}

// --- Unigram ------------------------------------------------------------------------------------

struct Unigrams {
  const TokenNames* names;
  std::vector<double> scores;  // log probabilities, by id
  std::size_t longest = 0;     // bytes
  double unknown_score = 0.0;
  std::int32_t unknown = -1;
  bool byte_fallback = false;

  /// The best way to each place, from the front.
  void append(std::string_view piece, Ids& ids) const {
    struct Step {
      double score = -std::numeric_limits<double>::infinity();
      std::size_t begin = 0;
      std::int32_t id = -1;
    };
    std::vector<Step> best(piece.size() + 1);
    best[0].score = 0.0;
    const auto offer = [&](std::size_t begin, std::size_t end, double score, std::int32_t id) {
      const double sum = best[begin].score + score;
      if (sum > best[end].score) best[end] = {sum, begin, id};
    };
    for (std::size_t at = 0, length = 0; at < piece.size(); at += length) {
      length = io::characterAt(piece, at).length;
      bool single = false;
      const std::size_t most = std::min(longest, piece.size() - at);
      for (std::size_t size = length; size <= most;) {
        if (const std::int32_t id = names->find(piece.substr(at, size)); id >= 0) {
          offer(at, at + size, scores[std::size_t(id)], id);
          single = single || size == length;
        }
        if (at + size == piece.size()) break;
        size += io::characterAt(piece, at + size).length;
      }
      if (!single) offer(at, at + length, unknown_score, -1);
    }
    appendPath(piece, best, ids);
  }

 private:
  template <class Step>
  void appendPath(std::string_view piece, const std::vector<Step>& best, Ids& ids) const {
    std::vector<Step> path;
    std::vector<std::size_t> ends;
    for (std::size_t at = piece.size(); at > 0; at = best[at].begin) {
      // Unknown neighbours are one.
      if (!path.empty() && path.back().id < 0 && best[at].id < 0) {
        path.back().begin = best[at].begin;
        continue;
      }
      path.push_back(best[at]);
      ends.push_back(at);
    }
    for (std::size_t i = path.size(); i-- > 0;) {
      if (path[i].id >= 0) {
        ids.push_back(path[i].id);
        continue;
      }
      const std::string_view text = piece.substr(path[i].begin, ends[i] - path[i].begin);
      const Ids bytes = byte_fallback ? byteTokens(text, *names) : Ids();
      ids.insert(ids.end(), bytes.begin(), bytes.end());
      if (bytes.empty()) ids.push_back(unknown);
    }
  }
};

ReadModel unigrams(ObjectReader& settings, const TokenNames& names) {
  constexpr double kUnknownPenalty = 10.0;
  auto model = std::make_shared<Unigrams>();
  model->names = &names;
  model->byte_fallback = settings.get("byte_fallback", false);
  const json* list = settings.child("scores");
  const auto isNumber = [](const json& value) { return value.is_number(); };
  if (list == nullptr || !list->is_array() || list->size() > names.tokens().size() ||
      list->empty() || !std::ranges::all_of(*list, isNumber))
    settings.throwInvalid("scores", "a number for each token");
  model->scores = list->get<std::vector<double>>();
  model->unknown_score = std::ranges::min(model->scores) - kUnknownPenalty;
  model->scores.resize(names.tokens().size(), model->unknown_score);
  for (const std::string& token : names.tokens())
    model->longest = std::max(model->longest, token.size());
  const auto unknown = settings.get<std::int64_t>("unk_id", -1);
  if (unknown < 0 || unknown >= std::ssize(names.tokens()))
    settings.throwInvalid("unk_id", "the id of a token");
  model->unknown = std::int32_t(unknown);
  return {[model](std::string_view piece, Ids& ids) { model->append(piece, ids); }, model->unknown};
}

// --- WordPiece ----------------------------------------------------------------------------------

ReadModel longestPieces(ObjectReader& settings, const TokenNames& names) {
  const auto prefix = settings.get<std::string>("continuing_subword_prefix", "##");
  const auto most = settings.get<std::int64_t>("max_input_chars_per_word", 100);
  const std::int32_t unknown = namedToken(settings, "unk_token", names);
  if (unknown < 0) settings.throwInvalid("unk_token", "a token of the vocabulary");
  const auto append = [&names, prefix, most, unknown](std::string_view word, Ids& ids) {
    const std::vector<std::string_view> characters = charactersIn(word);
    Ids pieces;
    std::size_t begin = 0, count = characters.size();
    if (std::ssize(characters) > most) return ids.push_back(unknown);
    while (begin < word.size()) {
      std::size_t end = word.size();
      std::int32_t id = -1;
      for (std::size_t last = count; end > begin; end -= characters[--last].size()) {
        const std::string_view part = word.substr(begin, end - begin);
        id = begin == 0 ? names.find(part) : names.find(prefix + std::string(part));
        if (id >= 0) break;
      }
      if (id < 0) return ids.push_back(unknown);
      pieces.push_back(id);
      begin = end;
    }
    ids.insert(ids.end(), pieces.begin(), pieces.end());
  };
  return {append, unknown};
}

struct ModelKind {
  std::string_view type;
  ReadModel (*read)(ObjectReader& settings, const TokenNames& names);
};
constexpr std::array kModels{ModelKind{"BPE", pairMerges}, ModelKind{"Unigram", unigrams},
                             ModelKind{"WordPiece", longestPieces}};

}  // namespace

TokenNames::TokenNames(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {
  for (std::size_t id = 0; id < tokens_.size(); ++id)
    if (!tokens_[id].empty()) ids_.emplace(tokens_[id], std::int32_t(id));
}

std::int32_t TokenNames::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? -1 : found->second;
}

ReadModel pieceModelFrom(const json& object, const TokenNames& names, const std::string& where) {
  ObjectReader reader(object, where);
  const auto type = reader.get<std::string>("type", "");
  for (const ModelKind& kind : kModels) {
    if (kind.type != type) continue;
    ReadModel model = kind.read(reader, names);
    reader.refuseUnknown("this setting is not read",
                         "If no token depends on it, remove it from the file");
    return model;
  }
  throw Error("the model of the tokenizer is " + io::inQuotes(io::shortened(type, 60)), where,
              "Expected BPE, Unigram or WordPiece");
}

}  // namespace tfm::data
