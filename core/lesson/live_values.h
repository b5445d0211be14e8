// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ask/observer.h"
#include "core/ask/weight_step.h"
#include "core/lesson/lesson.h"
#include "core/lesson/situation.h"

namespace tfm::lesson {

/// What live values are read from.
struct ValueSource {
  const Situation& situation;
  /// What the model does with the shown text; null: not known yet.
  std::shared_ptr<const train::Snapshot> snapshot;
  /// How the screens write a number.
  std::function<std::string(double)> number;
  /// What a training step on the shown text does to a weight, "NAME[ROW, COL]"; nullopt: not known
  /// yet. Throws Error.
  std::function<std::optional<train::WeightStep>(const std::string& weight)> step = {};
};

/// A word in braces that stands for a number or text of the open model: "{loss}".
struct ValueKind {
  std::string_view name;
  std::string_view meaning;
  std::optional<std::string> (*text)(const ValueSource& source);  ///< nullopt: not known yet
};

/// All but the numbers of tensors, "{NAME[ROW, COL]}" and "{NAME[HEAD, QUERY, KEY]}", which count
/// from 0 and are as in `explain --number`.
std::span<const ValueKind> valueKinds();

/// A word before the number of a weight: "{gradient NAME[ROW, COL]}".
struct StepValue {
  std::string_view word;
  std::string_view meaning;
  double train::WeightStep::*value;
};
std::span<const StepValue> stepValues();

/// A value used in a text.
struct UsedValue {
  std::string name;        ///< between the braces
  std::size_t begin, end;  ///< with the braces
};
/// Those of a text, in order. \{ is a brace that means itself.
std::vector<UsedValue> valuesIn(std::string_view markdown);

/// Whether it is written like a number of a tensor or like a step value.
bool isTensorNumber(std::string_view name);

/// The value; nullopt: not known yet. Throws Error for an unknown name, a tensor that the model
/// does not have, and a place outside it.
std::optional<std::string> valueOf(const std::string& name, const ValueSource& source);

/// The text with its values. What is not known yet is "…".
std::string withValues(std::string_view markdown, const ValueSource& source);

/// The right answer to a question, with live values; nullopt: not known yet.
std::optional<std::string> rightAnswer(const Question& question, const ValueSource& source);

/// The same where there is a question and the model has all values; else nullopt.
std::optional<std::string> knownAnswer(const std::optional<Question>& question,
                                       const ValueSource& source);

/// The tensors that a page's values need, as a pattern for snapshots; empty: none.
std::string patternOf(const Page& page);
/// The weights whose steps they need.
std::vector<std::string> weightsOf(const Page& page);

}  // namespace tfm::lesson
