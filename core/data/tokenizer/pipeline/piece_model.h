// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// The tokens of a model by id, as its file names them, and by name. A token without a name is
/// never found.
class TokenNames {
 public:
  explicit TokenNames(std::vector<std::string> tokens);

  const std::vector<std::string>& tokens() const { return tokens_; }
  /// The id of a token, or -1.
  std::int32_t find(std::string_view name) const;

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string_view, std::int32_t> ids_;  // of tokens_
};

/// Appends the tokens of a piece.
using PieceModel = std::function<void(std::string_view piece, Ids& ids)>;

struct ReadModel {
  PieceModel append;
  std::int32_t unknown = -1;  ///< the token of what has none
};

/// The "model" of a tokenizer.json, without its vocabulary, which is `names`: BPE (Sennrich et al.
/// 2016: the merge that was learned first is made first, the leftmost of equal ones), Unigram (Kudo
/// 2018, section 3.1: the most probable pieces), or WordPiece (Wu et al. 2016, section 4.1: the
/// longest pieces from the front), as in the tokenizers library. `names` must outlive the result.
/// Throws Error as normalizerFrom().
ReadModel pieceModelFrom(const nlohmann::json& object, const TokenNames& names,
                         const std::string& where);

}  // namespace tfm::data
