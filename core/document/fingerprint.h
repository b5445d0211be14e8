// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/document/document.h"

namespace tfm::train {

/// Four words to compare trainings by, read aloud: of the weights with the sizes of the model, of
/// the seed, of the data (the task with its texts, not where they lie) and of this program's
/// version. A word that differs says what differs. Trained with TrainConfig::same_numbers, all four
/// are the same on every machine of an architecture.
///
/// A word is 16 bits of a checksum as a proquint (Wilkerson 2009, arXiv:0901.4016): consonants and
/// vowels in turn, "lusab". It detects differences, and is no proof against forgery.
struct Fingerprint {
  std::string weights, seed, data, version;
  bool operator==(const Fingerprint&) const = default;

  /// "lusab babad gutih tugad"
  std::string text() const { return weights + ' ' + seed + ' ' + data + ' ' + version; }
};

Fingerprint fingerprintOf(const Document& document);

/// On which machines a training with this config has the same fingerprint, as words after a comma.
std::string whereTheSame(const TrainConfig& config);

}  // namespace tfm::train
