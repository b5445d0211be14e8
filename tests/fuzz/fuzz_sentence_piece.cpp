// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/data/tokenizer/pipeline/sentence_piece.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

/// A field of a message: a text or an inner message.
std::string field(int number, const std::string& bytes) {
  return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}
std::string field(int number, int value) { return {char(number << 3), char(value)}; }

std::string piece(const std::string& text, int type) {
  return field(1, field(1, text) + std::string("\x15\0\0\x80\xBF", 5) + field(3, type));
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  const std::string pieces = piece("<unk>", 2) + piece("<s>", 3) + piece("▁", 1) + piece("a", 1) +
                             piece("aa", 1) + piece("▁a", 4) + piece("<0x41>", 6);
  return {pieces + field(2, field(3, 1)) + field(3, field(3, 1) + field(4, 0)),
          pieces + field(2, field(3, 2)) + field(3, field(3, 0) + field(4, 1))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    using namespace tfm::data;
    const SentencePieces pieces = parseSentencePieces(tfm::fuzz::asText(data, size), "input");
    const auto tokenizer = parsePipelineTokenizer(sentencePieceJson(pieces, {}, {}), "input");
    for (const std::int32_t id : tokenizer->encode("aaa a  A<s> é"))
      tfm::check(id >= 0 && id < std::ssize(pieces.pieces), "an id of the pieces");
  });
}
