// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/cleaning.h"
#include "core/data/tokenizer/wordpiece.h"
#include "tests/core/data/tokenizer/bert_vocabulary.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using tfm::data::Ids;
using tfm::data::WordPiece;
using tfm::test::bertVocabulary;
using tfm::test::Golden;

namespace {

/// A tokenizer of a few pieces: [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, then these.
WordPiece small(std::vector<std::string> pieces) {
  std::vector<std::string> tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]"};
  tokens.insert(tokens.end(), pieces.begin(), pieces.end());
  return WordPiece(tokens);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

class TestWordPiece : public QObject {
  Q_OBJECT

 private slots:
  void aCleanedReviewHasBertsIds() {
    const std::string text =
        tfm::data::cleanText("This movie wasn't GREAT...<br />I don't recommend it!");
    QCOMPARE(WordPiece(bertVocabulary()).encodeWithSpecials(text, 512),
             (Ids{101, 2023, 3185, 2347, 2102, 2307, 1045, 2123, 2102, 16755, 2009, 102}));
  }

  void rareWordsHaveBertsPieces() {
    const WordPiece bert(bertVocabulary());
    const Ids ids = bert.encode("unaffable embeddings transformarium");
    QCOMPARE(ids, (Ids{14477, 20961, 3468, 7861, 8270, 4667, 2015, 10938, 17285}));
    std::vector<std::string> pieces;
    for (const std::int32_t id : ids) pieces.push_back(bert.vocabulary().token(id));
    QCOMPARE(pieces, (std::vector<std::string>{"una", "##ffa", "##ble", "em", "##bed", "##ding",
                                               "##s", "transform", "##arium"}));
    QCOMPARE(bert.decode(ids), std::string("unaffable embeddings transformarium"));
  }

  void everyGoldenTextHasBertsIds() {
    const WordPiece bert(bertVocabulary());
    const Golden texts = Golden::read("tokenizer").at("texts");
    for (std::size_t i = 0; i < texts.size(); ++i) {
      Ids expected;
      for (const double id : texts.at(i).at("ids").numbers()) expected.push_back(std::int32_t(id));
      QCOMPARE(bert.encodeWithSpecials(texts.at(i).at("text").text(), 512), expected);
    }
  }

  void theLongestPieceComesFirst() {
    QCOMPARE(small({"un", "una", "##affable", "##ffable", "##ff", "##able"}).encode("unaffable"),
             (Ids{5, 7}));
    // Greedy: "una" is taken although only "un" has a rest that is known.
    QCOMPARE(small({"un", "una", "##affable"}).encode("unaffable"), (Ids{1}));
    QCOMPARE(small({"un", "##affable"}).encode("unaffable"), (Ids{4, 5}));
  }

  void aContinuationBeginsNoWord() {
    const WordPiece tokenizer = small({"play", "##ing", "ing"});
    QCOMPARE(tokenizer.encode("playing ing"), (Ids{4, 5, 6}));
    QCOMPARE(small({"play", "##ing"}).encode("ing"), (Ids{1}));
    QCOMPARE(small({"play", "ing"}).encode("playing"), (Ids{1}));
  }

  void oneUnknownRestMakesTheWordUnknown() {
    QCOMPARE(small({"play", "##ing", "##s"}).encode("plays playqs qplay playing"),
             (Ids{4, 6, 1, 1, 4, 5}));
  }

  void wordsOfMoreThanHundredCharactersAreUnknown() {
    const WordPiece tokenizer = small({"a", "##a", "ß", "##ß"});
    QCOMPARE(tokenizer.encode(repeated("a", 100)).size(), std::size_t(100));
    QCOMPARE(tokenizer.encode(repeated("a", 101)), (Ids{1}));
    QCOMPARE(tokenizer.encode(repeated("ß", 100)).size(), std::size_t(100));  // 200 bytes
    QCOMPARE(tokenizer.encode(repeated("ß", 101)), (Ids{1}));
    QCOMPARE(tokenizer.encode(repeated("𐐨", 101)), (Ids{1}));  // 404 bytes
    // Accents do not count: they are gone before.
    QCOMPARE(tokenizer.encode(repeated("a\u0301", 100)).size(), std::size_t(100));
  }

  void noTextIsASpecialToken() {
    QCOMPARE(small({"sep", "["}).encode("[SEP]"), (Ids{5, 4, 1}));
    QCOMPARE(small({}).encode("[PAD]"), (Ids{1, 1, 1}));
  }

  void specialsStandAroundAtMostTheLongestText() {
    const WordPiece tokenizer = small({"a", "b", "c"});
    QCOMPARE(tokenizer.encodeWithSpecials("a b c", 9), (Ids{2, 4, 5, 6, 3}));
    QCOMPARE(tokenizer.encodeWithSpecials("a b c", 5), (Ids{2, 4, 5, 6, 3}));
    QCOMPARE(tokenizer.encodeWithSpecials("a b c", 4), (Ids{2, 4, 5, 3}));
    QCOMPARE(tokenizer.encodeWithSpecials("a b c", 2), (Ids{2, 3}));
    QVERIFY_EXCEPTION_THROWN(tokenizer.encodeWithSpecials("a", 1), std::logic_error);
    const WordPiece bare({"[PAD]", "[UNK]", "[CLS]", "a"});
    QCOMPARE(bare.encode("a"), (Ids{3}));
    TFM_VERIFY_ERROR(bare.encodeWithSpecials("a", 9), "[SEP]");
  }

  void decodesUpToTheFirstPad() {
    const WordPiece tokenizer = small({"play", "##ing", "!"});
    QCOMPARE(tokenizer.decode(Ids{2, 4, 5, 6, 1, 3, 0, 4}), std::string("playing ! [UNK]"));
    QCOMPARE(tokenizer.decode(Ids{5}), std::string("ing"));
    QCOMPARE(tokenizer.decode(Ids{}), std::string());
  }

  void knowsItsSpecials() {
    const WordPiece bert(bertVocabulary());
    QCOMPARE(bert.vocabulary().pad(), 0);
    QCOMPARE(bert.vocabulary().unknown(), 100);
    QCOMPARE(bert.vocabulary().start(), -1);
  }

  void refusesVocabulariesThatAreNone() {
    TFM_VERIFY_ERROR(WordPiece({"[PAD]", "a"}), "no token [UNK]");
    TFM_VERIFY_ERROR(WordPiece({"[UNK]", "a"}), "no token [PAD]");
    TFM_VERIFY_ERROR(WordPiece({}), "no token");
    TFM_VERIFY_ERROR(small({"a", "a"}), "twice");
    TFM_VERIFY_ERROR(small({"a", ""}), "token 5 is empty");
    TFM_VERIFY_ERROR(small({"\xFF"}), "UTF-8");
    TFM_VERIFY_ERROR(small({}), "no error");
  }

  void refusesBytesThatAreNotUtf8() { TFM_VERIFY_ERROR(small({"a"}).encode("a\xC3"), "UTF-8"); }
};

TFM_TEST(TestWordPiece)
#include "test_wordpiece.moc"
