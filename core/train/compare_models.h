// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/train/study.h"

namespace tfm::train {

/// One of the models that are compared, untrained, and how it is trained. It may grow meanwhile.
struct StudyArm {
  std::string name;
  ModelConfig model;
  TrainConfig train;
};

/// An evaluation of one run and its cost until then.
struct StudyPoint {
  std::string arm;
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  double loss = 0.0;
  double accuracy = 0.0;  ///< share of sequences with all positions right
  double flops = 0.0;     ///< three times those of the forward passes
  double seconds = 0.0;   ///< of training, without evaluations
  std::int64_t parameters = 0;

  bool operator==(const StudyPoint&) const = default;
  static const StudyColumns<StudyPoint>& columns();
};
using StudyCurves = StudyResult<StudyPoint>;

/// Trains each arm for each seed of the study, with the same examples and steps, and measures every
/// evaluate_every steps and after the last. Of `study`, model and training are not used. Throws
/// Error for arms that share a name or that memory does not suffice for, and what training throws.
StudyCurves compareModels(const StudyConfig& study, const std::vector<StudyArm>& arms,
                          const StudyProgress<StudyPoint>& progress = {});

/// The names of the arms, in the order in which they were trained.
std::vector<std::string> armsOf(const StudyCurves& curves);

/// The runs of one arm at one step.
struct StudySpread {
  std::string arm;
  std::int64_t step = 0;
  std::int64_t runs = 0;
  double loss_mean = 0.0, loss_deviation = 0.0;  ///< of the sample; 0 for a single run
  double accuracy_mean = 0.0, accuracy_deviation = 0.0;
  double flops_mean = 0.0;
  double seconds_mean = 0.0;

  static const StudyColumns<StudySpread>& columns();
};

/// Mean and spread over the seeds at each measured step, arm after arm.
std::vector<StudySpread> spreadOf(const StudyCurves& curves);

/// The runs of a table that toTsv() wrote. Throws Error naming the line and what is wrong with it.
/// `where` names the text in messages.
StudyCurves curvesFromTsv(std::string_view text, const std::string& where);

/// The steps at which the first arm grows, as far as its measurements tell: each the last one
/// before its parameters became more.
std::vector<std::int64_t> growthSteps(const StudyCurves& curves);

}  // namespace tfm::train
