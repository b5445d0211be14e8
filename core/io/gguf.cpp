// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gguf.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/message_text.h"
#include "core/io/read_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

constexpr const char* kDamagedGguf = "The file is damaged or no GGUF file: copy it again";
constexpr std::uint64_t kMaxHeader = 100'000'000;  // bytes
constexpr std::uint32_t kMostDimensions = 8;
constexpr std::uint32_t kGgufMagic = 0x46554747;  // "GGUF"

/// The number types of values.
enum Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

struct TensorType {
  std::uint32_t number;
  const char* name;
  const BlockFormat* format;  ///< null: not read
};

const std::vector<TensorType>& tensorTypes() {
  static const std::vector<TensorType> all{{0, "F32", &formatOf(DType::F32)},
                                           {1, "F16", &formatOf(DType::F16)},
                                           {2, "Q4_0", quantizedFormat("Q4_0")},
                                           {3, "Q4_1", quantizedFormat("Q4_1")},
                                           {6, "Q5_0", nullptr},
                                           {7, "Q5_1", nullptr},
                                           {8, "Q8_0", quantizedFormat("Q8_0")},
                                           {10, "Q2_K", nullptr},
                                           {11, "Q3_K", nullptr},
                                           {12, "Q4_K", nullptr},
                                           {13, "Q5_K", nullptr},
                                           {14, "Q6_K", nullptr},
                                           {28, "F64", &formatOf(DType::F64)},
                                           {30, "BF16", &formatOf(DType::BF16)}};
  return all;
}

/// Reads a file from the front, in parts, so that a short header is a short read.
class Reader {
 public:
  Reader(std::shared_ptr<const RegularFile> file, std::string where)
      : file_(std::move(file)), where_(std::move(where)) {}

  std::uint64_t place() const { return place_; }
  std::uint64_t left() const { return file_->size() - place_; }
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(problem + " at byte " + std::to_string(place_), where_, kDamagedGguf);
  }

  template <class Number>
  Number number() {
    Number value{};
    take(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  std::string text() {
    const auto length = number<std::uint64_t>();
    if (length > left() || length > kMaxHeader)
      fail("a text claims " + std::to_string(length) + " bytes");
    std::string text(length, '\0');
    take(std::as_writable_bytes(std::span(text)));
    return repairedUtf8(text);
  }

 private:
  void take(std::span<std::byte> to) {
    if (to.size() > left()) fail("the file ends");
    if (place_ + to.size() > kMaxHeader) fail("the header is longer than is read");
    while (!to.empty()) {
      if (place_ < begin_ || place_ >= begin_ + part_.size()) refill();
      const std::span<const std::byte> here =
          std::span<const std::byte>(part_).subspan(std::size_t(place_ - begin_));
      const std::size_t count = std::min(here.size(), to.size());
      std::copy_n(here.begin(), count, to.begin());
      to = to.subspan(count);
      place_ += count;
    }
  }
  void refill() {
    part_.resize(std::size_t(std::min<std::uint64_t>(1 << 16, left())));
    begin_ = place_;
    file_->read(begin_, part_);
  }

  std::shared_ptr<const RegularFile> file_;
  std::string where_;
  std::uint64_t place_ = 0, begin_ = 0;
  std::vector<std::byte> part_;
};

/// A number, or nothing for what is none.
std::optional<std::variant<std::int64_t, double, bool>> numberOf(Reader& reader,
                                                                 std::uint32_t type) {
  using Number = std::variant<std::int64_t, double, bool>;
  const auto whole = [](auto value) { return Number(std::int64_t(value)); };
  switch (type) {
    case U8:
      return whole(reader.number<std::uint8_t>());
    case I8:
      return whole(reader.number<std::int8_t>());
    case U16:
      return whole(reader.number<std::uint16_t>());
    case I16:
      return whole(reader.number<std::int16_t>());
    case U32:
      return whole(reader.number<std::uint32_t>());
    case I32:
      return whole(reader.number<std::int32_t>());
    case U64:
      return whole(reader.number<std::uint64_t>());
    case I64:
      return whole(reader.number<std::int64_t>());
    case F32:
      return Number(double(reader.number<float>()));
    case F64:
      return Number(reader.number<double>());
    case Bool:
      return Number(reader.number<std::uint8_t>() != 0);
    default:
      return std::nullopt;
  }
}

GgufValue arrayOf(Reader& reader) {
  const auto type = reader.number<std::uint32_t>();
  const auto count = reader.number<std::uint64_t>();
  // Each element takes at least a byte.
  if (count > reader.left()) reader.fail("a list claims " + std::to_string(count) + " elements");
  std::vector<std::string> texts;
  std::vector<std::int64_t> wholes;
  std::vector<double> reals;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (type == String) {
      texts.push_back(reader.text());
      continue;
    }
    const auto number = numberOf(reader, type);
    if (!number) reader.fail("a list has elements of type " + std::to_string(type));
    if (const auto* real = std::get_if<double>(&*number))
      reals.push_back(*real);
    else if (const auto* flag = std::get_if<bool>(&*number))
      wholes.push_back(*flag ? 1 : 0);
    else
      wholes.push_back(std::get<std::int64_t>(*number));
  }
  if (type == String) return texts;
  if (type == F32 || type == F64) return reals;
  return wholes;
}

GgufValue valueOf(Reader& reader) {
  const auto type = reader.number<std::uint32_t>();
  if (type == String) return reader.text();
  if (type == Array) return arrayOf(reader);
  const auto number = numberOf(reader, type);
  if (!number) reader.fail("a value has the type " + std::to_string(type));
  return std::visit([](auto value) { return GgufValue(value); }, *number);
}

struct Info {
  std::string name;
  StoredTensor tensor;
  std::uint64_t offset = 0;
};

Info infoOf(Reader& reader) {
  Info info;
  info.name = reader.text();
  const auto dimensions = reader.number<std::uint32_t>();
  if (dimensions > kMostDimensions)
    reader.fail("tensor " + inQuotes(info.name) + " has " + std::to_string(dimensions) +
                " dimensions");
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const auto size = reader.number<std::uint64_t>();
    if (size > INT64_MAX || __builtin_mul_overflow(count, size, &count) || count > INT64_MAX / 16)
      reader.fail("tensor " + inQuotes(info.name) + " is too large");
    info.tensor.shape.insert(info.tensor.shape.begin(), std::int64_t(size));
  }
  const auto number = reader.number<std::uint32_t>();
  const auto type = std::ranges::find(tensorTypes(), number, &TensorType::number);
  info.tensor.type =
      type == tensorTypes().end() ? "type " + std::to_string(number) : std::string(type->name);
  if (type != tensorTypes().end()) info.tensor.format = type->format;
  info.offset = reader.number<std::uint64_t>();
  return info;
}

}  // namespace

GgufFile openGguf(const std::filesystem::path& path) {
  const auto file = std::make_shared<const RegularFile>(path);
  const std::string where = path.string();
  Reader reader(file, where);
  if (reader.left() < 24 || reader.number<std::uint32_t>() != kGgufMagic)
    throw Error("this is no GGUF file", where, "Choose a file that ends in .gguf");
  const auto version = reader.number<std::uint32_t>();
  if (version != 2 && version != 3)
    throw Error("the version of the format is " + std::to_string(version), where,
                "Expected 2 or 3");
  const auto tensors = reader.number<std::uint64_t>();
  const auto values = reader.number<std::uint64_t>();
  if (tensors > reader.left() || values > reader.left())
    reader.fail("the header claims " + std::to_string(tensors) + " tensors and " +
                std::to_string(values) + " values");
  GgufFile result;
  for (std::uint64_t i = 0; i < values; ++i) {
    const std::string key = reader.text();
    if (!result.values.emplace(key, valueOf(reader)).second)
      reader.fail("the value " + inQuotes(key) + " is there twice");
  }
  std::vector<Info> infos;
  for (std::uint64_t i = 0; i < tensors; ++i) infos.push_back(infoOf(reader));
  std::uint64_t alignment = 32;
  if (const auto given = result.values.find("general.alignment"); given != result.values.end())
    if (const auto* number = std::get_if<std::int64_t>(&given->second))
      alignment = std::uint64_t(*number);
  if (alignment == 0 || alignment > (1U << 20))
    reader.fail("the alignment is " + std::to_string(alignment));
  const std::uint64_t data = (reader.place() + alignment - 1) / alignment * alignment;
  for (Info& info : infos) {
    StoredTensor& tensor = info.tensor;
    tensor.bytes = file;
    std::uint64_t size = 0;
    if (tensor.format != nullptr) {
      const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
      if (row % std::int64_t(tensor.format->elements) != 0)
        reader.fail("the rows of tensor " + inQuotes(info.name) + " are no whole blocks");
      size = std::uint64_t(tensor.size()) / tensor.format->elements * tensor.format->bytes;
    }
    const bool inside = data <= file->size() && info.offset <= file->size() - data &&
                        size <= file->size() - data - info.offset;
    if (info.offset % alignment != 0 || !inside)
      throw Error("tensor " + inQuotes(info.name) + " lies outside the file", where, kDamagedGguf);
    tensor.begin = data + info.offset;
    if (!result.tensors.emplace(info.name, std::move(tensor)).second)
      throw Error("tensor " + inQuotes(info.name) + " is there twice", where, kDamagedGguf);
  }
  return result;
}

namespace {

constexpr std::uint64_t kGgufAlignment = 32;
constexpr std::uint32_t kWrittenVersion = 3, kF32 = 0;

/// Appends to a header.
struct Writer {
  std::string bytes = {};

  template <class Number>
  void number(Number value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& words) {
    number(std::uint64_t(words.size()));
    bytes += words;
  }
  template <class Element, class Put>
  void list(Type type, const std::vector<Element>& elements, const Put& put) {
    number(std::uint32_t(Array));
    number(std::uint32_t(type));
    number(std::uint64_t(elements.size()));
    for (const Element& element : elements) put(element);
  }
  void value(std::int64_t whole) {
    const bool small = whole >= 0 && whole <= UINT32_MAX;
    number(std::uint32_t(small ? U32 : I64));
    if (small)
      number(std::uint32_t(whole));
    else
      number(whole);
  }
  void value(double real) {
    number(std::uint32_t(F32));
    number(float(real));
  }
  void value(bool flag) {
    number(std::uint32_t(Bool));
    number(std::uint8_t(flag ? 1 : 0));
  }
  void value(const std::string& words) {
    number(std::uint32_t(String));
    text(words);
  }
  void value(const std::vector<std::int64_t>& wholes) {
    list(I32, wholes, [this](std::int64_t whole) { number(std::int32_t(whole)); });
  }
  void value(const std::vector<double>& reals) {
    list(F32, reals, [this](double real) { number(float(real)); });
  }
  void value(const std::vector<std::string>& texts) {
    list(String, texts, [this](const std::string& words) { text(words); });
  }
  void align() {
    bytes.append((kGgufAlignment - bytes.size() % kGgufAlignment) % kGgufAlignment, '\0');
  }
};

std::uint64_t alignedSize(const StoredTensor& tensor) {
  const std::uint64_t bytes = std::uint64_t(tensor.size()) * sizeof(float);
  return (bytes + kGgufAlignment - 1) / kGgufAlignment * kGgufAlignment;
}

}  // namespace

void writeGguf(const std::filesystem::path& path, const GgufFile& file) {
  Writer header;
  header.number(kGgufMagic);
  header.number(kWrittenVersion);
  header.number(std::uint64_t(file.tensors.size()));
  header.number(std::uint64_t(file.values.size()));
  for (const auto& [key, value] : file.values) {
    header.text(key);
    std::visit([&](const auto& one) { header.value(one); }, value);
  }
  std::uint64_t offset = 0, longest = 0;
  for (const auto& [name, tensor] : file.tensors) {
    header.text(name);
    header.number(std::uint32_t(tensor.shape.size()));
    for (std::size_t i = tensor.shape.size(); i > 0; --i)
      header.number(std::uint64_t(tensor.shape[i - 1]));
    header.number(kF32);
    header.number(offset);
    offset += alignedSize(tensor);
    longest = std::max(longest, alignedSize(tensor));
  }
  header.align();
  AtomicFile out(path);
  requireRoom(path, std::int64_t(header.bytes.size() + offset));
  out.write(header.bytes);
  constexpr std::uint64_t kPart = std::uint64_t{1} << 22;
  std::vector<float> part(std::size_t(std::min(longest, kPart) / sizeof(float)));
  for (const auto& [name, tensor] : file.tensors) {
    const std::int64_t size = tensor.size(),
                       all = std::int64_t(alignedSize(tensor) / sizeof(float));
    for (std::int64_t at = 0; at < all; at += std::ssize(part)) {
      const std::int64_t here = std::min(std::ssize(part), all - at);
      const auto floats = std::span(part).first(std::size_t(here));
      const std::int64_t own = std::clamp<std::int64_t>(size - at, 0, here);
      tensor.read(at, floats.first(std::size_t(own)));
      std::ranges::fill(floats.subspan(std::size_t(own)), 0.0F);
      out.write(std::as_bytes(floats));
    }
  }
  out.commit();
}

}  // namespace tfm::io
