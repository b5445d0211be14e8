// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm::io;

constexpr std::uint64_t kMaxUnpacked = 1 << 20;

NamedTensors sample() {
  return {{"weight", makeTensor({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6})},
          {"steps", makeTensor({3}, std::vector<std::int64_t>{-1, 0, 1})},
          {"loss", makeTensor({}, std::vector<double>{0.5})}};
}

/// Both readers: the archive's checksum lets few changed arrays through to the array's.
void parse(std::span<const std::byte> input) {
  if (input.empty() || input.front() != std::byte{0x93}) {
    const NamedTensors tensors = parseNpz(input, "input", kMaxUnpacked);
    tfm::check(tensors.size() <= input.size(), "no array is made of nothing");
  } else {
    const NamedTensor tensor = parseNpy(input, "input");
    const std::string again = npyBytes(tensor);
    tfm::check(parseNpy(std::as_bytes(std::span(again)), "again") == tensor,
               "an array survives a round trip");
  }
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {npzBytes(sample(), Compression::Stored, "seed"),
          npzBytes(sample(), Compression::Deflated, "seed"),
          npzBytes({}, Compression::Stored, "seed"),
          npyBytes(sample().at("weight")),
          npyBytes(sample().at("steps")),
          npyBytes(sample().at("loss"))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] { parse(std::as_bytes(std::span(data, size))); });
}
