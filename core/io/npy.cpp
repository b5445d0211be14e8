// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/message_text.h"

namespace tfm::io {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kPreamble = 10;   // magic, two version bytes, two length bytes
constexpr std::size_t kAlignment = 64;  // of the data, as in NumPy
constexpr const char* kDamagedArray = "The file is damaged or not a NumPy array: save it again.";

constexpr std::array<std::pair<DType, std::string_view>, 7> kDescriptions{{
    {DType::F64, "<f8"},
    {DType::F32, "<f4"},
    {DType::F16, "<f2"},
    {DType::I64, "<i8"},
    {DType::I32, "<i4"},
    {DType::U8, "|u1"},
    {DType::Bool, "|b1"},
}};

struct Header {
  std::optional<DType> dtype;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Reads the header, a Python dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape':
/// (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      parseField(header);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skipSpace();
    if (!rest_.empty()) fail("the end of the header");
    if (!header.dtype || !header.fortranOrder || !header.shape) {
      throw Error("the header lacks descr, fortran_order or shape", where_, kDamagedArray);
    }
    return header;
  }

 private:
  void parseField(Header& header) {
    const std::string_view key = string();
    expect(':');
    if (key == "descr" && !header.dtype) {
      header.dtype = dtype();
    } else if (key == "fortran_order" && !header.fortranOrder) {
      header.fortranOrder = boolean();
    } else if (key == "shape" && !header.shape) {
      header.shape = tuple();
    } else {
      throw Error("the header has an unexpected field " + inQuotes(key), where_, kDamagedArray);
    }
  }

  void skipSpace() {
    const std::size_t used = std::min(rest_.find_first_not_of(" \n"), rest_.size());
    rest_.remove_prefix(used);
  }

  bool accept(char symbol) {
    skipSpace();
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool acceptWord(std::string_view word) {
    skipSpace();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(char symbol) {
    if (!accept(symbol)) fail(std::string("'") + symbol + "'");
  }

  std::string_view string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect(quote);
    const std::size_t length = rest_.find(quote);
    if (length == rest_.npos) fail("a closing quote");
    const std::string_view result = rest_.substr(0, length);
    rest_.remove_prefix(length + 1);
    return result;
  }

  DType dtype() {
    const std::string_view found = string();
    for (const auto& [dtype, description] : kDescriptions) {
      if (found == description) return dtype;
    }
    // Texts, bytes, objects and times cannot be converted.
    const bool numbers = found.find_first_of("USOMmV") == found.npos;
    throw Error("the element type is " + inQuotes(found) +
                    ", expected one of <f8, <f4, <f2, <i8, <i4, |u1, |b1",
                where_,
                numbers ? "Convert the array, e.g. with astype('float32'), and save it again."
                        : "This array holds no numbers: save the archive without it.");
  }

  bool boolean() {
    if (acceptWord("True")) return true;
    if (!acceptWord("False")) fail("True or False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(natural());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  std::int64_t natural() {
    skipSpace();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) fail("a whole number from 0 to 2^63-1");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw Error(
        "the header has " + inQuotes(rest_.substr(0, 40)) + " where " + expected + " was expected",
        where_, kDamagedArray);
  }

  std::string_view rest_;
  const std::string& where_;
};

/// Returns the text of the header and removes everything before the data from `file`.
std::string_view takeHeader(std::string_view& file, const std::string& where) {
  if (!file.starts_with(kMagic) || file.size() < kPreamble)
    throw Error("the array does not begin as a NumPy array does", where, kDamagedArray);
  const int version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3)
    throw Error("the format has version " + std::to_string(version) + ", expected 1, 2 or 3", where,
                kDamagedArray);
  // The length has 2 bytes in version 1 and 4 in later versions.
  const std::size_t lengthBytes = version == 1 ? 2 : 4;
  const std::size_t begin = kMagic.size() + 2 + lengthBytes;
  std::uint32_t length = 0;
  if (file.size() >= begin) std::memcpy(&length, file.data() + begin - lengthBytes, lengthBytes);
  if (file.size() < begin || length > file.size() - begin) {
    throw Error("the header claims " + std::to_string(length) + " bytes, but the array has only " +
                    std::to_string(file.size()),
                where, kDamagedArray);
  }
  const std::string_view header = file.substr(begin, length);
  file.remove_prefix(begin + length);
  return header;
}

std::string headerText(DType dtype, const std::vector<std::int64_t>& shape) {
  std::string text = "{'descr': '";
  for (const auto& [candidate, description] : kDescriptions) {
    if (candidate == dtype) text += description;
  }
  text += "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t size : shape) text += std::to_string(size) + ", ";
  text += "), }";
  text.append((kAlignment - (kPreamble + text.size() + 1) % kAlignment) % kAlignment, ' ');
  return text + '\n';
}

}  // namespace

std::string npyBytes(const NamedTensor& tensor) {
  if (tensor.dtype == DType::BF16) return npyBytes(makeTensor(tensor.shape, floatValues(tensor)));
  check(byteCount(tensor.dtype, tensor.shape) == static_cast<std::int64_t>(tensor.bytes.size()),
        "a tensor has as many bytes as its shape says");
  const std::string header = headerText(tensor.dtype, tensor.shape);
  check(header.size() <= 0xFFFF, "a version 1.0 header has at most 65535 bytes");
  std::string result(kMagic);
  result += {'\x01', '\x00', static_cast<char>(header.size() & 0xFF),
             static_cast<char>(header.size() >> 8)};
  result += header;
  result.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return result;
}

NamedTensor parseNpy(std::span<const std::byte> file, const std::string& where) {
  std::string_view data(reinterpret_cast<const char*>(file.data()), file.size());
  const Header header = HeaderParser(takeHeader(data, where), where).parse();
  const auto expected = byteCount(*header.dtype, *header.shape);
  if (!expected) throw Error("the shape needs more than 2^63-1 bytes", where, kDamagedArray);
  if (static_cast<std::uint64_t>(*expected) != data.size()) {
    throw Error("the array has " + std::to_string(data.size()) +
                    " bytes of data; its shape and element type need " + std::to_string(*expected),
                where, kDamagedArray);
  }
  if (*header.fortranOrder && header.shape->size() > 1) {
    throw Error("the array is stored column by column (fortran_order)", where,
                "Save numpy.ascontiguousarray(array) instead.");
  }
  const auto bytes = file.last(data.size());
  return {*header.dtype, *header.shape, {bytes.begin(), bytes.end()}};
}

}  // namespace tfm::io
