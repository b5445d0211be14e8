// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <filesystem>

#include "core/base/check.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/tokenizer_files.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace tfm::data;

/// The files of an input, which are separated by form feeds; an empty one is not there.
constexpr std::array kFiles{"tokenizer_config.json", "tokenizer.json", "vocab.txt",
                            "special_tokens_map.json", "added_tokens.json"};

constexpr const char* kConfig = R"({"model_type": "bert", "vocab_size": 12, "hidden_size": 4,
  "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8,
  "max_position_embeddings": 9, "type_vocab_size": 1})";

constexpr const char* kTokenizerJson = R"({"version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [
    {"id": 2, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": false, "special": true},
    {"id": 9, "content": "New", "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": true, "special": false}],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
    "strip_accents": null, "lowercase": true},
  "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
               {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
    "pair": [],
    "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                       "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
  "decoder": null,
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
    "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "the": 5, "film": 6,
              "##s": 7, "a": 8}}})";

constexpr const char* kVocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\nfilm\n##s\na\n";

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {std::string("\f") + kTokenizerJson, std::string("\f\f") + kVocabulary,
          std::string(R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false,
  "strip_accents": null, "tokenize_chinese_chars": true, "model_max_length": 512,
  "cls_token": "[CLS]", "mask_token": {"content": "[MASK]", "lstrip": false},
  "additional_special_tokens": ["film"], "added_tokens_decoder": {"10": {"content": "<e>",
  "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}}}
)") + "\f\f" + kVocabulary +
              "\f" + R"({"pad_token": "[PAD]", "sep_token": "[SEP]"})" + "\f" + R"({"Other": 11})",
          std::string(R"({"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 7})") +
              "\f" + kTokenizerJson + "\f" + kVocabulary};
}

/// A folder's tokenizer is refused, or a document that keeps it has the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tfm::fuzz::ScratchFolder folder;
  folder.write("config.json", kConfig);
  std::string_view rest = tfm::fuzz::asText(data, size);
  for (const char* name : kFiles) {
    const std::string_view content = rest.substr(0, rest.find('\f'));
    rest.remove_prefix(std::min(rest.size(), content.size() + 1));
    if (content.empty())
      fs::remove(folder.path() / name);
    else
      folder.write(name, content);
  }
  return tfm::fuzz::outcomeOf([&] {
    const EncoderVocabulary read = readEncoderVocabulary(folder.path());
    tfm::check(read.tokens.size() <= 12 && read.longest >= 2 && read.longest <= 9,
               "no more than the encoder has");
    const auto tokens = encoderTokens(folder.path());
    const auto kept =
        encoderTokens(folder.path(), vocabularyText(tokens->vocabulary()), tokens->rules());
    tfm::check(kept->rules() == tokens->rules(), "a document keeps the rules");
    for (const char* text : {"The films [MASK]", "New <e> \xC3\x89 \xE5\x8F\xB2 film", "a"})
      tfm::check(kept->encode(text) == tokens->encode(text), "a document keeps the tokenizer");
  });
}
