// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/tokenizer/basic_tokenizer.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace std::string_literals;
using tfm::data::basicCharacters;
using tfm::data::basicWords;
using tfm::test::Golden;

using Words = std::vector<std::string>;

Q_DECLARE_METATYPE(Words)

class TestBasicTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void words_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Words>("words");
    const auto row = [](const char* rule, const std::string& text, const Words& words) {
      QTest::newRow(rule) << QByteArray::fromStdString(text) << words;
    };
    row("nothing", "", {});
    row("only white space", " \t\n ", {});
    row("lower case", "Hello WORLD", {"hello", "world"});
    row("white space", "a\tb\nc\rd e", {"a", "b", "c", "d", "e"});
    row("separators Zs, Zl, Zp", "a\u00A0b\u2003c\u3000d\u2028e\u2029f",
        {"a", "b", "c", "d", "e", "f"});
    row("U+0000", "a\0b"s, {"ab"});
    row("U+FFFD", "a\uFFFDb", {"ab"});
    row("control characters Cc", "a\x01\x1F\x7F\u0085\vb", {"ab"});
    row("format characters Cf", "a\u00AD\u200B\u200Db\uFEFF", {"ab"});
    row("private use is dropped", "\uE000a\uE000b\U0010FFFD", {"ab"});
    row("accents", "ÉTÉ naïve Việt Ångström", {"ete", "naive", "viet", "angstrom"});
    row("decomposed accents", "e\u0301te\u0301", {"ete"});
    row("letters that are no accented ones", "Straße øre", {"straße", "øre"});
    row("capital I with dot", "\u0130I", {"ii"});
    row("final sigma is a sigma", "ΟΔΟΣ", {"οδοσ"});
    row("spacing marks Mc stay, Mn go", "\u0915\u093E \u0915\u0941", {"\u0915\u093E", "\u0915"});
    row("Hangul comes apart", "한", {"\u1112\u1161\u11AB"});
    row("ASCII punctuation", "a!b/c:d@e[f`g{h~i",
        {"a", "!", "b", "/", "c", ":", "d", "@", "e", "[", "f", "`", "g", "{", "h", "~", "i"});
    row("ASCII symbols", "$5+^", {"$", "5", "+", "^"});
    row("other punctuation", "¿qué?“x”—y…", {"¿", "que", "?", "“", "x", "”", "—", "y", "…"});
    row("other symbols", "€5 a×b", {"€5", "a×b"});
    row("a run of punctuation", "wait...", {"wait", ".", ".", "."});
    row("CJK", "ah博推zz", {"ah", "博", "推", "zz"});
    row("CJK, ends of ranges", "\u33FF\u3400\u4DBF\u4DC0\u4DFF\u4E00\u9FFF\uA000",
        {"\u33FF", "\u3400", "\u4DBF", "\u4DC0\u4DFF", "\u4E00", "\u9FFF", "\uA000"});
    row("CJK, other planes", "\U00020000\U0002A6DF\U0002A6E0\U0002B820\U0002CEAF\U0002CEB0",
        {"\U00020000", "\U0002A6DF", "\U0002A6E0", "\U0002B820", "\U0002CEAF", "\U0002CEB0"});
    row("CJK compatibility", "\uF900\uFA0E", {"\u8C48", "\uFA0E"});
    row("kana are a word", "ひらがな", {"ひらかな"});
  }
  void words() {
    QFETCH(QByteArray, text);
    QFETCH(Words, words);
    QCOMPARE(basicWords(text.toStdString()), words);
  }

  void wordsAreThoseOfTheGolden() {
    const Golden texts = Golden::read("tokenizer").at("texts");
    QVERIFY(texts.size() > 10);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Golden expected = texts.at(i).at("words");
      const Words words = basicWords(texts.at(i).at("text").text());
      QCOMPARE(words.size(), expected.size());
      for (std::size_t w = 0; w < words.size(); ++w) QCOMPARE(words[w], expected.at(w).text());
    }
  }

  void charactersKeepPunctuationAndSingleSpaces() {
    QCOMPARE(basicCharacters(" \tÉ a!\n\n\x01日\u00A0 "), (Words{"e", " ", "a", "!", " ", "日"}));
    QCOMPARE(basicCharacters("  "), Words{});
  }

  void refusesBytesThatAreNotUtf8() {
    TFM_VERIFY_ERROR(basicWords("a\xFF"), "UTF-8");
    TFM_VERIFY_ERROR(basicCharacters("\xED\xA0\x80"), "UTF-8");  // a surrogate
  }

  void longTextsAreSplitLikeShortOnes() {
    // Longer than the pieces in which a text is read; spaces, accents and lines fall on their ends.
    std::string text;
    Words words, characters;
    for (int i = 0; i < 60'000; ++i) {
      text += i % 3 == 0 ? "\u00C9 " : i % 3 == 1 ? "b\n\n" : "c  ";
      words.push_back(i % 3 == 0 ? "e" : i % 3 == 1 ? "b" : "c");
      if (i > 0) characters.emplace_back(" ");
      characters.push_back(words.back());
    }
    QVERIFY(text.size() > (1U << 17));
    QVERIFY(basicWords(text) == words);
    QVERIFY(basicCharacters(text) == characters);
    std::string joined;
    for (const std::string& word : tfm::data::spacedWords(text)) joined += word;
    QCOMPARE(joined.size(), std::size_t(60'000 / 3 * 4 + 60'000 - 1));
    const std::string no_space(100'000, 'a');
    QVERIFY(basicWords(no_space) == Words{no_space});
    TFM_VERIFY_ERROR(basicWords(no_space + " \xFF"), "offset 100001");
  }
};

TFM_TEST(TestBasicTokenizer)
#include "test_basic_tokenizer.moc"
