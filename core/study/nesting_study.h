// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ask/submodel_scorer.h"
#include "core/study/spread.h"
#include "core/study/study.h"

namespace tfm::train {

/// One granularity of one seed at the end of training.
struct NestingPoint {
  std::uint64_t seed = 0;
  std::string name;      ///< of the granularity
  std::string trained;   ///< kNested or kSeparately
  SubmodelScore score;   ///< agreement and divergence: with the nested model's whole
  double seconds = 0.0;  ///< of training; of a submodel: that of the whole nested model

  static auto& byPosition(auto& point) { return point.score.answers.by_position; }
  static const StudyColumns<NestingPoint>& columns();
};
using NestingStudyResult = StudyResult<NestingPoint>;

/// How a granularity was trained: as a submodel of the nested model, or on its own.
inline constexpr const char* kNested = "nested";
inline constexpr const char* kSeparately = "separately";

/// Does nesting cost anything? Trains, for each seed, the nested model and then a twin for each of
/// its granularities, with the same examples, optimizer and number of steps. Throws Error where
/// nothing is nested or something is to grow, and what training throws.
NestingStudyResult runNestingStudy(const StudyConfig& config,
                                   const StudyProgress<NestingPoint>& progress = {});

/// The seeds of one granularity, trained in one of the two ways.
struct NestingSpread {
  std::string name;
  std::string trained;
  std::int64_t parameters = 0;
  std::int64_t runs = 0;
  Spread loss, accuracy, agreement;
  bool by_position = false;  ///< whether the accuracy counts positions

  static auto& byPosition(auto& spread) { return spread.by_position; }
  static const StudyColumns<NestingSpread>& columns();
};

/// One for each granularity and way: smallest first, each nested before separate.
std::vector<NestingSpread> spreadOf(const NestingStudyResult& result);

}  // namespace tfm::train
