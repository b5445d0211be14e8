// SPDX-License-Identifier: GPL-3.0-or-later
// The tokenizer of an encoder's folder reads texts as the transformers library does, or the setting
// is named that it does not read.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/features/encoder_tokens.h"
#include "core/data/features/tokenizer_files.h"
#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "tests/core/golden.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;
using tfm::test::Golden;
namespace fs = std::filesystem;

namespace {

const fs::path kBert = TFM_TEST_DATA "/goldens/bert";
const fs::path kFunnel = TFM_TEST_DATA "/goldens/funnel";

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("not there: " + from);
  text.replace(at, from.size(), to);
}

/// A folder with the files of a case of the golden.
class Folder {
 public:
  explicit Folder(const Golden& golden, std::size_t index) {
    const Golden c = golden.at("cases").at(index);
    const bool funnel = c.at("funnel").flag();
    std::string config = io::readTextFile((funnel ? kFunnel : kBert) / "config.json");
    replace(config, funnel ? "\"vocab_size\": 23" : "\"vocab_size\": 61",
            "\"vocab_size\": " + std::to_string(int(golden.at("vocabulary_size").number())));
    write("config.json", config);
    for (const std::string& name : c.at("files").keys()) write(name, c.at("files").at(name).text());
  }

  fs::path path() const { return temporary_.path().toStdString(); }
  void write(const std::string& name, const std::string& text) const {
    io::writeFile(path() / name, text);
  }
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = io::readTextFile(path() / name);
    replace(text, from, to);
    write(name, text);
  }

 private:
  QTemporaryDir temporary_;
};

/// The first case with this name.
Folder folderOf(const char* name) {
  const Golden golden = Golden::read("tokenizer_variants");
  std::size_t index = 0;
  while (golden.at("cases").at(index).at("name").text() != name) ++index;
  return Folder(golden, index);
}

}  // namespace

class TestTokenizerFiles : public QObject {
  Q_OBJECT

 private slots:
  void idsAreThoseOfTheLibrary_data() {
    QTest::addColumn<int>("index");
    const Golden cases = Golden::read("tokenizer_variants").at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i)
      QTest::newRow(cases.at(i).at("name").text().c_str()) << int(i);
  }
  void idsAreThoseOfTheLibrary() {
    QFETCH(int, index);
    const Golden golden = Golden::read("tokenizer_variants");
    const Golden c = golden.at("cases").at(std::size_t(index));
    const Folder folder(golden, std::size_t(index));
    const auto tokens = encoderTokens(folder.path());
    // A document keeps the vocabulary and the rules.
    const auto kept =
        encoderTokens(folder.path(), vocabularyText(tokens->vocabulary()), tokens->rules());
    QCOMPARE(kept->rules(), tokens->rules());
    for (std::size_t i = 0; i < golden.at("texts").size(); ++i) {
      const std::string text = golden.at("texts").at(i).text();
      // Here, a Funnel's special tokens have also the names of BERT's.
      if (c.at("funnel").flag() && text.find("[MASK]") != text.npos) continue;
      Ids expected;
      for (const double id : c.at("ids").at(i).numbers()) expected.push_back(std::int32_t(id));
      QCOMPARE(tokens->encode(text), expected);
      QCOMPARE(kept->encode(text), expected);
    }
  }

  /// Documents of before have no rules: they are read as ever.
  void withoutRulesNoNameIsAToken() {
    const EncoderTokens old({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the"});
    QCOMPARE(old.encode("the [MASK]"), (Ids{2, 5, 1, 1, 1, 3}));
    QVERIFY(old.rules().empty());
  }

  void aFunnelsSpecialTokensHaveTheNamesOfBerts() {
    const EncoderVocabulary read = readEncoderVocabulary(folderOf("Funnel").path());
    QCOMPARE(read.tokens[0], std::string("[PAD]"));
    QCOMPARE(read.tokens[5], std::string("[MASK]"));
    const auto tokens = encoderTokens(folderOf("Funnel").path());
    QCOMPARE(tokens->encode("[MASK]"), tokens->encode("<mask>"));
    QCOMPARE(tokens->encode("[MASK]"), (Ids{3, 5, 4}));
  }

  void rowsThatAreNotThereAreNoted() {
    const Folder folder = folderOf("as releases of 4 wrote it");
    QVERIFY(readEncoderVocabulary(folder.path()).notes.empty());
    QCOMPARE(readEncoderVocabulary(folder.path()).longest, 64);  // as many positions
    folder.change("tokenizer_config.json", "\"model_max_length\": 512", "\"model_max_length\": 48");
    QCOMPARE(readEncoderVocabulary(folder.path()).longest, 48);
    folder.change("tokenizer_config.json", "\"58\"", "\"5800\"");
    const EncoderVocabulary read = readEncoderVocabulary(folder.path());
    QCOMPARE(read.notes.size(), std::size_t{1});
    QVERIFY(read.notes.front().find("\"<ENT>\"") != std::string::npos);
  }

  void specialTokensCanBeOrdinaryText() {
    const Folder folder = folderOf("cased");
    QCOMPARE(encoderTokens(folder.path())->encode("[MASK]"), (Ids{3, 5, 4}));
    folder.change("tokenizer_config.json", "\"strip_accents\": null",
                  "\"split_special_tokens\": true");
    QCOMPARE(encoderTokens(folder.path())->encode("[MASK]").size(), std::size_t{5});
  }

  void disagreementsAreNamed_data() {
    QTest::addColumn<QByteArray>("folder");
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char* folder, const char* file, const char* from, const char* to,
                        const char* problem) {
      QTest::newRow(problem) << QByteArray(folder) << QByteArray(file) << QByteArray(from)
                             << QByteArray(to) << QByteArray(problem);
    };
    const char *json = "tokenizer.json", *config = "tokenizer_config.json", *plain = "cased";
    const char* saved = "tokenizer.json alone";
    row(saved, json, "\"lowercase\": true", "\"lowercase\": false", "do_lower_case is true");
    row(saved, config, "\"do_lower_case\": true,", "", "no error");
    row(saved, json, "\"strip_accents\": null", "\"strip_accents\": false",
        "strip_accents is true");
    row(saved, config, "\"tokenize_chinese_chars\": true", "\"tokenize_chinese_chars\": false",
        "handle_chinese_chars true");
    row(saved, config, "\"unk_token\": \"[UNK]\"", "\"unk_token\": \"[unused0]\"",
        "unk_token is \"[unused0]\"");
    row("as releases of 4 wrote it", "special_tokens_map.json", "\"pad_token\": \"[PAD]\"",
        "\"pad_token\": \"[SEP]\"", "pad_token is \"[SEP]\"");
    row("as releases of 4 wrote it", "added_tokens.json", "\"NewTok\": 57", "\"Other\": 57",
        "\"Other\" has the id 57");
    row(saved, json, "\"clean_text\": true", "\"clean_text\": false", "'clean_text' is false");
    row(saved, json, "\"BertNormalizer\"", "\"NFD\"", "'type' is \"NFD\"");
    row(saved, json, "\"BertPreTokenizer\"", "\"Whitespace\"", "'type' is \"Whitespace\"");
    row(saved, json, "\"type\": \"WordPiece\",\n    \"unk", "\"type\": \"BPE\",\n    \"unk",
        "'type' is \"BPE\"");
    row(saved, json, "\"continuing_subword_prefix\": \"##\"",
        "\"continuing_subword_prefix\": \"@@\"", "'continuing_subword_prefix' is \"@@\"");
    row(saved, json, "\"single_word\": false", "\"single_word\": true", "'single_word' is true");
    row(saved, json, "\"lowercase\": true", "\"lowercase\": true, \"fold\": 1", "\"fold\" is 1");
    row(saved, json, "\"SpecialToken\": {\n          \"id\": \"[CLS]\"",
        "\"Sequence\": {\n          \"id\": \"A\"", "one token before a text");
    row(saved, json, "\"truncation\": null", "\"truncation\": null, \"stemmer\": {}",
        "\"stemmer\"");
    row(plain, config, "\"BertTokenizer\"", "\"BertJapaneseTokenizer\"", "BertJapaneseTokenizer");
    row(plain, config, "\"BertTokenizer\"", "\"RobertaTokenizer\"", "RobertaTokenizer");
    row(plain, config, "\"BertTokenizer\"", "\"PreTrainedTokenizerFast\"", "no tokenizer.json");
    row(plain, config, "\"strip_accents\": null", "\"never_split\": [\"film\"]", "'never_split'");
    row(plain, config, "\"strip_accents\": null", "\"do_basic_tokenize\": false",
        "'do_basic_tokenize' is false");
    row(plain, config, "\"strip_accents\": null", "\"padding_side\": \"left\"", "'padding_side'");
    row(plain, config, "\"strip_accents\": null", "\"word_tokenizer_type\": \"mecab\"",
        "\"word_tokenizer_type\" is \"mecab\"");
    row(plain, config, "\"strip_accents\": null", "\"strip_accents\": 1", "'strip_accents' is 1");
    row(plain, config, "\"model_max_length\": 512", "\"model_max_length\": 1",
        "'model_max_length'");
    row(plain, config, "\"strip_accents\": null", "\"cls_token\": \"[START]\"",
        "cls_token is \"[START]\"");
    row(plain, "vocab.txt", "[SEP]\n", "[OTHER]\n", "sep_token is \"[SEP]\"");
    row(plain, "config.json", "\"vocab_size\"", "\"tokenizer_class\": \"X\", \"vocab_size\"",
        "no error");  // tokenizer_config.json counts
    row("vocab.txt alone", "config.json", "\"vocab_size\"",
        "\"tokenizer_class\": \"BertJapaneseTokenizer\", \"vocab_size\"", "BertJapanese");
    row("vocab.txt alone", "config.json", "\"vocab_size\": 6", "\"vocab_size\": 3",
        "the vocabulary has 57 tokens");
  }
  void disagreementsAreNamed() {
    QFETCH(QByteArray, folder);
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, problem);
    const Folder changed = folderOf(folder.constData());
    changed.change(file.toStdString(), from.toStdString(), to.toStdString());
    TFM_VERIFY_ERROR(encoderTokens(changed.path()), problem);
  }

  void bothVocabulariesAreTheSame() {
    const Folder folder = folderOf("tokenizer.json alone");
    const std::string text = vocabularyText(encoderTokens(folder.path())->vocabulary());
    folder.write("vocab.txt", text);
    QCOMPARE(vocabularyText(encoderTokens(folder.path())->vocabulary()), text);
    std::string other = text;
    replace(other, "film\n", "movie\n");
    folder.write("vocab.txt", other);
    TFM_VERIFY_ERROR(encoderTokens(folder.path()), "id 8 is \"movie\" in vocab.txt and \"film\"");
    folder.write("vocab.txt", text + "more\n");
    TFM_VERIFY_ERROR(encoderTokens(folder.path()), "no token in tokenizer.json");
    fs::remove(folder.path() / "vocab.txt");
    fs::remove(folder.path() / "tokenizer.json");
    TFM_VERIFY_ERROR(encoderTokens(folder.path()), "vocab.txt");
  }

  void anEncoderOfNumbersHasNone() {
    TFM_VERIFY_ERROR(readEncoderVocabulary(TFM_TEST_DATA "/goldens/torch_encoder"), "not texts");
  }
};

TFM_TEST(TestTokenizerFiles)
#include "test_tokenizer_files.moc"
