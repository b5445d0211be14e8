// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/batch_features.h"

#include <algorithm>

#include "core/data/features/text_features.h"
#include "core/data/task.h"

namespace tfm::data {
namespace {

void drawFeatures(const DrawnFeatures& drawn, Batch& batch) {
  batch.source_features.clear();
  for (std::size_t i = 0; i < batch.source.size(); ++i) {
    const std::vector<double> row = batch.source_pad[i] != 0
                                        ? std::vector<double>(std::size_t(drawn.width))
                                        : drawn.row(batch.source[i]);
    batch.source_features.insert(batch.source_features.end(), row.begin(), row.end());
  }
  batch.source.clear();
}

}  // namespace

std::vector<Ids> storedQuestions(const Task& task) {
  std::vector<Ids> questions;
  for (const Split split : {Split::Training, Split::Evaluation})
    for (std::int64_t i = 0; i < task.exampleCount(split); ++i)
      questions.push_back(task.example(split, 0, std::uint64_t(i)).source);
  return questions;
}

void useFeatures(const TextCodec& codec, Batch& batch) {
  if (codec.drawn().width > 0) return drawFeatures(codec.drawn(), batch);
  const TextFeatures* features = codec.features();
  if (features == nullptr) return;
  const auto length = std::size_t(batch.source_length);
  const auto width = std::size_t(features->width());
  std::vector<Ids> texts;
  for (std::size_t first = 0; first < batch.source.size(); first += length) {
    const auto pads = batch.source_pad.begin() + std::ptrdiff_t(first);
    const auto used = std::find(pads, pads + std::ptrdiff_t(length), 1) - pads;
    const auto ids = batch.source.begin() + std::ptrdiff_t(first);
    texts.emplace_back(ids, ids + used);
  }
  const std::vector<float> rows = features->read(texts);
  batch.source_features.assign(batch.source.size() * width, 0.0);
  auto from = rows.begin();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto count = std::ptrdiff_t(texts[i].size() * width);
    std::copy(from, from + count,
              batch.source_features.begin() + std::ptrdiff_t(i * length * width));
    from += count;
  }
  batch.source.clear();
}

}  // namespace tfm::data
