// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// One vocabulary for question and answer, for decoder-only models: the tokens of both, sorted,
/// then start, pad and, if a side has it, unknown. Special tokens map to those of the joint
/// vocabulary, whatever their names.
class JointVocabulary {
 public:
  JointVocabulary() = default;
  JointVocabulary(const Vocabulary& source, const Vocabulary& target);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  Ids fromSource(std::span<const std::int32_t> ids) const;
  Ids fromTarget(std::span<const std::int32_t> ids) const;

 private:
  Vocabulary vocabulary_;
  Ids from_source_;  // joint id of each source id
  Ids from_target_;
};

}  // namespace tfm::data
