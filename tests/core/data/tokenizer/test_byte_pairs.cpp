// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/data/builtin_text.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/byte_pairs.h"
#include "core/data/tokenizer/subword_learning.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;
using tfm::test::Golden;

using Tokens = std::vector<std::string>;

namespace {

Tokens learnPairs(const Tokens& texts, std::int64_t size, std::int64_t least) {
  return learnBytePairs({.kind = TokenizerKind::BytePair,
                         .vocabulary_size = size,
                         .least_count = least,
                         .vocabulary = {}},
                        texts);
}

Tokens textsOf(const Golden& list) {
  Tokens texts;
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(list.at(i).text());
  return texts;
}

Ids idsOf(const Golden& list) {
  Ids ids;
  for (const double id : list.numbers()) ids.push_back(std::int32_t(id));
  return ids;
}

/// A vocabulary of these tokens after the special ones.
BytePairs pairs(Tokens tokens) {
  tokens.insert(tokens.begin(), {"<pad>", "<unknown>", "<start>"});
  return BytePairs(std::move(tokens));
}

}  // namespace

class TestBytePairs : public QObject {
  Q_OBJECT

 private slots:
  void learnsAndSplitsAsTheTokenizersPackage() {
    const Golden golden = Golden::read("byte_pairs");
    const Tokens sentences = textsOf(golden.at("sentences"));
    const Golden texts = golden.at("texts"), cases = golden.at("vocabularies");
    QVERIFY(cases.size() > 3 && texts.size() > 5);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Golden expected = cases.at(i);
      const Tokens tokens = learnPairs(sentences, std::int64_t(expected.at("size").number()),
                                       std::int64_t(expected.at("least").number()));
      QCOMPARE(tokens, textsOf(expected.at("tokens")));
      const BytePairs tokenizer(tokens);
      for (std::size_t t = 0; t < texts.size(); ++t)
        QCOMPARE(tokenizer.encode(texts.at(t).at("text").text()), idsOf(expected.at("ids").at(t)));
    }
  }

  void splitsAtTheMergesInTheirOrder() {
    // "bc" was merged before "ab", and "abc" from "a" and "bc".
    QCOMPARE(pairs({"a", "b", "c", "bc", "ab", "abc"}).encode("abc ab"), (Ids{8, 1, 7}));
    QCOMPARE(pairs({"a", "b", "c", "bc", "ab"}).encode("abc"), (Ids{3, 6}));
    // The other order: "ab" first.
    QCOMPARE(pairs({"a", "b", "c", "ab", "bc"}).encode("abc"), (Ids{6, 5}));
    QCOMPARE(pairs({"a", "aa"}).encode("aaaaa"), (Ids{4, 4, 3}));
  }

  void textsComeBackWithSingleSpaces() {
    const Golden golden = Golden::read("byte_pairs");
    const Tokens sentences = textsOf(golden.at("sentences"));
    const BytePairs tokenizer(learnPairs(sentences, 300, 1));
    for (const std::string& sentence : sentences)
      QCOMPARE(tokenizer.decode(tokenizer.encode(sentence)), sentence);
    const Golden texts = golden.at("texts");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::string joined;
      for (const std::string& word : spacedWords(texts.at(i).at("text").text())) joined += word;
      QCOMPARE(joined, texts.at(i).at("plain").text());
    }
    // Letter case and accents matter, unlike for words.
    QVERIFY(tokenizer.encode("Où") != tokenizer.encode("ou"));
    QCOMPARE(spacedWords("L'été  dernier !"), (Tokens{"L", "'", "été", " dernier", " !"}));
    QCOMPARE(spacedWords(" \n"), Tokens());
  }

  void aTextStopsAtThePad() {
    const BytePairs tokenizer = pairs({"a", "b", "ab"});
    QCOMPARE(tokenizer.decode(Ids{2, 5, 3, 0, 4}), std::string("aba"));
  }

  void noTextIsASpecialToken() {
    const BytePairs tokenizer(learnPairs({"<pad> <start> <unknown>", "<pad> <start>"}, 100, 1));
    for (const std::int32_t id : tokenizer.encode("<pad><start><unknown>"))
      QVERIFY(!tokenizer.vocabulary().isSpecial(id));
  }

  void wordsThatAreTooLongAreUnknown() {
    const BytePairs tokenizer(learnPairs({"aa aa aaa aaaa"}, 100, 1));
    const Ids within = tokenizer.encode(std::string(100, 'a'));
    QVERIFY(std::ranges::find(within, 1) == within.end());
    QCOMPARE(tokenizer.encode(std::string(101, 'a')), Ids{1});
  }

  void theOrderOfTheTextsDoesNotMatter() {
    Tokens lines = textsOf(Golden::read("byte_pairs").at("sentences"));
    const Tokens learned = learnPairs(lines, 200, 2);
    std::ranges::reverse(lines);
    QCOMPARE(learnPairs(lines, 200, 2), learned);
    lines.insert(lines.end(), 50, "zzz");
    QVERIFY(learnPairs(lines, 200, 2) != learned);
  }

  void oneVocabularyServesTwoLanguages() {
    const Tokens texts{"nation station", "nation station", "la nation, la gare", "la gare"};
    const BytePairs tokenizer(learnPairs(texts, 100, 2));
    QVERIFY(tokenizer.vocabulary().find(" nation") >= 0 ||
            tokenizer.vocabulary().find("nation") >= 0);
    QVERIFY(tokenizer.vocabulary().find(" gare") >= 0);
  }

  void refusesATokenThatIsNoPair() {
    TFM_VERIFY_ERROR(pairs({"a", "b", "abc"}), "token 5, \"abc\", is not a pair");
    TFM_VERIFY_ERROR(pairs({"a", "b", "aba", "ab"}), "is not a pair of earlier tokens");
    // The order of the merges is part of the vocabulary: here "ab" is before "bc" and splits "abc".
    TFM_VERIFY_ERROR(pairs({"a", "b", "c", "d", "ab", "bc", "bcd", "abcd"}), "\"abcd\"");
    TFM_VERIFY_ERROR(pairs({std::string(101, 'a')}), "is not a pair");
    TFM_VERIFY_ERROR(BytePairs({"<pad>", "<unknown>", "a"}), "no token <start>");
  }
};

TFM_TEST(TestBytePairs)
#include "test_byte_pairs.moc"
