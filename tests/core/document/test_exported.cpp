// SPDX-License-Identifier: GPL-3.0-or-later
// Models that were opened, written as folders, and opened again.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/framing.h"
#include "core/data/task_config.h"
#include "core/document/exported.h"
#include "core/document/imported.h"
#include "core/document/untrained.h"
#include "core/io/gguf.h"
#include "core/io/text_file.h"
#include "core/model/presets.h"
#include "tests/core/document/letter_tokenizer.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;
namespace fs = std::filesystem;

namespace {

/// BERT's tokenizer as tokenizer.json has it.
const char* const kWordPieces = R"({"normalizer": {"type": "BertNormalizer", "lowercase": true,
    "strip_accents": null, "clean_text": true, "handle_chinese_chars": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100, "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3,
    "[MASK]": 4, "ab": 5, "##c": 6, "d": 7, "e": 8}}})";

std::shared_ptr<const data::Tokenizer> learnedPairs() {
  const std::vector<std::string> texts(3, "a rose is a rose is a rose");
  return data::makeTokenizer(
      {.kind = data::TokenizerKind::BytePair, .vocabulary_size = 20, .vocabulary = {}}, texts);
}

}  // namespace

class TestExported : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(directory_.isValid()); }

  void modelsComeBack() {
    for (const char* name :
         {"roberta", "albert", "bart", "marian", "t5", "gpt2", "llama", "qwen2-window", "opt"}) {
      const Document before = importedModel(test::folderWithLetters(root(), name));
      const fs::path folder = root() / (std::string(name) + "-written");
      const ExportedModel model = exportedModel(before);
      // It is handed back as what it came as.
      QCOMPARE(std::string(model.model.family->type), before.family);
      writeExported(model, folder);
      const Document after = importedModel(folder);
      QCOMPARE(after.family, before.family);
      const data::TextCodec &codec = *before.codec, &again = *after.codec;
      QVERIFY2(again.form() == codec.form(), name);
      QVERIFY2(again.encodeInput("ab<mask>d") == codec.encodeInput("ab<mask>d"), name);
      QVERIFY2(again.sourceVocabulary().tokens() == codec.sourceVocabulary().tokens(), name);
      for (std::int32_t id = 0; id < 31; ++id) QVERIFY2(again.hides(id) == codec.hides(id), name);
      if (before.state.config.hasDecoder()) QVERIFY2(again.ends() == codec.ends(), name);
      if (before.state.config.hasCrossAttention())
        QCOMPARE(data::decoderPrompt(again, data::Framing::Seq2Seq, {}),
                 data::decoderPrompt(codec, data::Framing::Seq2Seq, {}));
      QCOMPARE(after.state.parameters.size(), before.state.parameters.size());
      for (std::size_t i = 0; i < after.state.parameters.size(); ++i)
        QVERIFY2(std::abs(after.state.parameters[i] - before.state.parameters[i]) <=
                     2e-7f * std::max(1.0f, std::abs(before.state.parameters[i])),
                 name);
    }
  }
  void aDocumentKeepsItsFamily() {
    const Document roberta = importedModel(test::folderWithLetters(root(), "roberta"));
    const fs::path file = root() / "kept.safetensors";
    saveDocument(file, roberta);
    Document opened = openDocument(file);
    QCOMPARE(opened.family, std::string("roberta"));
    QCOMPARE(modelAlone(opened).family, std::string("roberta"));
    QCOMPARE(std::string(exportedModel(opened, "bert").model.family->type), std::string("bert"));
    // Of one that no longer has the model, nothing is said.
    opened.family = "gpt2";
    QCOMPARE(std::string(exportedModel(opened).model.family->type), std::string("bert"));
  }
  void wordPiecesComeBack() {
    const fs::path given = test::folderWithLetters(root(), "bert");
    io::writeFile(given / "tokenizer.json", kWordPieces);
    const Document before = importedModel(given);
    writeExported(exportedModel(before), root() / "pieces");
    const Document after = importedModel(root() / "pieces");
    const data::Ids ids{2, 5, 6, 4, 7, 1, 3};
    QCOMPARE(before.codec->encodeInput("ÁBC [MASK] d xyz"), ids);
    QCOMPARE(after.codec->encodeInput("ÁBC [MASK] d xyz"), ids);
    QVERIFY(after.codec->hides(4) && after.state.parameters == before.state.parameters);
  }
  void theCardSaysHowItCameAbout() {
    Document document = importedModel(test::folderWithLetters(root(), "llama"));
    document.state.step = 40;
    document.history.events = {{20, EventKind::Growth, "feed_forward 48 to 64"}};
    const ExportedModel model = exportedModel(document);
    const std::string& card = model.texts.at("README.md");
    for (const char* words : {"LlamaForCausalLM.from_pretrained", "trained for 40 steps of",
                              "learning rate", "- 20: feed_forward 48 to 64", "weights `"})
      QVERIFY2(card.find(words) != card.npos, words);
    QVERIFY(card.find("Not in this folder") == card.npos);
  }
  /// A model that was made here, of single characters.
  void ownModelsOpen() {
    const Document before = untrained(presetNamed("small-llama"));
    const ExportedModel model = exportedModel(before);
    QCOMPARE(std::string(model.model.family->type), std::string("llama"));
    const fs::path folder = root() / "own";
    writeExported(model, folder);
    const Document after = importedModel(folder);
    QVERIFY(after.state.parameters == before.state.parameters);
    const std::shared_ptr<const data::TextCodec> codec = makeCodec(before);
    const data::Ids ids = codec->encodeInput("ab a");
    QCOMPARE(after.codec->encodeInput("ab a"), ids);
    QCOMPARE(after.codec->answerText(ids), std::string("ab a"));
  }
  void whatIsLeftOutIsSaid() {
    Document document = untrained(presetNamed("small-llama"));
    document.state.optimizer_step = 3;
    const ExportedModel model = exportedModel(document);
    const auto says = [&](const char* words) {
      return std::ranges::any_of(model.left_out, [&](const std::string& sentence) {
        return sentence.find(words) != sentence.npos;
      });
    };
    QVERIFY(says("moments of the optimizer") && !says("tokenizer"));
    QVERIFY(model.texts.at("README.md").find("Not in this folder") != std::string::npos);
    // Byte pairs that were learned here.
    const auto pairs = learnedPairs();
    document.codec = std::make_shared<const data::TextCodec>(
        "words", data::TaskForm::Text, pairs, pairs->vocabulary(),
        data::TaskLengths{.source = 32, .target = 32, .input = 32});
    document.task.reset();
    document.state.config.target_vocabulary = pairs->vocabulary().size();
    document.state = initialState(document.state.config, 1);
    const ExportedModel without = exportedModel(document);
    QVERIFY(without.left_out.front().find("The tokenizer: ") == 0);
    QVERIFY(!without.texts.contains("tokenizer.json"));
    QVERIFY(without.texts.contains("vocabulary.json"));
  }
  /// With byte pairs of GPT-2, and of single characters.
  void ggufFilesComeBack() {
    const fs::path given = test::folderWithLetters(root(), "gpt2");
    fs::remove(given / "tokenizer.json");
    std::string tokens = R"("<|endoftext|>": 0, "ab": 1, "Ġ": 2, "Ã": 29, "Ł": 30)";
    for (int i = 3; i < 29; ++i)
      tokens += ", \"" + std::string(1, char('a' + i - 3)) + "\": " + std::to_string(i);
    io::writeFile(given / "vocab.json", "{" + tokens + "}");
    io::writeFile(given / "merges.txt", "#version: 0.2\na b\n");
    const auto verify = [&](const Document& before, const char* text) {
      const fs::path path = root() / "model.gguf";
      const ExportedGguf gguf = exportedGguf(before);
      io::writeGguf(path, gguf.files.file);
      const Document after = importedModel(path);
      const std::shared_ptr<const data::TextCodec> codec = makeCodec(before);
      QCOMPARE(after.codec->encodeInput(text), codec->encodeInput(text));
      QCOMPARE(after.codec->answerText(codec->encodeInput(text)), std::string(text));
      QVERIFY(after.state.parameters == before.state.parameters);
      const data::Ids ends = codec->ends();
      QVERIFY(after.codec->ends() == ends || ends == data::Ids{-1});
    };
    verify(importedModel(given), "cab ab");
    verify(untrained(presetNamed("small-llama")), "ab a");
    // Letters without a pattern are neither.
    const Document letters = importedModel(test::folderWithLetters(root(), "qwen2"));
    QCOMPARE(test::errorOf([&] { exportedGguf(letters); }), QByteArray("no error"));
    fs::path folder = test::folderWithLetters(root(), "llama");
    std::string file = io::readTextFile(folder / "tokenizer.json");
    file.replace(file.find("{\"added"), 1, R"({"pre_tokenizer": {"type": "WhitespaceSplit"}, )");
    io::writeFile(folder / "tokenizer.json", file);
    TFM_VERIFY_ERROR(exportedGguf(importedModel(folder)), "no name for this tokenizer");
  }
  void nothingIsReplaced() {
    const Document document = importedModel(test::folderWithLetters(root(), "llama"));
    const ExportedModel model = exportedModel(document);
    TFM_VERIFY_ERROR(writeExported(model, root()), "not an empty folder");
    fs::create_directories(root() / "empty");
    QVERIFY(writeExported(model, root() / "empty").size() > 4);  // the control
    TFM_VERIFY_ERROR(writeExported(model, root() / "empty" / "config.json"), "not an empty folder");
  }
  void whatIsNoModelOfTextsIsRefused() {
    TFM_VERIFY_ERROR(exportedModel(untrained(presetNamed("encoder-layer"))), "");
    const Document document = untrained(presetNamed("rot13"));
    TFM_VERIFY_ERROR(exportedModel(document), "no family of pretrained models has this model");
    TFM_VERIFY_ERROR(exportedModel(document, "bert"),
                     "the model cannot be written as a BERT encoder");
  }

 private:
  fs::path root() const { return directory_.path().toStdString(); }

  QTemporaryDir directory_;
};

TFM_TEST(TestExported)
#include "test_exported.moc"
