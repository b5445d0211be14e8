// SPDX-License-Identifier: GPL-3.0-or-later
// Pretrained models as documents: what they read and how they answer.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/framing.h"
#include "core/document/imported.h"
#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/train/fit_task.h"
#include "tests/core/document/letter_tokenizer.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;
namespace fs = std::filesystem;

class TestImportedModels : public QObject {
  Q_OBJECT

 private slots:
  void init() { QVERIFY(directory_.isValid()); }

  void anEncoderFillsInHiddenTokens() {
    for (const char* name : {"bert", "distilbert", "roberta", "albert"}) {
      const Document document = importedModel(folderOf(name));
      const data::TextCodec& codec = *document.codec;
      QVERIFY2(codec.form() == data::TaskForm::Masked, name);
      const data::Ids ids = codec.encodeInput("ab<mask>d");
      QCOMPARE(ids, (data::Ids{1, 3, 4, 30, 6, 2}));
      QVERIFY(codec.hides(30) && !codec.hides(3));
      QCOMPARE(codec.answerText(data::Ids{1, 3, 4, 5, 6, 2}), std::string("abcd"));
      QVERIFY(codec.inputNotice("ab").find("<mask>") != std::string::npos);
      againFromAFile(document);
    }
  }
  void anEncoderDecoderAnswers() {
    for (const auto& [name, start] : {std::pair("bart", 2), {"marian", 0}, {"t5", 0}}) {
      const Document document = importedModel(folderOf(name));
      const data::TextCodec& codec = *document.codec;
      QVERIFY2(codec.form() == data::TaskForm::Sequence, name);
      QCOMPARE(codec.encodeInput("ab"), (data::Ids{1, 3, 4, 2}));
      QCOMPARE(data::decoderPrompt(codec, data::Framing::Seq2Seq, {}), data::Ids{start});
      // It ends with its own end.
      const data::Ids answer{3, 4, codec.ends().front(), 5};
      QCOMPARE(codec.answerText(answer), std::string("ab"));
      againFromAFile(document);
    }
  }
  void aMap() {
    const fs::path folder = folderOf("bart");
    const Document known = importedModel(folder);
    std::string tensors;
    for (const MappedTensor& row : readTensorMap(folder)) {
      if (row.ours.empty()) continue;
      const bool later = row.ours.find("positions") != std::string::npos;
      tensors += (tensors.empty() ? "\"" : ", \"") + row.ours + R"(": {"tensor": ")" + row.name +
                 (later ? R"(", "first_row": 2, "of_rows": 34})" : R"("})");
    }
    const auto open = [&](const std::string& rest) {
      io::writeFile(folder / "map.json", "{\"model\": " + toJson(known.state.config) +
                                             ", \"tensors\": {" + tensors +
                                             "}, \"ignored\": [\"embed_tokens.weight\", "
                                             "\"lm_head.weight\"]" +
                                             rest + "}");
      return mappedModel(folder / "model.safetensors", folder / "map.json");
    };
    const Document mapped =
        open(R"(, "tokenizer": "tokenizer.json", "start": 2, "pad": 1, "ends": [2])");
    QVERIFY(mapped.state.parameters == known.state.parameters);
    QVERIFY(mapped.codec->encodeInput("ab") == known.codec->encodeInput("ab"));
    QCOMPARE(data::decoderPrompt(*mapped.codec, data::Framing::Seq2Seq, {}), data::Ids{2});
    againFromAFile(mapped);
    // Texts of ids.
    QCOMPARE(open("").codec->encodeInput("12 30 3"), (data::Ids{12, 30, 3}));
    TFM_VERIFY_ERROR(open(R"(, "start": 31)"), "start is 31");
    TFM_VERIFY_ERROR(open(R"(, "tokenizer": "none.json")"), "none.json");
    tensors.replace(tensors.find("\"first_row\": 2"), 14, "\"first_row\": 3");
    TFM_VERIFY_ERROR(open(""), "are not in the tensor");
  }
  /// The library's older files: vocab.json and merges.txt.
  void olderFilesOfByteLetters() {
    const auto write = [&](const fs::path& folder, const std::string& settings) {
      std::string tokens = R"("<pad>": 0, "<s>": 1, "</s>": 2, "<mask>": 30)";
      for (int i = 3; i < 29; ++i)
        tokens += ", \"" + std::string(1, char('a' + i - 3)) + "\": " + std::to_string(i);
      fs::remove(folder / "tokenizer.json");
      io::writeFile(folder / "vocab.json", "{" + tokens + "}");
      io::writeFile(folder / "merges.txt", "#version: 0.2\n");
      if (!settings.empty()) io::writeFile(folder / "tokenizer_config.json", settings);
    };
    for (const char* name : {"roberta", "bart"}) {
      const fs::path folder = folderOf(name);
      write(folder, "");
      QCOMPARE(importedModel(folder).codec->encodeInput("ab"), (data::Ids{1, 3, 4, 2}));
    }
    QCOMPARE(importedModel(folderOf("roberta")).codec->encodeInput("a<mask>"),
             (data::Ids{1, 3, 30, 2}));
    const fs::path opt = folderOf("opt");
    write(opt, "");
    QCOMPARE(importedModel(opt).codec->encodeInput("ab"), (data::Ids{3, 4}));
    write(opt, R"({"add_bos_token": true, "bos_token": {"content": "</s>"}})");
    QCOMPARE(importedModel(opt).codec->encodeInput("ab"), (data::Ids{2, 3, 4}));
  }
  void withoutItsMaskAnEncoderIsRefused() {
    const fs::path folder = folderOf("roberta");
    std::string file = test::letterTokenizer();
    for (std::size_t at = 0; (at = file.find("<mask>", at)) != file.npos;)
      file.replace(at, 6, "<hole>");
    io::writeFile(folder / "tokenizer.json", file);
    TFM_VERIFY_ERROR(importedModel(folder), "no token of the tokenizer stands for a hidden one");
    io::writeFile(folder / "special_tokens_map.json", R"({"mask_token": {"content": "<hole>"}})");
    QVERIFY(importedModel(folder).codec->hides(30));
  }

 private:
  fs::path folderOf(const std::string& name) {
    return test::folderWithLetters(directory_.path().toStdString(), name);
  }
  /// A document of the model reads and answers as the model.
  void againFromAFile(const Document& document) {
    const fs::path file = fs::path(directory_.path().toStdString()) / "saved.safetensors";
    saveDocument(file, document);
    const Document opened = openDocument(file);
    QVERIFY(opened.codec->form() == document.codec->form());
    QVERIFY(opened.codec->encodeInput("ab<mask>") == document.codec->encodeInput("ab<mask>"));
    QVERIFY(opened.codec->hides(30) == document.codec->hides(30));
    QVERIFY(opened.codec->targetVocabulary() == document.codec->targetVocabulary());
    QVERIFY(opened.state.parameters == document.state.parameters);
  }

  QTemporaryDir directory_;
};

TFM_TEST(TestImportedModels)
#include "test_imported_models.moc"
