// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/io/text_file.h"
#include "core/io/utf8.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;
using nlohmann::json;

namespace {

/// See tests/goldens/tokenizer_files.py.
const json& golden() {
  static const json all =
      json::parse(tfm::io::readTextFile(TFM_TEST_DATA "/goldens/tokenizer_files.json"));
  return all;
}

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const auto& [name, kind] : golden()["kinds"].items()) names.push_back(name);
    return names;
  }();
  return all;
}

std::unique_ptr<PipelineTokenizer> tokenizerOf(const std::string& kind, std::int64_t rows = 0) {
  return parsePipelineTokenizer(golden()["kinds"][kind]["tokenizer"].dump(), kind, rows);
}

std::vector<std::string> randomTexts() {
  const auto pool = golden()["pool"].get<std::vector<std::string>>();
  std::uint64_t state = 1;
  const auto below = [&state](std::size_t n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return std::size_t(state >> 33) % n;
  };
  std::vector<std::string> texts(golden()["random_texts"].get<std::size_t>());
  for (std::string& text : texts)
    for (std::size_t parts = 1 + below(13); parts > 0; --parts) text += pool[below(pool.size())];
  return texts;
}

/// FNV-1a, as the script has it.
class Checksum {
 public:
  template <class Numbers>
  void add(const Numbers& numbers) {
    for (const auto number : numbers) mix(std::uint32_t(number));
    mix(0xFFFFFFFF);
  }
  std::string text() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value_));
    return text;
  }

 private:
  void mix(std::uint32_t number) { value_ = (value_ ^ number) * 1099511628211ULL; }
  std::uint64_t value_ = 14695981039346656037ULL;
};

/// A small tokenizer.json with one part replaced.
std::string file(const std::string& part = {}, const std::string& value = {}) {
  json object = json::parse(R"({"added_tokens": [], "normalizer": null,
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "post_processor": null, "decoder": {"type": "ByteLevel"},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}})");
  if (!part.empty()) object[json::json_pointer(part)] = json::parse(value);
  return object.dump();
}

}  // namespace

class TestPipeline : public QObject {
  Q_OBJECT

 private slots:
  void splitsHardTextsAsTheTokenizersLibrary() {
    const auto texts = golden()["texts"].get<std::vector<std::string>>();
    QVERIFY(kinds().size() >= 10 && texts.size() > 45);
    for (const std::string& kind : kinds()) {
      const auto tokenizer = tokenizerOf(kind);
      const json& expected = golden()["kinds"][kind];
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string name = kind + ", " + json(texts[i]).dump();
        const auto plain = expected["plain"][i].get<Ids>();
        QVERIFY2(tokenizer->encodePlain(texts[i]) == plain, name.c_str());
        QVERIFY2(tokenizer->encode(texts[i]) == expected["encoded"][i].get<Ids>(), name.c_str());
        QVERIFY2(tokenizer->decode(plain) == expected["decoded"][i].get<std::string>(),
                 name.c_str());
      }
    }
  }

  void splitsRandomTextsAsTheTokenizersLibrary() {
    const std::vector<std::string> texts = randomTexts();
    QCOMPARE(texts.size(), std::size_t{10'000});
    for (const std::string& kind : kinds()) {
      const auto tokenizer = tokenizerOf(kind);
      const json& expected = golden()["kinds"][kind];
      Checksum decoded;
      for (std::size_t i = 0; i < texts.size(); i += 100) {
        Checksum ids;
        for (std::size_t k = i; k < i + 100; ++k) {
          const Ids plain = tokenizer->encodePlain(texts[k]);
          ids.add(plain);
          const std::string text = tokenizer->decode(plain);
          decoded.add(std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
        }
        QVERIFY2(ids.text() == expected["random"][i / 100].get<std::string>(),
                 (kind + " " + std::to_string(i)).c_str());
      }
      QVERIFY2(decoded.text() == expected["decoded_random"].get<std::string>(), kind.c_str());
    }
  }

  void keepsWhatDocumentsKeep() {
    for (const std::string& kind : kinds()) {
      const auto tokenizer = tokenizerOf(kind, 450);
      QCOMPARE(tokenizer->vocabulary().size(), std::int64_t{450});
      QCOMPARE(tokenizer->vocabulary().token(449), rowWithoutToken(449));
      const PipelineTokenizer kept(tokenizer->vocabulary().tokens(), tokenizer->rules(), kind);
      QVERIFY(kept.vocabulary() == tokenizer->vocabulary());
      QCOMPARE(kept.rules(), tokenizer->rules());
      for (const auto& text : golden()["texts"].get<std::vector<std::string>>()) {
        QCOMPARE(kept.encode(text), tokenizer->encode(text));
        QCOMPARE(kept.decode(kept.encode(text)), tokenizer->decode(tokenizer->encode(text)));
      }
    }
  }

  void knowsTheTokensThatEndAnAnswer() {
    const auto tokenizer = parsePipelineTokenizer(file(), "t", 0, {.ends = {2, 0}});
    QCOMPARE(tokenizer->ends(), (Ids{2, 0}));
    const PipelineTokenizer kept(tokenizer->vocabulary().tokens(), tokenizer->rules(), "t");
    QCOMPARE(kept.ends(), (Ids{2, 0}));
    QVERIFY(parsePipelineTokenizer(file(), "t")->ends().empty());
    for (const char* wrong : {"[3]", "[-1]", R"(["a"])"}) {
      nlohmann::json rules = nlohmann::json::parse(tokenizer->rules());
      rules["ends"] = nlohmann::json::parse(wrong);
      TFM_VERIFY_ERROR(PipelineTokenizer(tokenizer->vocabulary().tokens(), rules.dump(), "t"),
                       "'ends' has");
    }
  }

  void showsTokensAsPeopleReadThem() {
    const auto byte_level = tokenizerOf("gpt2");
    const Vocabulary& letters = byte_level->vocabulary();
    QVERIFY(letters.find(" the") >= 0);
    QCOMPARE(letters.label(letters.find(" the")), std::string("␣the"));
    QVERIFY(letters.find("<0xE2>") >= 0 && letters.find("\n") >= 0);
    QCOMPARE(letters.label(letters.find("\n")), std::string("⏎"));
    const auto pieces = tokenizerOf("llama2");
    QVERIFY(pieces->vocabulary().find(" t") >= 0 && pieces->vocabulary().find("<0xE2>") >= 0);
    QCOMPARE(pieces->vocabulary().unknown(), 0);
    QCOMPARE(letters.unknown(), -1);
  }

  void namesBytesBothWays() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const std::string one(1, char(byte));
      QCOMPARE(lettersToBytes(byteLetters(one)), std::optional(one));
      QCOMPARE(bytesOfShown(shownBytes(one)), one);
      QCOMPARE(namedByte(byteName(static_cast<unsigned char>(byte))),
               std::optional(static_cast<unsigned char>(byte)));
    }
    QCOMPARE(byteLetters(" \n"), std::string("ĠĊ"));
    QCOMPARE(shownBytes("\xE2\x80"), std::string("<0xE2><0x80>"));
    QCOMPARE(shownBytes("é"), std::string("é"));
    QCOMPARE(bytesOfShown(shownBytes("<0x41>")), std::string("<0x41>"));
    QVERIFY(!namedByte("<0x4>") && !namedByte("<0x4g>") && !lettersToBytes("日"));
  }

  void shortensToTokensThatEndATextToo() {
    const auto tokenizer = tokenizerOf("roberta");
    Ids ids = tokenizer->encode("one two three four");
    const std::int32_t last = ids.back();
    tokenizer->shorten(ids, 4);
    QCOMPARE(ids.size(), std::size_t{4});
    QCOMPARE(ids.back(), last);
  }

  void repairsBytesAsTheTokenizersLibrary() {
    QCOMPARE(tfm::io::repairedUtf8("a\xE2\x80z"), std::string("a\uFFFDz"));
    QCOMPARE(tfm::io::repairedUtf8("\xE2\x80\xE2\x80\xA6"), std::string("\uFFFD…"));
    QCOMPARE(tfm::io::repairedUtf8("\xFF\xC0\x80"), std::string("\uFFFD\uFFFD\uFFFD"));
    QCOMPARE(tfm::io::repairedUtf8("\xED\xA0\x80"), std::string("\uFFFD\uFFFD\uFFFD"));
    QCOMPARE(tfm::io::repairedUtf8("\xF0\x9F\x99"), std::string("\uFFFD"));
  }

  void refusesWhatItDoesNotRead() {
    QCOMPARE(parsePipelineTokenizer(file(), "t")->encode("ab"), Ids{2});
    struct Case {
      const char *part, *value, *problem;
    };
    const Case cases[] = {
        {"/normalizer", R"({"type": "Nmt"})", "the step \"Nmt\""},
        {"/normalizer", R"({"type": "NFC", "form": 2})", "\"form\" is 2"},
        {"/normalizer", R"({"type": "Precompiled", "precompiled_charsmap": "AAAA"})", "damaged"},
        {"/normalizer", R"({"type": "Replace", "pattern": {"Regex": "*a"}, "content": "b"})",
         "no regular expression"},
        {"/pre_tokenizer", R"({"type": "UnicodeScripts"})", "the step \"UnicodeScripts\""},
        {"/pre_tokenizer", R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "x"})",
         "behavior"},
        {"/decoder", R"({"type": "CTC"})", "the step \"CTC\""},
        {"/post_processor", R"({"type": "TemplateProcessing"})", "the tokens around a text"},
        {"/post_processor", R"({"type": "BertProcessing", "sep": ["x", 9], "cls": ["y", 0]})",
         "the tokens around a text"},
        {"/model", R"({"type": "WordLevel", "vocab": {"a": 0}})", "the model of the tokenizer is"},
        {"/model", R"({"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b"]]})",
         "needs the token \"b\""},
        {"/model", R"({"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []})",
         "have the same id, 0"},
        {"/model", R"({"type": "BPE", "vocab": {"a": 99999999999}, "merges": []})", "has the id"},
        {"/model", R"({"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1})",
         "dropout"},
        {"/model", R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b c"]})", "a merge is"},
        {"/model", R"({"type": "Unigram", "vocab": [["a", -1]]})", "unk_id"},
        {"/model", R"({"type": "Unigram", "vocab": [["a", "b"]], "unk_id": 0})", "a token is"},
        {"/added_tokens", R"([{"id": 2, "content": "x"}])", "have the same id, 2"},
        {"/added_tokens", R"([{"id": 3, "content": "x", "odd": 1}])", "\"odd\" is 1"},
    };
    for (const Case& c : cases) {
      const std::string text = file(c.part, c.value);
      TFM_VERIFY_ERROR(parsePipelineTokenizer(text, "t"), c.problem);
    }
    TFM_VERIFY_ERROR(parsePipelineTokenizer(file(), "t", 2), "it has 3 tokens");
    TFM_VERIFY_ERROR(tokenizerOf("gpt2")->encode("\xFF"), "not UTF-8");
  }

  void stopsSearchesThatTakeTooLong() {
    const auto slow = parsePipelineTokenizer(
        file("/pre_tokenizer", R"({"type": "Split", "pattern": {"Regex": "(a+)+$"},
                                   "behavior": "Isolated"})"),
        "t");
    TFM_VERIFY_ERROR(slow->encode(std::string(60, 'a') + "b"), "could not be searched");
  }
};

TFM_TEST(TestPipeline)
#include "test_pipeline.moc"
