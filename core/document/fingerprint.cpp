// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/fingerprint.h"

#include <span>
#include <string_view>

#include "core/backend/about.h"
#include "core/io/checksum.h"

namespace tfm::train {
namespace {

std::uint64_t checksumOf(std::string_view text) {
  return io::checksum(std::as_bytes(std::span(text)));
}

/// A proquint of the checksum's bits, all of which take part.
std::string wordOf(std::uint64_t checksum) {
  constexpr std::string_view kConsonants = "bdfghjklmnprstvz", kVowels = "aiou";
  const auto bits = std::uint16_t(checksum ^ checksum >> 16 ^ checksum >> 32 ^ checksum >> 48);
  return {kConsonants[bits >> 12], kVowels[bits >> 10 & 3], kConsonants[bits >> 6 & 15],
          kVowels[bits >> 4 & 3], kConsonants[bits & 15]};
}

/// Nothing for a model that reads no texts yet.
std::string dataOf(const Document& document) {
  if (document.task) {
    data::TaskConfig task = *document.task;
    for (std::string* path :
         {&task.path, &task.test_path, &task.vocabulary_path, &task.encoder_path})
      path->clear();
    return data::toJson(task);
  }
  return document.codec ? document.codec->toJson() : std::string();
}

}  // namespace

Fingerprint fingerprintOf(const Document& document) {
  const ModelState& state = document.state;
  return {wordOf(weightsOf(state) ^ checksumOf(toJson(state.config))),
          wordOf(checksumOf(std::to_string(state.seed))), wordOf(checksumOf(dataOf(document))),
          wordOf(checksumOf(programVersion()))};
}

std::string whereTheSame(const TrainConfig& config) {
  if (!config.same_numbers)
    return "with same_numbers, it would be the same on every machine of this architecture";
#if defined(__x86_64__)
  return "the same on every x86-64 machine";
#else
  return "the same on every machine of this architecture; from those with x86-64, weights may "
         "differ in the last digits";
#endif
}

}  // namespace tfm::train
