// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/text_file.h"
#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  return {"First Citizen:\nBefore we proceed any further, hear me speak.\n",
          "\xEF\xBB\xBFGrüße aus Köln, 東京, Ελλάδα, 𝄞🙂\r\n",
          "\x01\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80", "\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const std::string text =
        tfm::io::checkedText(std::string(tfm::fuzz::asText(data, size)), "input");
    tfm::check(tfm::io::encodeUtf8(tfm::io::decodeUtf8(text)) == text,
               "text survives a round trip");
  });
}
