// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <vector>

#include "core/io/gguf.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

template <class Number>
std::string bytesOf(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string textOf(const std::string& text) { return bytesOf(std::uint64_t(text.size())) + text; }

/// A file with a value of each kind and a tensor of one block.
std::string smallFile(std::uint32_t type, std::size_t block) {
  std::string file =
      "GGUF" + bytesOf(std::uint32_t{3}) + bytesOf(std::uint64_t{1}) + bytesOf(std::uint64_t{3});
  file += textOf("a") + bytesOf(std::uint32_t{8}) + textOf("llama");
  file += textOf("b") + bytesOf(std::uint32_t{6}) + bytesOf(1.5F);
  file += textOf("c") + bytesOf(std::uint32_t{9}) + bytesOf(std::uint32_t{8}) +
          bytesOf(std::uint64_t{2}) + textOf("x") + textOf("yz");
  file += textOf("w") + bytesOf(std::uint32_t{2}) + bytesOf(std::uint64_t{32}) +
          bytesOf(std::uint64_t{1}) + bytesOf(type) + bytesOf(std::uint64_t{0});
  file.resize((file.size() + 31) / 32 * 32);
  return file + std::string(block, '\x31');
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {smallFile(0, 128), smallFile(2, 18), smallFile(3, 20), smallFile(8, 34)};
}

/// A file: what is accepted can be read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tfm::fuzz::ScratchFolder folder;
  return tfm::fuzz::outcomeOf([&] {
    const std::filesystem::path path = folder.path() / "file.gguf";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), std::streamsize(size));
    for (const auto& [name, tensor] : tfm::io::openGguf(path).tensors) {
      if (tensor.format == nullptr) continue;
      std::vector<float> values(std::size_t(tensor.size()));
      tensor.read(0, std::span(values));
    }
  });
}
