// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/text_features.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/content_hash.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/io/cache_folder.h"
#include "core/model/pretrained/pretrained_model.h"

namespace tfm::data {
namespace {

/// The distinct texts in a fixed order, so that repeated ones are computed once.
std::vector<Ids> distinct(std::span<const Ids> texts) {
  std::vector<Ids> sorted(texts.begin(), texts.end());
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  return sorted;
}

/// The name of the file for texts from distinct().
std::string nameOf(const std::vector<Ids>& texts) {
  ContentHash hash;
  for (const Ids& text : texts) {
    const auto length = std::int32_t(text.size());
    hash.add(std::as_bytes(std::span(&length, 1)));
    hash.add(std::as_bytes(std::span(text)));
  }
  return hash.text();
}

/// The name for the texts of a file, independent of their order.
std::string nameOf(const FeatureReader& file) {
  std::vector<Ids> texts;
  for (std::size_t i = 0; i < std::size_t(file.texts()); ++i)
    texts.emplace_back(file.text(i).begin(), file.text(i).end());
  return nameOf(distinct(texts));
}

std::int64_t tokenCount(std::span<const Ids> texts) {
  std::int64_t count = 0;
  for (const Ids& text : texts) count += std::int64_t(text.size());
  return count;
}

void requireSpace(const TextFeatures::Prepared& wanted) {
  std::error_code failure;
  const auto space = std::filesystem::space(wanted.file.parent_path(), failure);
  if (failure || wanted.bytes <= std::int64_t(space.available)) return;
  throw Error("the features of " + std::to_string(wanted.texts) + " texts need " +
                  byteText(wanted.bytes) + " and " + byteText(std::int64_t(space.available)) +
                  " are free",
              wanted.file.parent_path().string(),
              "Use fewer texts or a smaller max_length, or set XDG_CACHE_HOME to a folder on a "
              "larger disk");
}

}  // namespace

TextFeatures::TextFeatures(std::filesystem::path folder, std::string content, bool may_pool)
    : folder_(std::move(folder)),
      expected_content_(std::move(content)),
      config_(readPretrainedConfig(folder_)) {
  if (config_.architecture != Architecture::Encoder)
    throw Error("this is no encoder", folder_.string(), "Choose the folder of a BERT or Funnel");
  if (!may_pool && encodedLength(config_, config_.source_length) != config_.source_length)
    throw Error(
        "the encoder pools and has no layer that up-samples, so it has no feature for each token",
        folder_.string(),
        "Choose the folder of a whole FunnelModel, with its decoder, or of a BERT");
}

const TextFeatures::Loaded& TextFeatures::loaded() const {
  const std::lock_guard lock(encoder_mutex_);
  if (loaded_.extractor != nullptr) return loaded_;
  PretrainedModel encoder = readPretrainedModel(folder_, false);
  std::string content = pretrainedContent(folder_);
  if (!expected_content_.empty() && content != expected_content_)
    throw Error("this is not the encoder the model was trained with", folder_.string(),
                "Put the encoder with the hash " + expected_content_ + " there");
  if (!(encoder.config == config_))
    throw Error("the encoder has changed since it was opened", folder_.string(),
                "Open the model again");
  loaded_.content = std::move(content);
  loaded_.extractor = std::make_unique<const FeatureExtractor>(std::move(encoder.config),
                                                               std::move(encoder.parameters));
  return loaded_;
}

const std::string& TextFeatures::content() const { return loaded().content; }

std::filesystem::path TextFeatures::fileOf(const std::string& texts) const {
  return io::cacheFolder() / (content() + "-" + texts + ".features");
}

void TextFeatures::expect(std::span<const Ids> texts) {
  std::string name = texts.empty() ? "" : nameOf(distinct(texts));
  const std::lock_guard lock(cache_mutex_);
  expected_texts_ = std::move(name);
  cache_opened_ = false;
}

std::shared_ptr<const FeatureReader> TextFeatures::cached() const {
  const std::lock_guard lock(cache_mutex_);
  if (cache_opened_ || expected_texts_.empty()) return cached_;
  cached_ = nullptr;
  damage_.clear();
  // Missing and damaged features are computed.
  try {
    const std::filesystem::path path = fileOf(expected_texts_);
    if (std::error_code problem; std::filesystem::exists(path, problem)) {
      auto file = std::make_shared<const FeatureReader>(path, width());
      if (nameOf(*file) == expected_texts_)
        cached_ = std::move(file);
      else
        damage_ = "it contains other texts";
    }
  } catch (const Error& damage) {
    damage_ = damage.problem();
  }
  cache_opened_ = true;
  return cached_;
}

TextFeatures::Prepared TextFeatures::prepare(std::span<const Ids> all, int threads,
                                             const Progress& progress) {
  const std::vector<Ids> texts = distinct(all);
  Prepared result;
  result.texts = std::int64_t(texts.size());
  result.tokens = tokenCount(texts);
  result.bytes = featureFileBytes(width(), result.texts, result.tokens);
  result.file = fileOf(nameOf(texts));
  expect(texts);
  const std::shared_ptr<const FeatureReader> file = cached();
  const std::optional<std::size_t> damaged = file != nullptr ? file->firstDamaged() : std::nullopt;
  if (texts.empty() || (file != nullptr && !damaged)) {
    result.complete = true;
    return result;
  }
  if (damaged)
    result.damage =
        "the features of text " + std::to_string(*damaged + 1) + " differ from their checksum";
  else
    result.damage = damage_;
  requireSpace(result);
  FeatureWriter writer(result.file, width(), result.texts, result.tokens);
  std::int64_t done = 0;
  result.complete = loaded().extractor->extract(
      texts, threads, [&](std::size_t text, MatrixView<const float> features) {
        writer.add(texts[text], features);
        done += features.rows;
        return !progress || progress(done, result.tokens);
      });
  if (!result.complete) return result;
  writer.commit();
  result.computed = true;
  expect(texts);  // opens the new file
  return result;
}

std::vector<float> TextFeatures::read(std::span<const Ids> texts) const {
  std::int64_t rows = 0;
  for (const Ids& text : texts) rows += rowsOf(text);
  std::vector<float> features(std::size_t(rows * width()));
  const std::shared_ptr<const FeatureReader> file = cached();
  std::vector<Ids> missing;
  std::vector<std::size_t> places;  // offsets of the missing texts in `features`
  std::size_t place = 0;
  for (const Ids& text : texts) {
    const auto size = std::size_t(rowsOf(text) * width());
    if (file == nullptr || !file->read(text, std::span(features).subspan(place, size))) {
      missing.push_back(text);
      places.push_back(place);
    }
    place += size;
  }
  loaded().extractor->extract(missing, 1, [&](std::size_t text, MatrixView<const float> f) {
    std::copy_n(f.data, f.size(), features.begin() + std::ptrdiff_t(places[text]));
    return true;
  });
  return features;
}

}  // namespace tfm::data
