// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/feature_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/split.h"
#include "core/io/checksum.h"

namespace tfm::data {
namespace {

/// The header of a file.
struct Header {
  std::array<char, 8> magic;
  std::int64_t width, texts, tokens;
};
constexpr std::array<char, 8> kMagic{'T', 'F', 'M', 'F', 'E', 'A', 'T', '2'};
constexpr std::array<char, 8> kOldMagic{'T', 'F', 'M', 'F', 'E', 'A', 'T', '1'};  // no checksums
constexpr std::int64_t kRowsAt = 64;  // rows begin on a cache line
static_assert(sizeof(Header) <= kRowsAt);

// Far larger than any disk, yet products of these do not overflow.
constexpr std::int64_t kMaxTokens = std::int64_t{1} << 40;
constexpr std::int64_t kMaxWidth = 65'536;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(what, path.string(),
              "This is a cache file: delete it, and it will be computed again");
}

std::string systemReason() { return std::generic_category().message(errno); }

template <class Element>
void append(io::AtomicFile& file, std::span<const Element> elements) {
  file.write(std::as_bytes(elements));
}

bool areFinite(std::span<const float> features) {
  return std::ranges::all_of(features, [](float x) { return std::isfinite(x); });
}

std::uint64_t checksumOf(std::span<const float> features) {
  return io::checksum(std::as_bytes(features));
}

/// Of everything in a file but the features.
std::uint64_t tableChecksum(const Header& header, std::span<const std::int32_t> lengths,
                            std::span<const std::int32_t> ids,
                            std::span<const std::uint64_t> checksums) {
  const std::array parts{io::checksum(std::as_bytes(std::span(&header, 1))),
                         io::checksum(std::as_bytes(lengths)), io::checksum(std::as_bytes(ids)),
                         io::checksum(std::as_bytes(checksums))};
  return io::checksum(std::as_bytes(std::span(parts)));
}

std::int64_t tablesAt(std::int64_t width, std::int64_t tokens) {
  return kRowsAt + tokens * width * std::int64_t(sizeof(float));
}

std::int64_t oldFileBytes(std::int64_t width, std::int64_t texts, std::int64_t tokens) {
  return tablesAt(width, tokens) + (texts + tokens) * std::int64_t(sizeof(std::int32_t));
}

}  // namespace

std::int64_t featureFileBytes(std::int64_t width, std::int64_t texts, std::int64_t tokens) {
  return oldFileBytes(width, texts, tokens) + (texts + 1) * std::int64_t(sizeof(std::uint64_t));
}

FeatureWriter::FeatureWriter(const std::filesystem::path& path, std::int64_t width,
                             std::int64_t texts, std::int64_t tokens)
    : file_(path), width_(width), texts_(texts), tokens_(tokens) {
  const Header header{kMagic, width, texts, tokens};
  std::array<std::byte, kRowsAt> bytes{};
  std::memcpy(bytes.data(), &header, sizeof(header));
  file_.write(bytes);
}

void FeatureWriter::add(const Ids& text, MatrixView<const float> features) {
  check(features.rows == std::int64_t(text.size()) && features.cols == width_ &&
            features.stride == width_,
        "a text has a row of features for each token");
  const std::span<const float> numbers(features.data, std::size_t(features.size()));
  append(file_, numbers);
  checksums_.push_back(checksumOf(numbers));
  lengths_.push_back(std::int32_t(text.size()));
  ids_.insert(ids_.end(), text.begin(), text.end());
}

void FeatureWriter::commit() {
  check(std::int64_t(lengths_.size()) == texts_ && std::int64_t(ids_.size()) == tokens_,
        "all texts must have been added");
  append(file_, std::span<const std::int32_t>(lengths_));
  append(file_, std::span<const std::int32_t>(ids_));
  append(file_, std::span<const std::uint64_t>(checksums_));
  const std::uint64_t all =
      tableChecksum({kMagic, width_, texts_, tokens_}, lengths_, ids_, checksums_);
  append(file_, std::span(&all, 1));
  file_.commit();
}

FeatureReader::FeatureReader(const std::filesystem::path& path, std::int64_t width)
    : path_(path),
      descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      width_(width) {
  if (descriptor_ < 0) fail(path_, "cannot read the file: " + systemReason());
  try {
    readHeader();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

FeatureReader::~FeatureReader() { ::close(descriptor_); }

void FeatureReader::readHeader() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail(path_, "cannot read the file: " + systemReason());
  if (!S_ISREG(status.st_mode) || status.st_size < kRowsAt) fail(path_, "this is no feature file");
  Header header;
  readAt(0, &header, sizeof(header));
  const bool old = header.magic == kOldMagic;
  if (header.magic != kMagic && !old) fail(path_, "this is no feature file");
  const bool possible = header.tokens >= 1 && header.tokens <= kMaxTokens && header.texts >= 1 &&
                        header.texts <= header.tokens;
  if (header.width != width_ || width_ > kMaxWidth || !possible)
    fail(path_, "the header claims features of " + std::to_string(header.texts) + " texts, " +
                    std::to_string(header.tokens) + " x " + std::to_string(header.width) +
                    "; expected a width of " + std::to_string(width_));
  const std::int64_t bytes = old ? oldFileBytes(width_, header.texts, header.tokens)
                                 : featureFileBytes(width_, header.texts, header.tokens);
  if (status.st_size != bytes)
    fail(path_, "the file has " + std::to_string(status.st_size) + " bytes; its header needs " +
                    std::to_string(bytes));
  // The length of the file matches, so the memory is really needed.
  std::vector<std::int32_t> lengths(std::size_t(header.texts));
  ids_.resize(std::size_t(header.tokens));
  const std::int64_t lengths_at = tablesAt(width_, header.tokens);
  readAt(lengths_at, lengths.data(), 4 * header.texts);
  readAt(lengths_at + 4 * header.texts, ids_.data(), 4 * header.tokens);
  firsts_.assign(1, 0);
  for (const std::int32_t length : lengths) {
    if (length < 1 || length > header.tokens - firsts_.back())
      fail(path_, "a text has " + std::to_string(length) + " tokens, more than there are");
    const auto first = std::size_t(firsts_.back());
    texts_by_hash_.emplace(stableHash(std::span(ids_).subspan(first, std::size_t(length))),
                           firsts_.size() - 1);
    firsts_.push_back(firsts_.back() + length);
  }
  if (firsts_.back() != header.tokens) fail(path_, "some tokens belong to no text");
  if (old) return;
  std::uint64_t all = 0;
  checksums_.resize(std::size_t(header.texts));
  readAt(bytes - 8 * (header.texts + 1), checksums_.data(), 8 * header.texts);
  readAt(bytes - 8, &all, 8);
  if (all != tableChecksum(header, lengths, ids_, checksums_))
    fail(path_, "the tables of texts differ from their checksum");
}

void FeatureReader::readAt(std::int64_t offset, void* bytes, std::int64_t count) const {
  auto* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, std::size_t(count), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "cannot read the file: " + systemReason());
    if (got == 0) fail(path_, "the file was truncated while it was read");
    to += got;
    offset += got;
    count -= got;
  }
}

bool FeatureReader::read(std::span<const std::int32_t> text, std::span<float> features) const {
  check(std::int64_t(features.size()) == std::int64_t(text.size()) * width_,
        "a text has a row of features for each token");
  const auto [begin, end] = texts_by_hash_.equal_range(stableHash(text));
  for (auto at = begin; at != end; ++at) {
    if (!std::ranges::equal(this->text(at->second), text)) continue;
    return readText(at->second, features) && areFinite(features);
  }
  return false;
}

bool FeatureReader::readText(std::size_t index, std::span<float> features) const {
  const auto row = std::int64_t(sizeof(float)) * width_;
  readAt(kRowsAt + firsts_[index] * row, features.data(), std::int64_t(features.size_bytes()));
  return checksums_.empty() ? areFinite(features) : checksumOf(features) == checksums_[index];
}

std::optional<std::size_t> FeatureReader::firstDamaged() const {
  std::vector<float> features;
  for (std::size_t i = 0; i < std::size_t(texts()); ++i) {
    features.resize(text(i).size() * std::size_t(width_));
    if (!readText(i, features)) return i;
  }
  return std::nullopt;
}

}  // namespace tfm::data
