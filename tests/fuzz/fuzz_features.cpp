// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/data/features/feature_file.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;

namespace {

constexpr std::int64_t kWidth = 3;

/// The bytes of a file with the features of these texts.
std::string fileOf(const std::vector<data::Ids>& texts) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / ("fuzz-features-" + std::to_string(::getpid()));
  std::int64_t tokens = 0;
  for (const data::Ids& text : texts) tokens += std::int64_t(text.size());
  data::FeatureWriter writer(path, kWidth, std::int64_t(texts.size()), tokens);
  for (const data::Ids& text : texts) {
    const std::vector<float> numbers(text.size() * kWidth, 0.5F);
    writer.add(text, {numbers.data(), std::int64_t(text.size()), kWidth});
  }
  writer.commit();
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  fs::remove(path);
  return bytes;
}

/// A file in memory, which has a path as long as it lives.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size)
      : descriptor_(::memfd_create("features", MFD_CLOEXEC)) {
    check(descriptor_ >= 0 && ::write(descriptor_, data, size) == ssize_t(size),
          "a file in memory takes the input");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {fileOf({{1, 2, 3}, {4}, {5, 6}}), fileOf({{7}}), fileOf({{1, 1}, {1, 1}})};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::outcomeOf([&] {
    const MemoryFile file(data, size);
    const data::FeatureReader reader(file.path(), kWidth);
    std::int64_t tokens = 0;
    for (std::int64_t i = 0; i < reader.texts(); ++i) {
      const std::span<const std::int32_t> text = reader.text(std::size_t(i));
      std::vector<float> numbers(text.size() * kWidth);
      reader.read(text, numbers);
      tokens += std::int64_t(text.size());
    }
    check(tokens == reader.tokens(), "every token belongs to one text");
  });
}
