// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sentiment_grammar.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/check.h"

namespace tfm::data {
namespace {

/// What a word does to the polarity of its clause or review.
enum class Role {
  Neutral,
  Aspect,
  Praise,
  Blame,
  PraiseVerb,
  BlameVerb,
  Strengthen,
  Weaken,
  Turn,
  And,
  But,
  Although,
  Though,
  Comma,
  Stop,
};

struct Words {
  Role role;
  std::string_view text;
};

/// Praise and blame at the same index are opposites.
constexpr std::array kWords{
    Words{Role::Aspect,
          "film movie story plot script dialogue acting cast hero villain music score camera "
          "editing pacing direction humour romance opening middle ending finale scenery drama"},
    Words{Role::Praise,
          "good great clever funny warm fresh moving gripping charming brilliant lovely superb "
          "witty tender smart elegant"},
    Words{Role::Blame,
          "bad poor dull weak slow boring clumsy silly flat tired empty awful dreadful lazy messy "
          "stale"},
    Words{Role::PraiseVerb, "works shines convinces delights sparkles succeeds"},
    Words{Role::BlameVerb, "drags fails bores annoys disappoints stumbles"},
    Words{Role::Strengthen, "really truly very so all"},
    Words{Role::Weaken, "somewhat slightly rather fairly"},
    Words{Role::Turn, "never hardly not far nobody wrong"},
    Words{Role::And, "and"},
    Words{Role::But, "but"},
    Words{Role::Although, "although"},
    Words{Role::Though, "though"},
    Words{Role::Comma, ","},
    Words{Role::Stop, "."},
    Words{Role::Neutral,
          "the this is was i it would say that from at in second half of for me short honestly "
          "young director long scenes"},
};

void forEachWord(std::string_view text, const auto& visit) {
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find(' '), text.size());
    visit(text.substr(0, end));
  }
}

/// The contiguous ranges of word indices of each role.
class Lexicon {
 public:
  Lexicon() {
    for (const Words& group : kWords)
      forEachWord(group.text, [&](std::string_view word) {
        of_[static_cast<std::size_t>(group.role)].push_back(
            static_cast<std::int32_t>(words_.size()));
        words_.emplace_back(word);
        roles_.push_back(group.role);
      });
  }

  const std::vector<std::string>& words() const { return words_; }
  const Ids& of(Role role) const { return of_[static_cast<std::size_t>(role)]; }
  Role role(std::int32_t word) const {
    check(word >= 0 && static_cast<std::size_t>(word) < roles_.size(), "a word of the grammar");
    return roles_[static_cast<std::size_t>(word)];
  }
  std::int32_t find(std::string_view word) const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    check(found != words_.end(), "the grammar must contain the words it uses");
    return static_cast<std::int32_t>(found - words_.begin());
  }

  /// Praise for blame and blame for praise; -1 for other words.
  std::int32_t opposite(std::int32_t word) const {
    constexpr std::array<std::array<Role, 2>, 2> kPairs{
        {{Role::Praise, Role::Blame}, {Role::PraiseVerb, Role::BlameVerb}}};
    for (const auto& pair : kPairs)
      for (const std::size_t side : {0, 1})
        if (role(word) == pair[side])
          return of(pair[1 - side])[static_cast<std::size_t>(word - of(pair[side]).front())];
    return -1;
  }

 private:
  std::vector<std::string> words_;
  std::vector<Role> roles_;
  std::array<Ids, static_cast<std::size_t>(Role::Stop) + 1> of_;
};

const Lexicon& lexicon() {
  static const Lexicon lexicon;
  return lexicon;
}

/// The forms of a review; C is a clause.
constexpr std::array<std::string_view, 10> kReviews{"C .",
                                                    "C .",
                                                    "C .",
                                                    "C and C .",
                                                    "C . C .",
                                                    "C , but C .",
                                                    "C , but C .",
                                                    "although C , C .",
                                                    "C , though C .",
                                                    "C . C , but C ."};
constexpr std::array<std::string_view, 3> kOpeners{"honestly ,", "for me ,", "in short ,"};
constexpr std::array<std::string_view, 3> kTurns{"nobody would say that", "i would not say that",
                                                 "it is wrong that"};
constexpr std::array<std::string_view, 4> kPlaces{"in the second half", "of this film",
                                                  "in long scenes", "of the young director"};

/// Writes one review from consecutive draws.
class Writer {
 public:
  explicit Writer(const Draws& draws) : draws_(draws) {}

  Ids review() {
    const std::string_view form = kReviews[shape(kReviews.size())];
    const auto clauses = std::count(form.begin(), form.end(), 'C');
    // Keeps reviews within kLongestReview.
    bool turned = clauses <= 2 && oneIn(6);
    if (!turned && oneIn(4)) write(any(kOpeners));
    forEachWord(form, [&](std::string_view part) {
      if (part != "C") return write(part);
      if (turned) write(any(kTurns));
      turned = false;
      clause(clauses <= 2 && oneIn(3));
    });
    // The weights are balanced, so negating the last clause makes the sum nonzero.
    if (polarity(words_) == 0) turnLast();
    return std::move(words_);
  }

 private:
  void clause(bool with_place) {
    write("the");
    add(Role::Aspect);
    if (with_place) write(any(kPlaces));
    const bool turned = content(5) < 2;
    const bool praise = content(2) == 0;
    if (content(3) == 0)
      verb(turned, praise);
    else
      adjective(turned, praise);
  }

  void verb(bool turned, bool praise) {
    constexpr std::size_t kOfVerbs = 2;  // "really", not "very"
    if (turned) add(Role::Turn, kOfVerbs);
    if (content(3) == 0) add(adverb(turned), kOfVerbs);
    add(praise ? Role::PraiseVerb : Role::BlameVerb);
  }

  void adjective(bool turned, bool praise) {
    write(content(2) == 0 ? "is" : "was");
    const bool from_far = turned && content(4) == 0;
    if (from_far) write("far from");
    if (turned && !from_far) add(Role::Turn, 3);
    const bool graded = content(5) < 2;
    constexpr std::size_t kAdverbs = 4;  // without "all"
    if (graded) add(adverb(turned), kAdverbs);
    add(praise ? Role::Praise : Role::Blame);
    if (turned && !from_far && !graded && content(2) == 0) write("at all");
  }

  /// "not very good" is English, "not rather good" is not.
  Role adverb(bool turned) { return turned || content(2) == 0 ? Role::Strengthen : Role::Weaken; }

  void turnLast() {
    const auto last = std::find_if(words_.rbegin(), words_.rend(),
                                   [](std::int32_t word) { return lexicon().opposite(word) >= 0; });
    *last = lexicon().opposite(*last);
  }

  void write(std::string_view words) {
    forEachWord(words, [&](std::string_view word) { words_.push_back(lexicon().find(word)); });
  }
  /// One of the first `most` words of a role.
  void add(Role role, std::size_t most = 1000) {
    const Ids& words = lexicon().of(role);
    words_.push_back(words[content(std::min(most, words.size()))]);
  }
  std::string_view any(const auto& texts) { return texts[shape(texts.size())]; }
  bool oneIn(std::size_t bound) { return shape(bound) == 0; }
  std::size_t shape(std::size_t bound) {
    return static_cast<std::size_t>(draws_.shape(shapes_++, static_cast<std::int64_t>(bound)));
  }
  std::size_t content(std::size_t bound) {
    return static_cast<std::size_t>(draws_.content(contents_++, static_cast<std::int64_t>(bound)));
  }

  const Draws& draws_;
  std::uint64_t shapes_ = 0;
  std::uint64_t contents_ = 0;
  Ids words_;
};

struct Clause {
  std::int64_t weight = 1;
  std::int64_t strength = 2;
  std::int64_t side = 0;
  std::int64_t turns = 1;
  std::int64_t counted() const { return weight * strength * side * turns; }
};

}  // namespace

const std::vector<std::string>& sentimentWords() { return lexicon().words(); }

Ids drawReview(const Draws& draws) { return Writer(draws).review(); }

std::int64_t polarity(std::span<const std::int32_t> review) {
  std::int64_t sum = 0;
  Clause clause;
  bool concedes = false;  // inside "although A"
  const auto next = [&](std::int64_t weight) {
    sum += clause.counted();
    clause = {.weight = weight};
  };
  for (const std::int32_t word : review) {
    switch (lexicon().role(word)) {
      case Role::Praise:
      case Role::PraiseVerb:
        clause.side = 1;
        break;
      case Role::Blame:
      case Role::BlameVerb:
        clause.side = -1;
        break;
      case Role::Strengthen:
        clause.strength = 4;
        break;
      case Role::Weaken:
        clause.strength = 1;
        break;
      case Role::Turn:
        clause.turns = -clause.turns;
        break;
      case Role::And:
      case Role::Stop:
        next(1);
        break;
      case Role::But:
        next(2);
        break;
      case Role::Though:
        clause.weight = 2;
        next(1);
        break;
      case Role::Although:
        concedes = true;
        break;
      case Role::Comma:
        if (concedes) next(2);
        concedes = false;
        break;
      case Role::Neutral:
      case Role::Aspect:
        break;
    }
  }
  return sum + clause.counted();
}

}  // namespace tfm::data
