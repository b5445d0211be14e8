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

/// The features of texts from a frozen encoder (see readPretrainedModel()). Features of a known
/// set of texts are computed once and stored in the cache folder, in a file named after the hashes
/// of the encoder and of the tokens of all texts, so that a change of either makes a new file.
/// Other texts are computed on demand. The encoder is loaded lazily. Thread-safe.
class TextFeatures {
 public:
  /// Reads only the config of the encoder. `content`: the required hash of its files (see
  /// PretrainedModel); empty: any. Throws Error, also if the encoder pools and has no layer that
  /// up-samples, so that single tokens have no features, unless it `may_pool`: then there are
  /// fewer features than tokens, and they can be read, but not kept or be the input of a model.
  explicit TextFeatures(std::filesystem::path folder, std::string content = {},
                        bool may_pool = false);

  const std::filesystem::path& folder() const { return folder_; }
  std::int64_t width() const { return config_.hidden; }
  /// The maximum number of tokens of a text.
  std::int64_t longest() const { return config_.source_length; }
  /// The number of features of a text.
  std::int64_t rowsOf(const Ids& text) const {
    return encodedLength(config_, std::int64_t(text.size()));
  }
  /// The hash of the encoder's files. Throws Error if it cannot be read or has other content.
  const std::string& content() const;

  /// Sets the texts whose cache file is opened when features are first read.
  void expect(std::span<const Ids> texts);

  /// Called with the tokens done and in total; return false to stop.
  using Progress = std::function<bool(std::int64_t done, std::int64_t all)>;
  struct Prepared {
    bool complete = false;                          ///< false: stopped, nothing was stored
    bool computed = false;                          ///< false: found in the cache
    std::string damage;                             ///< why a file in the cache was not used
    std::int64_t texts = 0, tokens = 0, bytes = 0;  ///< distinct texts; size of the file
    std::filesystem::path file;
  };
  /// Ensures that the features of all these texts are in the cache, undamaged. Throws Error if the
  /// encoder cannot read them or the disk is too small.
  Prepared prepare(std::span<const Ids> texts, int threads, const Progress& progress = {});

  /// The features of each text (rowsOf() x width), concatenated.
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
  mutable std::mutex encoder_mutex_;
  mutable Loaded loaded_;
  mutable std::mutex cache_mutex_;  // guards the members below
  std::string expected_texts_;      // empty: none
  mutable bool cache_opened_ = false;
  mutable std::string damage_;  // why the file in the cache cannot be used; empty: it can
  mutable std::shared_ptr<const FeatureReader> cached_;
};

}  // namespace tfm::data
