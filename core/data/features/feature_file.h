// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/data/vocabulary.h"
#include "core/io/atomic_file.h"
#include "core/tensor/matrix_view.h"

namespace tfm::data {

/// The size in bytes of a feature file written by FeatureWriter.
std::int64_t featureFileBytes(std::int64_t width, std::int64_t texts, std::int64_t tokens);

/// Writes the features of texts to a file (see io::AtomicFile): a header, the float32 features row
/// by row, then the length and ids of each text, a checksum of the features of each text, and a
/// checksum of everything but the features.
class FeatureWriter {
 public:
  /// The file will contain `texts` texts with `tokens` tokens in total. Throws Error.
  FeatureWriter(const std::filesystem::path& path, std::int64_t width, std::int64_t texts,
                std::int64_t tokens);
  /// `features`: tokens x width.
  void add(const Ids& text, MatrixView<const float> features);
  /// All texts must have been added.
  void commit();

 private:
  io::AtomicFile file_;
  std::int64_t width_, texts_, tokens_;
  std::vector<std::int32_t> lengths_;
  Ids ids_;
  std::vector<std::uint64_t> checksums_;  // of the features of each text
};

/// Reads the features of single texts from a feature file; only lengths and ids are kept in memory.
/// read() is thread-safe.
class FeatureReader {
 public:
  /// Throws Error unless the file is complete, has features of this width, and its tables match
  /// their checksum. Old files without checksums are read too.
  FeatureReader(const std::filesystem::path& path, std::int64_t width);
  ~FeatureReader();
  FeatureReader(const FeatureReader&) = delete;
  FeatureReader& operator=(const FeatureReader&) = delete;

  std::int64_t texts() const { return std::int64_t(firsts_.size()) - 1; }
  std::int64_t tokens() const { return std::int64_t(ids_.size()); }
  /// The ids of text `index`.
  std::span<const std::int32_t> text(std::size_t index) const {
    const auto first = std::size_t(firsts_[index]);
    return std::span(ids_).subspan(first, std::size_t(firsts_[index + 1]) - first);
  }
  /// Reads the features of a text (tokens x width). Returns false if the text is not in the file or
  /// its features are damaged or not finite. Throws Error if reading fails.
  bool read(std::span<const std::int32_t> text, std::span<float> features) const;
  /// The index of the first text with damaged features. Reads the whole file.
  std::optional<std::size_t> firstDamaged() const;

 private:
  void readHeader();
  /// Returns false if the features differ from their checksum or, in a file without checksums, are
  /// not finite.
  bool readText(std::size_t index, std::span<float> features) const;
  void readAt(std::int64_t offset, void* bytes, std::int64_t count) const;

  std::filesystem::path path_;
  int descriptor_;
  std::int64_t width_;
  std::vector<std::int64_t> firsts_;  // first token of each text, then the number of tokens
  Ids ids_;
  std::vector<std::uint64_t> checksums_;  // of the features of each text; empty in old files
  std::unordered_multimap<std::uint64_t, std::size_t> texts_by_hash_;
};

}  // namespace tfm::data
