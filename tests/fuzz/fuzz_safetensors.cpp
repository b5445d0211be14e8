// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>

#include "core/base/check.h"
#include "core/io/safetensors.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm::io;

/// The length that the format asks for, the header and `dataBytes` bytes of data.
std::string fileOf(std::string_view header, std::size_t dataBytes) {
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file.append(header).append(dataBytes, '\x3F');
}

void parse(std::string_view file) {
  const TensorFile result = parseSafetensors(std::as_bytes(std::span(file)), "input");
  std::size_t total = 0;
  for (const auto& [name, tensor] : result.tensors) {
    total += tensor.bytes.size();
    tfm::check(
        byteCount(tensor.dtype, tensor.shape) == static_cast<std::int64_t>(tensor.bytes.size()),
        "a tensor has as many bytes as its shape says");
    tfm::check(floatValues(tensor).size() == doubleValues(tensor).size(), "values convert");
  }
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  // How many bytes the tensors have that are not read, only the file knows.
  const std::size_t known = sizeof header + header + total;
  tfm::check(result.unread.empty() ? known == file.size() : known <= file.size(),
             "every byte has one owner");
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {fileOf(R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                 R"("b":{"dtype":"I64","shape":[1],"data_offsets":[24,32]}})",
                 32),
          fileOf(R"({"__metadata__":{"format":"pt","config":"{\"hidden\": 8}"},)"
                 R"("h":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},)"
                 R"("i":{"dtype":"BF16","shape":[2,2],"data_offsets":[8,16]},)"
                 R"("j":{"dtype":"BOOL","shape":[],"data_offsets":[16,17]},)"
                 R"("k":{"dtype":"U8","shape":[0,9],"data_offsets":[17,17]},)"
                 R"("l":{"dtype":"F64","shape":[1,1,1],"data_offsets":[17,25]},)"
                 R"("m":{"dtype":"I32","shape":[1],"data_offsets":[25,29]}}    )",
                 29),
          fileOf(R"({"__metadata__":null,"q":{"dtype":"U32","shape":[2],"data_offsets":[0,8]},)"
                 R"("w":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
                 12),
          fileOf("{}", 0)};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = tfm::fuzz::asText(data, size);
  // A second time with a true length field, or few changed headers would get past the first check.
  constexpr std::size_t kLength = 8;
  constexpr std::size_t kDataBytes = 32;
  if (size > kLength + kDataBytes) {
    const std::string_view header = input.substr(kLength, size - kLength - kDataBytes);
    static_cast<void>(tfm::fuzz::outcomeOf([&] { parse(fileOf(header, kDataBytes)); }));
  }
  return tfm::fuzz::outcomeOf([&] { parse(input); });
}
