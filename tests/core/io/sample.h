// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <string>

#include "core/io/named_tensor.h"

namespace tfm::test {

/// A file of tests/goldens/io.
inline std::string golden(const char* name) {
  return TFM_TEST_DATA "/goldens/io/" + std::string(name);
}

/// Whether a test should write its goldens anew instead of comparing with them.
inline bool updatesGoldens() { return qEnvironmentVariableIsSet("TFM_UPDATE_GOLDENS"); }

inline io::NamedTensor halfTensor(io::DType dtype, const std::vector<std::uint16_t>& bits) {
  const auto bytes = std::as_bytes(std::span(bits));
  return {dtype, {static_cast<std::int64_t>(bits.size())}, {bytes.begin(), bytes.end()}};
}

/// The tensors that tests/goldens/check_safetensors.py names SAMPLE.
inline io::NamedTensors sampleTensors() {
  using io::makeTensor;
  io::NamedTensor flags = makeTensor({2}, std::vector<std::uint8_t>{1, 0});
  flags.dtype = io::DType::Bool;
  return {{"weight", makeTensor({2, 3}, std::vector<float>{0, 0.25F, 0.5F, 0.75F, 1, 1.25F})},
          {"precise", makeTensor({3}, std::vector<double>{0.1, 0.2, 0.3})},
          {"half", halfTensor(io::DType::F16, {0x3E00, 0xC000})},
          {"brain", halfTensor(io::DType::BF16, {0x3F80, 0xC040})},
          {"ids", makeTensor({2}, std::vector<std::int64_t>{-1, std::int64_t{1} << 40})},
          {"counts", makeTensor({2, 1}, std::vector<std::int32_t>{7, -8})},
          {"octets", makeTensor({3}, std::vector<std::uint8_t>{0, 127, 255})},
          {"flags", flags},
          {"scalar", makeTensor({}, std::vector<float>{2.5F})},
          {"empty", makeTensor({0, 4}, std::vector<float>{})}};
}

}  // namespace tfm::test
