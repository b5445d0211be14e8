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

/// Bytes of a feature file as FeatureWriter writes it.
std::int64_t featureFileBytes(std::int64_t width, std::int64_t texts, std::int64_t tokens);

/// Writes the features of texts into one file, which appears whole or not at all: a header, the
/// float32 features row after row, and what belongs to them: the length and the ids of each text,
/// a checksum of each text's features, and one of all but the features.
class FeatureWriter {
 public:
  /// The file will hold `texts` texts of `tokens` tokens in all. Throws Error.
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

/// Reads a feature file where a text is asked for; only lengths and ids are kept in memory. May be
/// read from several threads.
class FeatureReader {
 public:
  /// Throws Error for anything but a whole file of features of that width, and where what it keeps
  /// beside the features differs from its checksum. Files of before there were checksums are read.
  FeatureReader(const std::filesystem::path& path, std::int64_t width);
  ~FeatureReader();
  FeatureReader(const FeatureReader&) = delete;
  FeatureReader& operator=(const FeatureReader&) = delete;

  std::int64_t texts() const { return std::int64_t(firsts_.size()) - 1; }
  std::int64_t tokens() const { return std::int64_t(ids_.size()); }
  /// The ids of text `number`, from 0.
  std::span<const std::int32_t> text(std::size_t number) const {
    const auto first = std::size_t(firsts_[number]);
    return std::span(ids_).subspan(first, std::size_t(firsts_[number + 1]) - first);
  }
  /// Fills tokens x width numbers; false where the text is not in the file, or its features are
  /// damaged or not finite. Throws Error where reading fails.
  bool read(std::span<const std::int32_t> text, std::span<float> features) const;
  /// The first text, from 0, whose features are damaged. Reads the whole file.
  std::optional<std::size_t> firstDamaged() const;

 private:
  void readHeader();
  /// False where the features differ from their checksum or, in a file without, are not finite.
  bool readText(std::size_t number, std::span<float> features) const;
  void readAt(std::int64_t offset, void* bytes, std::int64_t count) const;

  std::filesystem::path path_;
  int descriptor_;
  std::int64_t width_;
  std::vector<std::int64_t> firsts_;  // first token of each text, and the end of the last
  Ids ids_;
  std::vector<std::uint64_t> checksums_;  // of the features of each text; empty in old files
  std::unordered_multimap<std::uint64_t, std::size_t> texts_by_hash_;
};

}  // namespace tfm::data
