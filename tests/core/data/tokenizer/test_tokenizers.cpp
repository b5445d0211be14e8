// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/tokenizer/tokenizer.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

using Tokens = std::vector<std::string>;

namespace {

constexpr TokenizerKind kKinds[] = {TokenizerKind::Character, TokenizerKind::Word,
                                    TokenizerKind::WordPiece, TokenizerKind::BytePair};

std::unique_ptr<Tokenizer> learned(TokenizerKind kind, const Tokens& texts, std::int64_t size = 100,
                                   std::int64_t least = 1) {
  return makeTokenizer(
      {.kind = kind, .vocabulary_size = size, .least_count = least, .vocabulary = {}}, texts);
}

std::unique_ptr<Tokenizer> given(TokenizerKind kind, const std::string& vocabulary) {
  return makeTokenizer({.kind = kind, .vocabulary = vocabulary}, {});
}

std::string linesOf(const Vocabulary& vocabulary, const std::string& end) {
  std::string lines;
  for (const std::string& token : vocabulary.tokens()) lines += token + end;
  return lines;
}

}  // namespace

class TestTokenizers : public QObject {
  Q_OBJECT

 private slots:
  void everyKindHasAName() {
    for (const TokenizerKind kind : kKinds) QCOMPARE(findTokenizer(tokenizerName(kind)), kind);
    TFM_VERIFY_ERROR(findTokenizer("bytes"), "\"bytes\"");
    TFM_VERIFY_ERROR(findTokenizer("bytes"), "character, word, wordpiece, bpe");
  }

  void theVocabularyAsLinesGivesTheSameTokenizer() {
    const Tokens texts{"Abé abé, b!\n\nab  c", "a b"};
    for (const TokenizerKind kind : kKinds) {
      const auto tokenizer = learned(kind, texts);
      for (const std::string end : {"\n", "\r\n"}) {
        const auto again = given(kind, linesOf(tokenizer->vocabulary(), end));
        QCOMPARE(again->vocabulary(), tokenizer->vocabulary());
        QCOMPARE(again->encode(texts[0]), tokenizer->encode(texts[0]));
      }
      QVERIFY(tokenizer->vocabulary().pad() >= 0);
      QVERIFY(tokenizer->vocabulary().unknown() >= 0);
    }
  }

  void wordsAreLearnedByFrequency() {
    const Tokens texts{"the cat, the dog", "The END cat the"};
    const auto all = learned(TokenizerKind::Word, texts);
    QCOMPARE(all->vocabulary().tokens(),
             (Tokens{"<pad>", "<unknown>", "the", "cat", ",", "dog", "end"}));
    QCOMPARE(all->encode("A dog: the end"), (Ids{1, 5, 1, 2, 6}));
    QCOMPARE(all->decode(Ids{2, 5, 1, 0, 2}), std::string("the dog <unknown>"));
    QCOMPARE(learned(TokenizerKind::Word, texts, 100, 2)->vocabulary().tokens(),
             (Tokens{"<pad>", "<unknown>", "the", "cat"}));
    QCOMPARE(learned(TokenizerKind::Word, texts, 3)->vocabulary().tokens(),
             (Tokens{"<pad>", "<unknown>", "the"}));
  }

  void charactersAreLearnedByFrequency() {
    const auto tokenizer = learned(TokenizerKind::Character, {"Banana Bäh"});
    QCOMPARE(tokenizer->vocabulary().tokens(),
             (Tokens{"<pad>", "<unknown>", "a", "b", "n", " ", "h"}));
    QCOMPARE(tokenizer->encode(" hä\n!b "), (Ids{6, 2, 5, 1, 3}));
    QCOMPARE(tokenizer->decode(Ids{3, 2, 5, 6, 0, 2}), std::string("ba h"));
  }

  void noTextIsASpecialToken() {
    for (const TokenizerKind kind : {TokenizerKind::Character, TokenizerKind::Word}) {
      const auto tokenizer = learned(kind, {"<pad>"});
      for (const std::int32_t id : tokenizer->encode("<pad>"))
        QVERIFY(id != tokenizer->vocabulary().pad());
    }
  }

  void aVocabularyOfAnotherKindIsToldApart() {
    const std::string bert = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n", plain = "<pad>\n<unknown>\na\n";
    for (const TokenizerKind kind : {TokenizerKind::Character, TokenizerKind::Word})
      TFM_VERIFY_ERROR(given(kind, bert), "[PAD] and [UNK]: choose the tokenizer wordpiece");
    TFM_VERIFY_ERROR(given(TokenizerKind::WordPiece, plain), "choose the tokenizer word or char");
    TFM_VERIFY_ERROR(given(TokenizerKind::Word, "[PAD]\na\n"), "One line must be <pad>");
  }

  void refusesWhatIsNoVocabulary() {
    for (const TokenizerKind kind : kKinds) {
      TFM_VERIFY_ERROR(given(kind, "a\nb\n"), "the vocabulary has no token ");
      TFM_VERIFY_ERROR(given(kind, "\n"), "no token");
      TFM_VERIFY_ERROR(given(kind, "<pad>\n<unknown>\n<start>\n[PAD]\n[UNK]\na\n\nb\n"),
                       "is empty");
      TFM_VERIFY_ERROR(given(kind, "<pad>\n<unknown>\n<start>\n[PAD]\n[UNK]\na\na\n"), "twice");
      TFM_VERIFY_ERROR(given(kind, "<pad>\n<unknown>\n<start>\n[PAD]\n[UNK]\n\xFF\n"), "UTF-8");
      const bool pairs = kind == TokenizerKind::BytePair;
      TFM_VERIFY_ERROR(
          given(kind, pairs ? "<pad>\n<unknown>\n<start>\na" : "<pad>\n<unknown>\n[PAD]\n[UNK]\na"),
          "no error");
      TFM_VERIFY_ERROR(learned(kind, {}), "nothing to learn");
      TFM_VERIFY_ERROR(learned(kind, {"ab"}, 2), "vocabulary_size");
      TFM_VERIFY_ERROR(learned(kind, {"\xFF"}), "UTF-8");
    }
  }
};

TFM_TEST(TestTokenizers)
#include "test_tokenizers.moc"
