// SPDX-License-Identifier: GPL-3.0-or-later
// From a number to what reads it, and along a term to its source.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/program/ops/ops.h"
#include "ui/views/flow/flow_inspector.h"

namespace tfm::ui {
namespace {

using observe::NumberPlace;
using observe::PlacedTerm;

constexpr std::size_t kMostLooked = 20'000;  // terms that are looked at to find a reader

/// How much of a number a term owes to a source; 0 if it does not know it.
double shareOf(const observe::ExplainedNumber& number, const NumberPlace& source) {
  double share = 0.0;
  for (const observe::StepPart& part : number.parts)
    for (const PlacedTerm& term : part.terms)
      if (std::ranges::find(term.sources, source) != term.sources.end())
        share += std::abs(term.amount);
  return share;
}

/// The number of a product that owes most to one of its factors: the other factor says how much.
/// None for what else the step reads, such as a bias.
std::optional<NumberPlace> readerInProduct(FlowRun& run, const Step& step,
                                           const NumberPlace& value) {
  const auto reads = [&](TensorId id) { return holderOf(run.program(), id) == value.tensor; };
  const auto states = run.explained().values(step.inputs[0]);
  const auto weights = run.explained().values(step.inputs[1]);
  const bool weight = !reads(step.inputs[0]);
  if (weight && (!reads(step.inputs[1]) || value.row >= weights.rows)) return std::nullopt;
  if (value.col >= weights.cols) return std::nullopt;
  const auto& others = weight ? states : weights;
  std::int64_t best = 0;
  const auto size = [&](std::int64_t row) { return std::abs(others.at(row, value.col)); };
  for (std::int64_t row = 1; row < others.rows; ++row)
    if (size(row) > size(best)) best = row;
  return weight ? NumberPlace{step.outputs[0], best, value.row}
                : NumberPlace{step.outputs[0], value.row, best};
}

}  // namespace

std::vector<PlacedTerm> termsOf(const observe::ExplainedNumber& number) {
  std::vector<PlacedTerm> terms;
  for (const observe::StepPart& part : number.parts)
    terms.insert(terms.end(), part.terms.begin(), part.terms.end());
  std::ranges::stable_sort(terms, std::greater<>{},
                           [](const PlacedTerm& term) { return std::abs(term.amount); });
  return terms;
}

std::optional<NumberPlace> leadingSource(const FlowRun& run, const std::vector<PlacedTerm>& terms) {
  // A probability of attention says how much, the value what: the value leads on.
  for (const PlacedTerm& term : terms)
    for (const bool maps : {false, true})
      for (const NumberPlace& source : term.sources) {
        const Role role = run.info(source.tensor).role;
        if (role != Role::Activation && role != Role::Ids && role != Role::Input) continue;
        if ((run.attentionOf(source.tensor) != nullptr) == maps) return source;
      }
  return std::nullopt;
}

std::vector<NumberPlace> readersOf(FlowRun& run, const NumberPlace& place) {
  std::vector<NumberPlace> found;
  auto& explainer = run.explained().explainer();
  NumberPlace value = place;
  value.gradient = false;
  // The number of the first of these tensors that reads the value, and owes most to it.
  const auto addReader = [&](const std::vector<TensorId>& tensors) {
    std::optional<NumberPlace> best;
    double most = 0.0;
    std::size_t looked = 0;
    const auto look = [&](const NumberPlace& at) {
      if (looked > kMostLooked) return;
      const observe::ExplainedNumber number = explainer.explain(at);
      for (const observe::StepPart& part : number.parts) looked += 1 + part.terms.size();
      const double share = shareOf(number, value);
      if (share <= most * (1.0 + 1e-9)) return;
      most = share;
      best = at;
    };
    for (const TensorId id : tensors) {
      const TensorInfo& t = run.info(id);
      // In a softmax, all of a row read the number alike; its own place is meant.
      if (value.row < t.rows && value.col < t.cols) look({id, value.row, value.col, false});
      // The same row first, then the same column: most steps keep one of the two.
      if (value.row < t.rows)
        for (std::int64_t col = 0; col < t.cols; ++col) look({id, value.row, col, false});
      if (value.col < t.cols)
        for (std::int64_t row = 0; row < t.rows; ++row) look({id, row, value.col, false});
      for (std::int64_t i = 0; i < t.rows * t.cols && looked < kMostLooked && !best; ++i)
        look({id, i / t.cols, i % t.cols, false});
      if (best) break;
    }
    if (best) found.push_back(*best);
  };
  // What its own step goes on to make of it, as the softmax of attention scores.
  if (const std::size_t maker = run.map().makers[std::size_t(value.tensor)];
      maker != observe::kNoNode) {
    auto later = observe::computedBy(run.program(), run.program().steps[maker]);
    later.erase(later.begin(), std::ranges::find(later, value.tensor));
    if (later.size() > 1) addReader({later.begin() + 1, later.end()});
  }
  for (const Step* step : explainer.readers(value)) {
    const auto best = step->op == &ops::kLinear ? readerInProduct(run, *step, value) : std::nullopt;
    if (best)
      found.push_back(*best);
    else
      addReader(observe::computedBy(run.program(), *step));
  }
  for (NumberPlace& one : found) one.gradient = place.gradient;
  return found;
}

}  // namespace tfm::ui
