// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/file_kind.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/read_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kLooked = 256;  // the header's length has zero bytes, text does not
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kDamaged =
    "The file is damaged or not a safetensors file: copy or export it again.";

std::string placeOf(const std::string& where, const std::string& name) {
  return where + ", tensor " + inQuotes(name);
}

/// A value for a message.
std::string excerpt(const json& value) { return shortened(value.dump(), 60); }

/// One tensor in the header; begin and end are byte offsets into the data.
struct Entry {
  std::string name;
  std::string type;
  std::optional<DType> dtype;  // none: not read
  std::vector<std::int64_t> shape;
  std::uint64_t begin;
  std::uint64_t end;
};

/// The length of the header of a file of `size` bytes. Throws Error if it does not begin as one.
std::uint64_t headerLength(std::string_view beginning, std::uint64_t size,
                           const std::string& where) {
  if (looksLikeText(beginning.substr(0, kLooked)))
    throw Error("this is text, not a model in a .safetensors file", where,
                "Choose another file, or train a new model on this one");
  if (size < kLengthBytes) {
    throw Error(
        "the file has " + std::to_string(size) + " bytes, too few for the header's length (8)",
        where, kDamaged);
  }
  std::uint64_t length = 0;
  std::memcpy(&length, beginning.data(), std::min(beginning.size(), kLengthBytes));
  const auto found = "the header claims " + std::to_string(length) + " bytes, ";
  if (length > size - kLengthBytes) {
    throw Error(found + "but only " + std::to_string(size - kLengthBytes) + " follow", where,
                kDamaged);
  }
  if (length > kMaxSafetensorsHeader) {
    throw Error(found + "at most " + std::to_string(kMaxSafetensorsHeader) + " are read", where,
                kDamaged);
  }
  return length;
}

const json& field(const json& entry, const char* key, const std::string& where) {
  const auto found = entry.find(key);
  if (found == entry.end())
    throw Error("the header has no field " + inQuotes(key) + " here", where, kDamaged);
  return *found;
}

/// A list of integers >= 0 that fit into 64 signed bits.
std::vector<std::int64_t> naturals(const json& list, const char* key, const std::string& where) {
  const auto fail = [&](const json& found) {
    throw Error(
        inQuotes(key) + " is " + excerpt(found) + ", expected whole numbers from 0 to 2^63-1",
        where, kDamaged);
  };
  if (!list.is_array()) fail(list);
  std::vector<std::int64_t> result;
  for (const json& item : list) {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > kLargest) fail(list);
    result.push_back(item.get<std::int64_t>());
  }
  return result;
}

/// Files have tensors that nobody asks for; only their place has to be right.
std::string parseType(const json& value, const std::string& where) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    throw Error("the dtype is " + excerpt(value) + ", expected a name such as " + dtypeNames(),
                where, kDamaged);
  return shortened(value.get<std::string>(), 60);
}

/// The two "data_offsets", which must lie inside the data and match the shape: `expected` bytes,
/// where they are known.
std::pair<std::uint64_t, std::uint64_t> parseOffsets(const json& value, std::uint64_t dataSize,
                                                     std::optional<std::int64_t> expected,
                                                     const std::string& where) {
  const auto offsets = naturals(value, "data_offsets", where);
  if (offsets.size() != 2) {
    throw Error("\"data_offsets\" has " + std::to_string(offsets.size()) +
                    " numbers, expected 2 (begin and end)",
                where, kDamaged);
  }
  const auto begin = static_cast<std::uint64_t>(offsets[0]);
  const auto end = static_cast<std::uint64_t>(offsets[1]);
  const auto range = "the data is at " + std::to_string(begin) + ".." + std::to_string(end);
  if (begin > end) throw Error(range + ", which ends before it begins", where, kDamaged);
  if (end > dataSize) {
    throw Error(range + ", but the file has only " + std::to_string(dataSize) + " bytes of data",
                where, kDamaged);
  }
  if (expected && end - begin != static_cast<std::uint64_t>(*expected)) {
    throw Error(range + ", that is " + std::to_string(end - begin) +
                    " bytes; its shape and dtype need " + std::to_string(*expected),
                where, kDamaged);
  }
  return {begin, end};
}

Entry parseEntry(const std::string& name, const json& value, std::uint64_t dataSize,
                 const std::string& file) {
  const std::string where = placeOf(file, name);
  if (!value.is_object())
    throw Error("the header has " + excerpt(value) + ", expected an object", where, kDamaged);
  std::string type = parseType(field(value, "dtype", where), where);
  const std::optional<DType> dtype = dtypeNamed(type);
  auto shape = naturals(field(value, "shape", where), "shape", where);
  const auto expected = dtype ? byteCount(*dtype, shape) : std::nullopt;
  if (dtype && !expected) {
    throw Error("the shape " + excerpt(value["shape"]) + " needs more than 2^63-1 bytes", where,
                kDamaged);
  }
  const auto [begin, end] =
      parseOffsets(field(value, "data_offsets", where), dataSize, expected, where);
  return {name, std::move(type), dtype, std::move(shape), begin, end};
}

std::map<std::string, std::string> parseMetadata(const json& value, const std::string& where) {
  if (value.is_null()) return {};
  if (!value.is_object()) {
    throw Error("the metadata is " + excerpt(value) + ", expected an object of strings", where,
                kDamaged);
  }
  std::map<std::string, std::string> result;
  for (const auto& [key, item] : value.items()) {
    if (!item.is_string()) {
      throw Error("the metadata " + inQuotes(key) + " is " + excerpt(item) + ", expected a string",
                  where, "Store it as text, e.g. as JSON in a string.");
    }
    result.emplace(key, item.get<std::string>());
  }
  return result;
}

/// The tensors must cover the data without gaps or overlaps, in which anything could be hidden.
void requireCoverage(std::vector<Entry> entries, std::uint64_t dataSize, const std::string& file) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t covered = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != covered) {
      throw Error("the data begins at " + std::to_string(entry.begin) + ", expected " +
                      std::to_string(covered) +
                      (entry.begin < covered ? ": it overlaps another tensor"
                                             : ": the bytes between belong to no tensor"),
                  placeOf(file, entry.name), kDamaged);
    }
    covered = entry.end;
  }
  if (covered != dataSize) {
    throw Error("the file has " + std::to_string(dataSize) +
                    " bytes of data, but its tensors only " + std::to_string(covered),
                file, kDamaged);
  }
}

/// What the header of a file says.
struct FileHeader {
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
};

/// `text`: the header of a file with `data_size` bytes of data.
FileHeader parseHeader(std::string_view text, std::uint64_t data_size, const std::string& where) {
  const json header = parseJson(text, where + ", header");
  if (!header.is_object()) {
    throw Error("the header is " + excerpt(header) + ", expected a JSON object", where, kDamaged);
  }
  FileHeader result;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadata) {
      result.metadata = parseMetadata(value, where);
    } else {
      result.entries.push_back(parseEntry(name, value, data_size, where));
    }
  }
  requireCoverage(result.entries, data_size, where);
  return result;
}

/// The metadata with "format" first: by their first bytes, file managers know our documents from
/// other .safetensors.
std::string metadataText(const std::map<std::string, std::string>& metadata) {
  constexpr const char* kFormat = "format";
  nlohmann::ordered_json first = nlohmann::ordered_json::object();
  if (const auto format = metadata.find(kFormat); format != metadata.end())
    first[kFormat] = format->second;
  for (const auto& [key, value] : metadata)
    if (key != kFormat) first[key] = value;
  return first.dump();
}

/// A tensor of either kind as it is written.
struct WrittenTensor {
  const std::string* name;
  DType dtype;
  const std::vector<std::int64_t>* shape;
  const NamedTensor* copied;
  const StoredTensor* in_place;  ///< null: the other

  std::uint64_t size() const {
    return copied != nullptr ? copied->bytes.size()
                             : std::uint64_t(in_place->size()) * elementSize(dtype);
  }
};

/// Larger elements first, then by name.
std::vector<WrittenTensor> tensorsInOrder(const TensorFile& file) {
  std::vector<WrittenTensor> tensors;
  for (const auto& [name, tensor] : file.tensors)
    tensors.push_back({&name, tensor.dtype, &tensor.shape, &tensor, nullptr});
  for (const auto& [name, tensor] : file.stored)
    tensors.push_back({&name, DType::F32, &tensor.shape, nullptr, &tensor});
  std::ranges::sort(tensors, [](const WrittenTensor& a, const WrittenTensor& b) {
    const auto size = elementSize(a.dtype), other = elementSize(b.dtype);
    return size != other ? size > other : *a.name < *b.name;
  });
  return tensors;
}

/// The header for tensors in this order, padded to align the data to 8 bytes.
std::string headerText(const TensorFile& file, const std::vector<WrittenTensor>& tensors) {
  json header = json::object();
  std::uint64_t offset = 0;
  for (const WrittenTensor& tensor : tensors) {
    const std::uint64_t end = offset + tensor.size();
    header[*tensor.name] = {{"dtype", dtypeName(tensor.dtype)},
                            {"shape", *tensor.shape},
                            {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  if (!file.metadata.empty())
    text.replace(0, 1,
                 "{\"" + std::string(kMetadata) + "\":" + metadataText(file.metadata) +
                     (header.empty() ? "" : ","));
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  return text;
}

void requireNames(const TensorFile& file, const std::vector<WrittenTensor>& tensors,
                  const std::string& where) {
  for (const WrittenTensor& tensor : tensors) {
    const std::string& name = *tensor.name;
    requireUtf8(name, where + ", a tensor's name");
    if (name == kMetadata)
      throw Error("the format reserves this name", placeOf(where, name), "Rename the tensor.");
    check(byteCount(tensor.dtype, *tensor.shape) == static_cast<std::int64_t>(tensor.size()),
          "a tensor has as many bytes as its shape says");
  }
  for (const auto& [key, value] : file.metadata) {
    requireUtf8(key, where + ", a metadata key");
    requireUtf8(value, where + ", metadata " + inQuotes(key));
  }
}

std::string writableHeader(const TensorFile& file, const std::vector<WrittenTensor>& tensors,
                           const std::string& where) {
  requireNames(file, tensors, where);
  std::string header = headerText(file, tensors);
  if (header.size() > kMaxSafetensorsHeader) {
    throw Error("names and metadata need " + std::to_string(header.size()) +
                    " bytes; the format allows " + std::to_string(kMaxSafetensorsHeader),
                where, "Store less with the model: shorter texts or a shorter history.");
  }
  return header;
}

}  // namespace

TensorFile parseSafetensors(std::span<const std::byte> file, const std::string& where) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const std::string_view text =
      bytes.substr(kLengthBytes, headerLength(bytes, bytes.size(), where));
  const auto data = file.subspan(kLengthBytes + text.size());
  FileHeader header = parseHeader(text, data.size(), where);
  TensorFile result;
  result.metadata = std::move(header.metadata);
  // Memory is allocated only now; the total is the size of the data.
  for (Entry& entry : header.entries) {
    if (!entry.dtype) {
      result.unread.emplace(std::move(entry.name), std::move(entry.type));
      continue;
    }
    const auto bytes = data.subspan(entry.begin, entry.end - entry.begin);
    result.tensors.emplace(
        std::move(entry.name),
        NamedTensor{*entry.dtype, std::move(entry.shape), {bytes.begin(), bytes.end()}});
  }
  return result;
}

namespace {

/// The header of a file, and where its data begin.
FileHeader openedHeader(const RegularFile& file, const std::string& where, std::uint64_t& data) {
  const std::uint64_t length = headerLength(file.beginning(kLooked), file.size(), where);
  std::string text(length, '\0');
  file.read(kLengthBytes, std::as_writable_bytes(std::span(text)));
  data = kLengthBytes + length;
  return parseHeader(text, file.size() - data, where);
}

}  // namespace

StoredTensors openSafetensors(const std::filesystem::path& path) {
  const auto file = std::make_shared<const RegularFile>(path);
  std::uint64_t data = 0;
  FileHeader header = openedHeader(*file, path.string(), data);
  StoredTensors tensors;
  for (Entry& entry : header.entries)
    tensors[entry.name] = {std::move(entry.type), entry.dtype ? &formatOf(*entry.dtype) : nullptr,
                           std::move(entry.shape), file, data + entry.begin};
  return tensors;
}

TensorFile readSafetensors(const std::filesystem::path& path, Large large) {
  const auto file = std::make_shared<const RegularFile>(path);
  std::uint64_t data = 0;
  FileHeader header = openedHeader(*file, path.string(), data);
  if (large == Large::Copied && file->size() > kMaxSafetensorsBytes)
    throw Error("the file has " + std::to_string(file->size()) + " bytes", path.string(),
                "At most " + std::to_string(kMaxSafetensorsBytes) + " are read");
  TensorFile result;
  result.metadata = std::move(header.metadata);
  for (Entry& entry : header.entries) {
    const std::uint64_t size = entry.end - entry.begin;
    if (!entry.dtype) {
      result.unread.emplace(std::move(entry.name), std::move(entry.type));
    } else if (large == Large::InPlace && entry.dtype == DType::F32 && size >= kLargeTensor) {
      result.stored[entry.name] = {std::move(entry.type), &formatOf(DType::F32),
                                   std::move(entry.shape), file, data + entry.begin};
    } else {
      NamedTensor& tensor = result.tensors[entry.name];
      tensor = {*entry.dtype, std::move(entry.shape), {}};
      tensor.bytes.resize(size);
      file->read(data + entry.begin, std::as_writable_bytes(std::span(tensor.bytes)));
    }
  }
  return result;
}

void requireWritable(const TensorFile& file, const std::string& where) {
  writableHeader(file, tensorsInOrder(file), where);
}

namespace {

/// Gives the parts of a file, in order, to `write`.
template <class Write>
void writeParts(const TensorFile& file, const std::string& where, const Write& write) {
  const std::vector<WrittenTensor> tensors = tensorsInOrder(file);
  const std::string header = writableHeader(file, tensors, where);
  const std::uint64_t length = header.size();
  write(std::as_bytes(std::span(&length, 1)));
  write(std::as_bytes(std::span(header)));
  for (const WrittenTensor& tensor : tensors) {
    if (tensor.copied != nullptr)
      write(std::span(tensor.copied->bytes));
    else
      tensor.in_place->overBytes(write);
  }
}

}  // namespace

std::string safetensorsBytes(const TensorFile& file, const std::string& where) {
  std::string bytes;
  writeParts(file, where, [&bytes](std::span<const std::byte> part) {
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  });
  return bytes;
}

FileIdentity writeSafetensors(const std::filesystem::path& path, const TensorFile& file,
                              const std::optional<FileIdentity>& known) {
  std::optional<AtomicFile> output;  // not before the content was found to be writable
  writeParts(file, path.string(), [&](std::span<const std::byte> part) {
    if (!output) output.emplace(path);
    output->write(part);
  });
  return output->commit(known);
}

}  // namespace tfm::io
