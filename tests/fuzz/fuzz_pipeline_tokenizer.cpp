// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm::data;

constexpr const char* kByteLevel = R"({"added_tokens": [
    {"id": 5, "content": "<e>", "lstrip": true, "normalized": false, "special": true},
    {"id": 6, "content": "Ab", "single_word": true, "rstrip": true, "normalized": true}],
  "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"},
    {"type": "Replace", "pattern": {"String": "b"}, "content": "a"}, {"type": "Strip"}]},
  "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
    {"type": "Split", "pattern": {"Regex": "a+|\\s"}, "behavior": "MergedWithNext"},
    {"type": "Digits", "individual_digits": true}, {"type": "ByteLevel", "use_regex": true}]},
  "post_processor": {"type": "RobertaProcessing", "sep": ["<e>", 5], "cls": ["a", 0]},
  "decoder": {"type": "ByteLevel"},
  "model": {"type": "BPE", "ignore_merges": true, "vocab": {"a": 0, "b": 1, "ab": 2, "aa": 3,
    "Ġ": 4}, "merges": [["a", "a"], "a b"]}})";
constexpr const char* kPieces = R"({"normalizer": {"type": "Prepend", "prepend": "▁"},
  "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "first", "split": true},
  "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0}, {"type": "Metaspace"}]},
  "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true,
    "vocab": [["<unk>", 0], ["▁", -1.5], ["a", -2], ["aa", -2.5], ["<0x41>", -9]]}})";
constexpr const char* kWords = R"({"normalizer": {"type": "BertNormalizer"},
  "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": {"type": "WordPiece"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1, "##b": 2}}})";

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {std::string(kByteLevel) + "\fab 12 <e>Ab aab\xC3\xA9 \xF0\x9F\x99\x82",
          std::string(kPieces) + "\faa A \xE6\x97\xA5", std::string(kWords) + "\fab abb A"};
}

/// A tokenizer.json, a form feed, a text: its tokens are those of the document that keeps it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const std::string input(tfm::fuzz::asText(data, size));
    const std::size_t end = std::min(input.find('\f'), input.size());
    const std::string text = input.substr(std::min(end + 1, input.size()));
    const auto tokenizer = parsePipelineTokenizer(input.substr(0, end), "input");
    const Ids ids = tokenizer->encode(text);
    for (const std::int32_t id : ids)
      tfm::check(id >= 0 && id < tokenizer->vocabulary().size(), "an id of the vocabulary");
    const PipelineTokenizer kept(tokenizer->vocabulary().tokens(), tokenizer->rules(), "kept");
    tfm::check(kept.encode(text) == ids, "a document keeps the tokenizer");
    tfm::check(kept.decode(ids) == tokenizer->decode(ids), "and its texts");
  });
}
