// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/live_values.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/number_text.h"
#include "core/observe/explainer.h"
#include "core/observe/indexed_name.h"
#include "core/observe/intervention.h"

namespace tfm::lesson {
namespace {

using Value = std::optional<std::string>;

Value ofEvaluation(const ValueSource& source, double train::Evaluation::*member, double factor,
                   const char* unit) {
  const auto& all = source.situation.history.evaluations;
  if (all.empty()) return std::nullopt;
  return source.number(factor * all.back().*member) + unit;
}

const ValueKind kValues[] = {
    {"parameters", "The number of parameters of the model.",
     [](const ValueSource& s) -> Value { return std::to_string(s.situation.parameters); }},
    {"step", "The number of training steps done.",
     [](const ValueSource& s) -> Value { return std::to_string(s.situation.step); }},
    {"loss", "The loss on held-out examples at the last evaluation.",
     [](const ValueSource& s) { return ofEvaluation(s, &train::Evaluation::loss, 1.0, ""); }},
    {"accuracy", "The share of held-out examples that it answered rightly then, in percent.",
     [](const ValueSource& s) {
       return ofEvaluation(s, &train::Evaluation::accuracy, 100.0, " %");
     }},
    {"layers", "The number of layers of encoder and decoder.",
     [](const ValueSource& s) -> Value {
       return std::to_string(s.situation.model.encoder_layers.size() +
                             s.situation.model.decoder_layers.size());
     }},
    {"heads", "The number of heads of all its attentions.",
     [](const ValueSource& s) -> Value {
       return std::to_string(observe::unitsOf(s.situation.model, observe::UnitKind::Heads).size());
     }},
    {"hidden", "How many numbers describe one token inside the model.",
     [](const ValueSource& s) -> Value { return std::to_string(s.situation.model.hidden); }},
    {"text", "The text that the model reads.",
     [](const ValueSource& s) -> Value {
       const std::string_view text = shownText(s.situation.window);
       return text.empty() ? Value() : Value(text);
     }},
    {"answer", "What it answers to that text.",
     [](const ValueSource& s) -> Value {
       return s.snapshot == nullptr ? Value() : Value(s.snapshot->probe.answer);
     }},
};

constexpr StepValue kStepValues[] = {
    {"gradient", "How the loss of a training step on the shown text changes with a weight.",
     &train::WeightStep::gradient},
    {"slope", "The same, measured with the weight a little larger and a little smaller.",
     &train::WeightStep::slope},
    {"next", "The weight after that step.", &train::WeightStep::next},
};

/// "gradient" of "gradient NAME[0, 0]"; null for others.
const StepValue* stepValueOf(std::string_view name) {
  const auto found =
      std::ranges::find(kStepValues, name.substr(0, name.find(' ')), &StepValue::word);
  return found == std::end(kStepValues) ? nullptr : found;
}

std::string weightIn(const std::string& name) { return name.substr(name.find(' ') + 1); }

Value tensorNumber(const std::string& name, const ValueSource& source) {
  if (source.snapshot == nullptr) return std::nullopt;
  const train::Snapshot& seen = *source.snapshot;
  const Batch& batch = seen.probe.batch;
  if (batch.size == 0) return std::nullopt;
  const Program program = observe::probedProgram(
      source.situation.model, {batch.size, batch.source_length, batch.target_length});
  const observe::NumberPlace place = observe::placeNamed(program, name);
  const std::string& tensor = program.tensors[std::size_t(place.tensor)].name;
  if (const auto observed = seen.observed.find(tensor); observed != seen.observed.end())
    return source.number(observed->second.at(place.row, place.col));
  if (seen.state == nullptr) return std::nullopt;
  const ParameterInfo* parameter = seen.state->layout.find(tensor);
  if (parameter == nullptr) return std::nullopt;
  return source.number(
      seen.state
          ->parameters[std::size_t(parameter->offset + place.row * parameter->cols() + place.col)]);
}

Value stepNumber(const std::string& name, const StepValue& value, const ValueSource& source) {
  if (!source.step) return std::nullopt;
  const auto step = source.step(weightIn(name));
  if (!step || std::isnan((*step).*value.value)) return std::nullopt;
  return source.number((*step).*value.value);
}

/// The numbers of tensors and the step values that a page uses.
std::set<std::string> tensorNumbersOf(const Page& page) {
  std::set<std::string> names;
  const auto add = [&](const std::string& text) {
    for (const UsedValue& used : valuesIn(text))
      if (isTensorNumber(used.name)) names.insert(used.name);
  };
  add(page.markdown);
  add(page.deed);
  add(page.solution);
  for (const std::string& hint : page.hints) add(hint);
  for (const auto* question : {&page.prediction, &page.question})
    if (*question) add((*question)->ask), add((*question)->right);
  return names;
}

std::string nameAlone(const std::string& name) { return name.substr(0, name.find('[')); }

}  // namespace

std::span<const ValueKind> valueKinds() { return kValues; }
std::span<const StepValue> stepValues() { return kStepValues; }

std::vector<UsedValue> valuesIn(std::string_view markdown) {
  std::vector<UsedValue> used;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\')
      ++i;  // the next character means itself
    else if (markdown[i] == '{') {
      const std::size_t end = markdown.find_first_of("{}\n", i + 1);
      if (end == std::string_view::npos || markdown[end] != '}') continue;
      used.push_back({std::string(markdown.substr(i + 1, end - i - 1)), i, end + 1});
      i = end;
    }
  }
  return used;
}

bool isTensorNumber(std::string_view name) { return name.ends_with(']'); }

Value valueOf(const std::string& name, const ValueSource& source) {
  if (isTensorNumber(name)) {
    const StepValue* of_step = stepValueOf(name);
    return of_step == nullptr ? tensorNumber(name, source) : stepNumber(name, *of_step, source);
  }
  const auto kind = std::ranges::find(kValues, name, &ValueKind::name);
  if (kind == std::end(kValues))
    throw Error("there is no value {" + name + "}", {},
                "transformarium-cli lesson words lists all; a brace that means itself is "
                "written \\{");
  return kind->text(source);
}

std::string withValues(std::string_view markdown, const ValueSource& source) {
  std::string text;
  std::size_t done = 0;
  const auto add = [&](std::size_t end) {
    for (; done < end; ++done)
      if (markdown.substr(done, 2) != "\\{") text += markdown[done];
  };
  for (const UsedValue& used : valuesIn(markdown)) {
    add(used.begin);
    text += valueOf(used.name, source).value_or("…");
    done = used.end;
  }
  add(markdown.size());
  return text;
}

Value rightAnswer(const Question& question, const ValueSource& source) {
  const std::vector<UsedValue> used = valuesIn(question.right);
  std::string right;
  std::size_t done = 0;
  for (const UsedValue& one : used) {
    const Value value = valueOf(one.name, source);
    if (!value) return std::nullopt;
    right += question.right.substr(done, one.begin - done) + *value;
    done = one.end;
  }
  right += question.right.substr(done);
  // "97.5 %" is typed as 97.5.
  if (question.choices.empty() && right.ends_with(" %")) right.resize(right.size() - 2);
  return right;
}

Value knownAnswer(const std::optional<Question>& question, const ValueSource& source) {
  Value right;
  if (question) (void)problemOf([&] { right = rightAnswer(*question, source); });
  return right;
}

std::string patternOf(const Page& page) {
  std::set<std::string> names;
  for (const std::string& number : tensorNumbersOf(page))
    if (stepValueOf(number) == nullptr) names.insert(nameAlone(number));
  std::string pattern;
  for (const std::string& name : names) pattern += (pattern.empty() ? "" : ",") + name;
  return pattern;
}

std::vector<std::string> weightsOf(const Page& page) {
  std::set<std::string> weights;
  for (const std::string& number : tensorNumbersOf(page))
    if (stepValueOf(number) != nullptr) weights.insert(weightIn(number));
  return {weights.begin(), weights.end()};
}

}  // namespace tfm::lesson
