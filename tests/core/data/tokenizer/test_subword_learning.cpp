// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/builtin_text.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/subword_learning.h"
#include "core/data/tokenizer/wordpiece.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using tfm::data::basicWords;
using tfm::data::learnWordPieces;
using tfm::data::WordPiece;
using tfm::test::Golden;

using Tokens = std::vector<std::string>;

namespace {

Tokens learnPieces(const Tokens& texts, std::int64_t size, std::int64_t least) {
  return learnWordPieces({.vocabulary_size = size, .least_count = least, .vocabulary = {}}, texts);
}

bool has(const Tokens& tokens, const std::string& token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

}  // namespace

class TestSubwordLearning : public QObject {
  Q_OBJECT

 private slots:
  void learnsWhatPlainCountingLearns() {
    const Golden golden = Golden::read("tokenizer").at("learning");
    const Golden cases = golden.at("vocabularies");
    QVERIFY(cases.size() > 3);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Golden expected = cases.at(i).at("tokens");
      const Tokens tokens =
          learnPieces({golden.at("text").text()}, std::int64_t(cases.at(i).at("size").number()),
                      std::int64_t(cases.at(i).at("least").number()));
      QCOMPARE(tokens.size(), expected.size());
      for (std::size_t t = 0; t < tokens.size(); ++t) QCOMPARE(tokens[t], expected.at(t).text());
    }
  }

  void joinsTheMostFrequentPairFirst() {
    // Twice x y, three times y z; the pair of the earlier tokens first where they are equal.
    QCOMPARE(learnPieces({"xyz xyz yz"}, 100, 2),
             (Tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "x", "y", "z", "##x", "##y", "##z", "xy",
                     "xyz"}));
    QCOMPARE(learnPieces({"xyz xyz yz yz yz"}, 11, 2).back(), std::string("yz"));
  }

  void everyWordOfTheTextsComesBack() {
    const std::string text(tfm::data::builtinText());
    const WordPiece tokenizer(learnPieces({text}, 500, 1));
    QCOMPARE(tokenizer.vocabulary().size(), 500);
    std::size_t pieces = 0, characters = 0;
    for (const std::string& word : basicWords(text)) {
      const tfm::data::Ids ids = tokenizer.encode(word);
      QCOMPARE(tokenizer.decode(ids), word);
      pieces += ids.size();
      characters += word.size();
    }
    QVERIFY(characters > 1000);
    QVERIFY2(pieces < characters / 2, "learning shortens the text");
  }

  void theOrderOfTheTextsDoesNotMatter() {
    const std::string text(tfm::data::builtinText());
    Tokens lines;
    for (const QByteArray& line : QByteArray::fromStdString(text).split('\n'))
      lines.push_back(line.toStdString());
    QVERIFY(lines.size() > 2);
    const Tokens learned = learnPieces({text}, 300, 2);
    QCOMPARE(learnPieces(lines, 300, 2), learned);
    std::reverse(lines.begin(), lines.end());
    QCOMPARE(learnPieces(lines, 300, 2), learned);
    lines.pop_back();
    lines.pop_back();
    lines.insert(lines.end(), 50, "zzz");
    QVERIFY(learnPieces(lines, 300, 2) != learned);
  }

  void rareCharactersTakeTheirWordsAlong() {
    const Tokens tokens = learnPieces({"ab ab abq ba"}, 100, 2);
    QVERIFY(has(tokens, "ab"));
    QVERIFY(!has(tokens, "q"));
    QVERIFY(!has(tokens, "##q"));
    QVERIFY(!has(tokens, "ba"));
    QVERIFY(has(learnPieces({"ab ab abq ba"}, 100, 1), "abq"));
  }

  void leavesOutWordsThatAreNeverCut() {
    const std::string word(101, 'a');
    QVERIFY(!has(learnPieces({word + " " + word + " ba ba"}, 100, 2), "##aa"));
    QVERIFY(has(learnPieces({word.substr(1) + " " + word.substr(1) + " ba ba"}, 100, 2), "##aa"));
  }

  void staysWithinTheSizeAsked() {
    const Tokens texts{"the cat sat on the mat with the other cat"};
    for (const std::int64_t size : {6, 7, 15, 30, 33}) {
      const Tokens tokens = learnPieces(texts, size, 1);
      QVERIFY(std::int64_t(tokens.size()) <= size);
      static_cast<void>(WordPiece(tokens));  // no token twice
    }
    // Where the room is short the most frequent characters are kept.
    QCOMPARE(learnPieces(texts, 6, 1), (Tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "t", "##t"}));
  }

  void refusesTextsOfWhichNothingCanBeLearned() {
    TFM_VERIFY_ERROR(learnPieces({}, 100, 1), "nothing to learn");
    TFM_VERIFY_ERROR(learnPieces({" \n", ""}, 100, 1), "nothing to learn");
    TFM_VERIFY_ERROR(learnPieces({"abc"}, 100, 2), "Use more texts");
    TFM_VERIFY_ERROR(learnPieces({"abc"}, 5, 1), "vocabulary_size");
    TFM_VERIFY_ERROR(learnPieces({"abc"}, -5, 1), "vocabulary_size");
    TFM_VERIFY_ERROR(learnPieces({"a\xFF"}, 100, 1), "UTF-8");
  }
};

TFM_TEST(TestSubwordLearning)
#include "test_subword_learning.moc"
