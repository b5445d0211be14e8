// SPDX-License-Identifier: GPL-3.0-or-later
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "core/backend/library_file.h"
#include "core/base/check.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/scratch_folder.h"

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);

template <class Type>
Type at(std::string_view file, std::size_t offset) {
  Type value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

template <class Type>
std::string bytesOf(const Type& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A library for this machine: headers, two segments, sections.
std::string library(std::uint16_t segments, std::uint16_t sections) {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  Header header;
  program.read(reinterpret_cast<char*>(&header), sizeof header);
  header.e_type = ET_DYN;
  header.e_phoff = sizeof header;
  header.e_phnum = segments;
  header.e_shoff = sections == 0 ? 0 : sizeof header + segments * sizeof(Segment);
  header.e_shnum = sections;
  std::string file = bytesOf(header);
  const std::size_t whole =
      sizeof header + segments * sizeof(Segment) + sections * sizeof(Section) + 8;
  for (std::uint16_t i = 0; i < segments; ++i) {
    Segment segment{};
    segment.p_type = PT_LOAD;
    segment.p_filesz = whole - i;
    segment.p_memsz = whole;
    segment.p_offset = i;
    file += bytesOf(segment);
  }
  for (std::uint16_t i = 0; i < sections; ++i) file += bytesOf(Section{});
  return file + "contents";
}

/// Where the last byte that the headers name ends.
std::size_t endOf(std::string_view file) {
  const auto header = at<Header>(file, 0);
  std::size_t end = header.e_phoff + header.e_phnum * sizeof(Segment);
  if (header.e_shoff != 0)
    end = std::max(end, std::size_t(header.e_shoff) + header.e_shnum * header.e_shentsize);
  for (std::uint16_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = at<Segment>(file, header.e_phoff + i * sizeof(Segment));
    end = std::max(end, std::size_t(segment.p_offset + segment.p_filesz));
  }
  return end;
}

bool accepts(std::string_view file) {
  static const tfm::fuzz::ScratchFolder folder;
  return tfm::fuzz::outcomeOf([&] { tfm::requireLibrary(folder.write("library.so", file)); }) == 0;
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() { return {library(2, 0), library(1, 3)}; }

/// What is accepted holds all that its headers name, and one byte less is refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file = tfm::fuzz::asText(data, size);
  if (!accepts(file)) return -1;
  const std::size_t end = endOf(file);
  tfm::check(sizeof(Header) <= file.size() && end <= file.size(), "the file is whole");
  if (end > sizeof(Header))
    tfm::check(!accepts(file.substr(0, end - 1)), "one byte less is not whole");
  return 0;
}
