// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/data/tokenizer/pipeline/sentence_piece.h"
#include "core/io/read_file.h"
#include "core/io/text_file.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;
using nlohmann::json;

namespace {

/// See tests/goldens/sentence_pieces.py.
std::string pieceFile(const std::string& name) {
  return tfm::io::readFile(TFM_TEST_DATA "/goldens/sentence_pieces/" + name + ".model", 1 << 22);
}

const json& pieceGolden() {
  static const json all =
      json::parse(tfm::io::readTextFile(TFM_TEST_DATA "/goldens/sentence_pieces.json"));
  return all;
}

std::unique_ptr<PipelineTokenizer> pieceTokenizer(const SentencePieces& pieces,
                                                  const Ids& before = {}, const Ids& after = {}) {
  return parsePipelineTokenizer(sentencePieceJson(pieces, before, after), "pieces");
}

}  // namespace

class TestSentencePiece : public QObject {
  Q_OBJECT

 private slots:
  void idsAndTextsAreThoseOfSentencePiece_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, kind] : pieceGolden().items())
      QTest::newRow(name.c_str()) << name.c_str();
  }
  void idsAndTextsAreThoseOfSentencePiece() {
    QFETCH(QString, name);
    const json& kind = pieceGolden()[name.toStdString()];
    const auto tokenizer =
        pieceTokenizer(parseSentencePieces(pieceFile(name.toStdString()), "file"));
    for (std::size_t i = 0; i < kind["texts"].size(); ++i) {
      const auto text = kind["texts"][i].get<std::string>();
      const Ids expected = kind["ids"][i].get<Ids>();
      QVERIFY2(tokenizer->encode(text) == expected, text.c_str());
      if (const json& decoded = kind["decoded"][i]; !decoded.is_null())
        QCOMPARE(tokenizer->decode(expected), decoded.get<std::string>());
    }
  }

  void whatIsAroundATextAndWhatIsInNone() {
    const SentencePieces pieces = parseSentencePieces(pieceFile("unigram"), "file");
    const auto around = pieceTokenizer(pieces, {1}, {2});
    const Ids plain = pieceTokenizer(pieces)->encode("the model");
    Ids expected{1};
    expected.insert(expected.end(), plain.begin(), plain.end());
    expected.push_back(2);
    QVERIFY(around->encode("the model") == expected);
    // Other ids, and one that only another model has.
    std::vector<std::string> tokens{"the", "</s>", "<unk>", "▁", "m", "o", "d", "e", "l", "t", "h"};
    const auto renumbered = pieceTokenizer(withIds(pieces, tokens));
    QVERIFY(std::ranges::count(renumbered->encode("the model"), 0) == 0);
    QVERIFY(renumbered->encode("the model").front() == 3);
    QVERIFY(renumbered->decode(Ids{0}).find("the") != std::string::npos);
  }

  void damagedFilesAreRefused() {
    const std::string whole = pieceFile("bpe");
    TFM_VERIFY_ERROR(parseSentencePieces("{\"a\": 1}", "file"), "no SentencePiece model");
    TFM_VERIFY_ERROR(parseSentencePieces("", "file"), "no SentencePiece model");
    TFM_VERIFY_ERROR(parseSentencePieces(whole.substr(0, whole.size() / 2), "file"),
                     "no SentencePiece model");
    // A length beyond the file.
    TFM_VERIFY_ERROR(parseSentencePieces("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", "file"),
                     "no SentencePiece model");
  }
};

TFM_TEST(TestSentencePiece)
#include "test_sentence_piece.moc"
