// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/data/features/feature_file.h"
#include "core/data/vocabulary.h"
#include "core/model/feature_extractor.h"

namespace tfm::data {

/// What a frozen encoder (see readPretrainedEncoder()) makes of texts. Features of a known set of
/// texts are computed once and kept in a file of the user's cache folder, which is named after the
/// content of the encoder's files and the tokens of all texts: another encoder, text, length or way
/// of cleaning is another file. Other texts are computed when they are asked for. The encoder is
/// read when it is first needed. May be used from several threads.
class TextFeatures {
 public:
  /// Reads the encoder's config only. `content`: the content that its files must have (see
  /// PretrainedEncoder); empty: any. Throws Error.
  explicit TextFeatures(std::filesystem::path folder, std::string content = {});

  const std::filesystem::path& folder() const { return folder_; }
  std::int64_t width() const { return config_.hidden; }
  /// Most tokens of a text.
  std::int64_t longest() const { return config_.source_length; }
  /// Throws Error where the encoder cannot be read or has other content.
  const std::string& content() const;

  /// Names the texts whose file is looked for when features are first read.
  void expect(std::span<const Ids> texts);

  /// Gets the tokens done and their number; false stops.
  using Progress = std::function<bool(std::int64_t done, std::int64_t all)>;
  struct Prepared {
    bool complete = false;                          ///< false: stopped, and nothing is left behind
    bool computed = false;                          ///< false: it was in the cache
    std::string damage;                             ///< why it was computed although it was there
    std::int64_t texts = 0, tokens = 0, bytes = 0;  ///< different texts, and of the file
    std::filesystem::path file;
  };
  /// Sees to it that read() finds all these texts in the cache, undamaged. Throws Error where the
  /// encoder cannot read them or the disk cannot hold the file.
  Prepared prepare(std::span<const Ids> texts, int threads, const Progress& progress = {});

  /// tokens x width for each text, one after the other.
  std::vector<float> read(std::span<const Ids> texts) const;

 private:
  struct Loaded {
    std::string content;
    std::unique_ptr<const FeatureExtractor> extractor;
  };
  const Loaded& loaded() const;
  std::shared_ptr<const FeatureReader> cached() const;
  std::filesystem::path fileOf(const std::string& texts) const;

  std::filesystem::path folder_;
  std::string expected_content_;
  ModelConfig config_;
  mutable std::mutex loading_;  // of the encoder
  mutable Loaded loaded_;
  mutable std::mutex looking_;  // of what follows: the file of the expected texts
  std::string expected_texts_;  // empty: none
  mutable bool looked_ = false;
  mutable std::string damage_;  // why the file that is there is of no use; empty: it is of use
  mutable std::shared_ptr<const FeatureReader> cached_;
};

}  // namespace tfm::data
