// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npz.h"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/foreign_format.h"
#include "core/io/message_text.h"
#include "core/io/npy.h"
#include "core/io/read_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr zip_uint16_t kFirstDosDate =
    1 << 5 | 1;  // 1 January 1980, so that equal content gives equal bytes
constexpr const char* kDamagedArchive = "The file is damaged or not a .npz archive: save it again.";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;
using File = std::unique_ptr<zip_file_t, Discard>;

struct ZipError : zip_error_t {
  ZipError() { zip_error_init(this); }
  ~ZipError() { zip_error_fini(this); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
};

[[noreturn]] void failZip(zip_error_t* error, const std::string& where, const char* hint) {
  throw Error(std::string("zip archive: ") + zip_error_strerror(error), where, hint);
}

/// A source over `memory`, which must outlive it; with empty memory one that grows when written.
Source memorySource(std::span<const std::byte> memory, const std::string& where) {
  ZipError error;
  Source source(zip_source_buffer_create(memory.data(), memory.size(), 0, &error));
  if (!source) failZip(&error, where, "");
  return source;
}

Archive openArchive(zip_source_t* source, int flags, const std::string& where) {
  ZipError error;
  // The archive owns one reference to the source; the caller keeps its own.
  zip_source_keep(source);
  Archive archive(zip_open_from_source(source, flags, &error));
  if (!archive) {
    zip_source_free(source);
    failZip(&error, where, kDamagedArchive);
  }
  return archive;
}

void addArray(zip_t* archive, const std::string& name, const std::string& npy,
              Compression compression, const std::string& where) {
  Source source = memorySource(std::as_bytes(std::span(npy)), where);
  const zip_int64_t index =
      zip_file_add(archive, (name + std::string(kSuffix)).c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  if (index < 0) failZip(zip_get_error(archive), where, "Choose another name for the array.");
  source.release();  // now owned by the archive
  const auto method = compression == Compression::Deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
  const auto entry = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, entry, method, 0) != 0 ||
      zip_file_set_dostime(archive, entry, 0, kFirstDosDate, 0) != 0)
    failZip(zip_get_error(archive), where, "");
}

std::string contentOf(zip_source_t* source, const std::string& where) {
  zip_stat_t status;
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
    failZip(zip_source_error(source), where, "");
  std::string bytes(status.size, '\0');
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (count != static_cast<zip_int64_t>(bytes.size())) failZip(zip_source_error(source), where, "");
  return bytes;
}

/// Unpacks one entry. Allocates by the actual content, not by the size claimed in the archive.
std::string unpack(zip_t* archive, zip_uint64_t index, std::uint64_t maxBytes,
                   const std::string& where) {
  const File file(zip_fopen_index(archive, index, 0));
  if (!file) failZip(zip_get_error(archive), where, kDamagedArchive);
  std::string bytes;
  while (true) {
    const std::size_t filled = bytes.size();
    bytes.resize(filled + kChunk);
    const zip_int64_t count = zip_fread(file.get(), bytes.data() + filled, kChunk);
    if (count < 0) failZip(zip_file_get_error(file.get()), where, kDamagedArchive);
    bytes.resize(filled + static_cast<std::size_t>(count));
    if (count == 0) return bytes;
    if (bytes.size() > maxBytes) {
      throw Error("the archive unpacks to too many bytes", where,
                  "Split the archive into smaller ones.");
    }
  }
}

std::string_view entryName(zip_t* archive, zip_uint64_t index, const std::string& where) {
  const char* found = zip_get_name(archive, index, ZIP_FL_ENC_RAW);
  if (found == nullptr) failZip(zip_get_error(archive), where, kDamagedArchive);
  return found;
}

/// Whether macOS has added the entry, or it is a folder.
bool isNoArray(std::string_view name) {
  return name.starts_with("__MACOSX/") || name.ends_with(".DS_Store") || name.ends_with('/');
}

bool isWanted(std::string_view name, const std::set<std::string>& wanted) {
  if (isNoArray(name)) return false;
  return wanted.empty() ||
         (name.ends_with(kSuffix) &&
          wanted.contains(std::string(name.substr(0, name.size() - kSuffix.size()))));
}

/// The name of an entry without ".npy".
std::string arrayName(std::string_view name, const std::string& where) {
  requireUtf8(name, where + ", an array's name");
  if (!name.ends_with(kSuffix) || name.size() == kSuffix.size()) {
    throw Error("the archive contains " + inQuotes(name) + ", expected only names ending in .npy",
                where, "Save the arrays with numpy.savez.");
  }
  return std::string(name.substr(0, name.size() - kSuffix.size()));
}

}  // namespace

std::string npzBytes(const NamedTensors& tensors, Compression compression,
                     const std::string& where) {
  // An empty archive, which libzip does not write: an end record of 22 bytes.
  if (tensors.empty()) return "PK\x05\x06" + std::string(18, '\0');
  std::vector<std::string> arrays;  // must live until the archive is closed
  arrays.reserve(tensors.size());
  const Source output = memorySource({}, where);
  Archive archive = openArchive(output.get(), ZIP_CREATE | ZIP_TRUNCATE, where);
  for (const auto& [name, tensor] : tensors) {
    requireUtf8(name, where + ", an array's name");
    if (name.empty()) throw Error("an array has no name", where, "Name it.");
    addArray(archive.get(), name, arrays.emplace_back(npyBytes(tensor)), compression, where);
  }
  if (zip_close(archive.get()) != 0) failZip(zip_get_error(archive.get()), where, "");
  archive.release();  // zip_close() has freed it
  return contentOf(output.get(), where);
}

void writeNpz(const std::filesystem::path& path, const NamedTensors& tensors,
              Compression compression) {
  writeFile(path, npzBytes(tensors, compression, path.string()));
}

NamedTensors parseNpz(std::span<const std::byte> file, const std::string& where,
                      std::uint64_t maxBytes, const std::set<std::string>& wanted) {
  // libzip reads an empty buffer as an empty archive.
  if (file.empty()) throw Error("the file is empty", where, kDamagedArchive);
  const Source source = memorySource(file, where);
  const Archive archive = openArchive(source.get(), ZIP_RDONLY, where);
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive.get(), 0));
  NamedTensors result;
  std::uint64_t budget = maxBytes;
  for (zip_uint64_t index = 0; index < count; ++index) {
    const std::string_view entry = entryName(archive.get(), index, where);
    if (!isWanted(entry, wanted)) continue;
    const std::string name = arrayName(entry, where);
    const std::string place = where + ", array " + inQuotes(name);
    const std::string npy = unpack(archive.get(), index, budget, place);
    budget -= npy.size();
    if (!result.emplace(name, parseNpy(std::as_bytes(std::span(npy)), place)).second)
      throw Error("the archive has this array twice", place, kDamagedArchive);
  }
  return result;
}

NamedTensors readNpz(const std::filesystem::path& path, const std::set<std::string>& wanted) {
  const std::string file = readFile(path, kMaxNpzBytes);
  constexpr std::string_view kEmptyArchive = "PK\x05\x06";
  if (file.find(kSuffix) == file.npos && !file.starts_with(kEmptyArchive))
    if (const auto foreign = foreignFormat(file))
      throw Error("this is " + foreign->what + ", not a NumPy archive", path.string(),
                  foreign->hint);
  return parseNpz(std::as_bytes(std::span(file)), path.string(), kMaxNpzBytes, wanted);
}

}  // namespace tfm::io
