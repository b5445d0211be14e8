// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/study/study.h"

namespace tfm::train {

/// An evaluation of one run and its cost until then.
struct StudyPoint {
  std::string arm;
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  double loss = 0.0;
  double accuracy = 0.0;        ///< see countedAnswers()
  double flops = 0.0;           ///< of training: three times those of the forward passes
  double seconds = 0.0;         ///< of training, without evaluations
  std::int64_t parameters = 0;  ///< of what is measured
  bool by_position = false;     ///< whether the accuracy counts positions

  static auto& byPosition(auto& point) { return point.by_position; }
  bool operator==(const StudyPoint&) const = default;
  static const StudyColumns<StudyPoint>& columns();
};
using StudyCurves = StudyResult<StudyPoint>;

/// A new model as an arm, with the input, lengths and output that the task needs. Throws Error
/// where it cannot learn the task.
StudyArm newArm(const std::string& name, const ModelConfig& model, const TrainConfig& train,
                const data::Task& task);
/// A saved model as an arm, which starts from its weights and keeps its nesting. Throws Error where
/// it reads or answers with other tokens than the task.
StudyArm trainedArm(const std::string& name, const Document& document, const TrainConfig& train,
                    const data::Task& task);

/// What an arm takes over from the first with StudyConfig::same_start.
struct SharedStart {
  std::string arm;
  std::int64_t tensors = 0, all_tensors = 0;
  std::int64_t parameters = 0, all_parameters = 0;
};
/// One for each arm but the first. Throws Error where it takes nothing, or is a saved model, whose
/// weights would be lost.
std::vector<SharedStart> sharedStarts(const StudyConfig& study);

/// The state in which the run of an arm begins: drawn from the seed, each tensor from a stream that
/// its index in the layout chooses, or the weights of a saved model. With StudyConfig::same_start,
/// each tensor with the name and the sizes of one of the first arm has its numbers.
ModelState firstState(const StudyConfig& study, const StudyArm& arm, std::uint64_t seed);

/// The model at the end of a run of `steps` steps. Throws Error for growths that come after it,
/// that are not possible, or whose mask is not open at the end (see expand::HiddenMethod::Mask):
/// what is measured then would not be the grown model.
ModelConfig finalModel(const StudyArm& arm, std::int64_t steps);

/// Trains each arm of the study for each seed, with the same examples, and measures every
/// evaluate_every of the first arm's steps, at the same share of each other run, and at the end of
/// each. Throws Error for fewer than two arms, for arms that share a name, lack the granularity
/// they are measured at or need more memory than there is, for one whose first step exceeds its
/// budget of operations, for one whose number of steps is known only at its end and that had not
/// grown by then (see finalModel()), and what
/// sharedStarts() and training throw.
StudyCurves compareModels(const StudyConfig& study, const StudyProgress<StudyPoint>& progress = {});

/// The names of the arms, in the order in which they were trained.
std::vector<std::string> armsOf(const StudyCurves& curves);

/// The runs of one arm at one of their measurements.
struct StudySpread {
  std::string arm;
  std::int64_t step = 0;  ///< a mean too, where runs end after different numbers of steps
  std::int64_t runs = 0;
  double loss_mean = 0.0, loss_deviation = 0.0;  ///< of the sample; 0 for a single run
  double accuracy_mean = 0.0, accuracy_deviation = 0.0;
  double flops_mean = 0.0;
  double seconds_mean = 0.0;
  std::int64_t parameters = 0;
  bool by_position = false;  ///< as in StudyPoint

  static auto& byPosition(auto& spread) { return spread.by_position; }
  static const StudyColumns<StudySpread>& columns();
};

/// Mean and spread over the seeds at each measurement, arm after arm.
std::vector<StudySpread> spreadOf(const StudyCurves& curves);

/// The runs of a table that toTsv() wrote. Throws Error naming the line and what is wrong with it.
/// `where` names the text in messages.
StudyCurves curvesFromTsv(std::string_view text, const std::string& where);

/// The steps at which the first arm grows, from its measurements: each the last one
/// before its parameters increased.
std::vector<std::int64_t> growthSteps(const StudyCurves& curves);

}  // namespace tfm::train
