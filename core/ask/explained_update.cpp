// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/explained_update.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/program/ops/update_ops.h"
#include "core/program/program_builder.h"
#include "core/train/update_rules.h"

namespace tfm::train {

using observe::NumberPlace;

ExplainedUpdate::ExplainedUpdate(const ModelState& state, const TrainConfig& config,
                                 std::span<const double> gradients, const std::string& parameter)
    : config_(config), step_(state.step), updates_(state.optimizer_step + 1) {
  const ParameterInfo* info = state.layout.find(parameter);
  if (info == nullptr)
    throw Error("'" + parameter + "' is no weight of the model", "model",
                "The optimizer changes weights, biases and norms");
  check(gradients.size() == state.parameters.size(), "there is a gradient for each parameter");
  const auto part = [&](const auto& all) {
    if (all.empty()) return std::vector<double>(std::size_t(info->size()), 0.0);
    const auto first = all.begin() + info->offset;
    return std::vector<double>(first, first + info->size());
  };
  double squares = 0.0;
  for (const double gradient : gradients) squares += gradient * gradient;
  const std::vector<std::int64_t> missed = missedByEntry(state);
  missed_.assign(missed.begin() + info->offset, missed.begin() + info->offset + info->size());
  numbers_[kWeight] = part(state.parameters);
  numbers_[kRaw] = part(gradients);
  numbers_[kOldFirst] = part(state.first_moment);
  numbers_[kOldSecond] = part(state.second_moment);
  numbers_[kRate] = {learningRate(config.schedule, state.step)};
  numbers_[kNorm] = {std::sqrt(squares)};

  const bool adam = config.optimizer.kind != OptimizerKind::Sgd;
  ProgramBuilder b({}, false, false);
  const std::int64_t rows = info->rows(), cols = info->cols();
  given_[kWeight] = b.input(parameter, rows, cols);
  given_[kRaw] = b.input(parameter + ".gradient", rows, cols);
  given_[kOldFirst] = b.input("optimizer.first_moment." + parameter, rows, cols);
  given_[kOldSecond] =
      adam ? b.input("optimizer.second_moment." + parameter, rows, cols) : kNoTensor;
  given_[kRate] = b.input("learning_rate", 1, 1);
  given_[kNorm] = b.input("gradient_norm", 1, 1);
  outputs_[kNext] = b.activation(parameter + ".next", rows, cols);
  outputs_[kFirst] = b.activation(parameter + ".next_first_moment", rows, cols);
  outputs_[kSecond] =
      adam ? b.activation(parameter + ".next_second_moment", rows, cols) : kNoTensor;
  outputs_[kGradient] = b.activation(parameter + ".clipped_gradient", rows, cols);
  outputs_[kFactor] = b.activation("clip_factor", 1, 1);
  Step step{adam ? &ops::kAdam : &ops::kSgd, "optimizer", {}, {}, {}};
  for (const TensorId id : given_)
    if (id != kNoTensor) step.inputs.push_back(id);
  for (const TensorId id : outputs_)
    if (id != kNoTensor) step.outputs.push_back(id);
  program_ = b.finish();
  program_.steps.push_back(std::move(step));
}

NumberPlace ExplainedUpdate::next(std::int64_t row, std::int64_t col) const {
  return {outputs_[kNext], row, col};
}

NumberPlace ExplainedUpdate::at(TensorId tensor, const NumberPlace& cell) const {
  const bool single =
      tensor == given_[kRate] || tensor == given_[kNorm] || tensor == outputs_[kFactor];
  return {tensor, single ? 0 : cell.row, single ? 0 : cell.col};
}

/// What an output is made of at a cell: amounts, and what each comes from.
Explanation ExplainedUpdate::terms(Output output, const NumberPlace& cell,
                                   std::vector<observe::PlacedTerm>& placed) const {
  const bool adam = config_.optimizer.kind != OptimizerKind::Sgd;
  const bool decoupled = config_.optimizer.kind == OptimizerKind::AdamW;
  const double decay = config_.optimizer.weight_decay;
  const auto entry =
      std::size_t(cell.row * program_.tensors[std::size_t(given_[kWeight])].cols + cell.col);
  Explanation e{""};
  // A factor times the numbers of `factors`; it is computed from those of `read`.
  const auto add = [&](double factor, const std::vector<TensorId>& factors,
                       const std::vector<TensorId>& read = {}) {
    observe::PlacedTerm term{factor, {}, factors.size(), factor};
    for (const TensorId id : factors) {
      term.sources.push_back(at(id, cell));
      term.amount *= value(term.sources.back());
    }
    for (const TensorId id : read) term.sources.push_back(at(id, cell));
    e.terms.push_back({term.amount, {}});
    placed.push_back(std::move(term));
  };
  const auto made = [&](Output which) { return value(at(outputs_[which], cell)); };

  switch (output) {
    case kFactor: {
      const double norm = numbers_[kNorm].front();
      if (config_.clip_norm <= 0.0 || norm <= 0.0) {
        e.formula = "factor = 1, without clipping";
        e.constant = 1.0;
        break;
      }
      e.formula = "factor = smallest of 1 and limit / norm";
      e.rule = Explanation::Rule::Smallest;
      add(1.0, {});
      add(config_.clip_norm / norm, {}, {given_[kNorm]});
      break;
    }
    case kGradient:
      add(1.0, {outputs_[kFactor], given_[kRaw]});
      e.formula = "g[r, c] = factor gradient[r, c]";
      if (decoupled || decay == 0.0) break;
      e.formula = "g[r, c] = factor gradient[r, c] + decay p[r, c]";
      add(decay, {given_[kWeight]});
      break;
    case kFirst:
      if (!adam) {
        e.formula = "v[r, c] = momentum v_before[r, c] + g[r, c]";
        add(config_.optimizer.momentum, {given_[kOldFirst]});
        add(1.0, {outputs_[kGradient]});
        break;
      }
      e.formula = "m[r, c] = b1 m_before[r, c] + (1 - b1) g[r, c]";
      add(config_.optimizer.beta1, {given_[kOldFirst]});
      add(1.0 - config_.optimizer.beta1, {outputs_[kGradient]});
      break;
    case kSecond: {
      e.formula = "v[r, c] = b2 v_before[r, c] + (1 - b2) g[r, c]^2";
      add(config_.optimizer.beta2, {given_[kOldSecond]});
      add(1.0 - config_.optimizer.beta2, {outputs_[kGradient], outputs_[kGradient]});
      break;
    }
    case kNext: {
      add(1.0, {given_[kWeight]});
      if (!adam) {
        e.formula = "next[r, c] = p[r, c] - rate v[r, c]";
        add(-1.0, {given_[kRate], outputs_[kFirst]});
        break;
      }
      e.formula = "next[r, c] = p[r, c] - rate (m[r, c] / c1) / (sqrt(v[r, c] / c2) + eps)";
      if (decoupled && decay != 0.0) {
        e.formula =
            "next[r, c] = p[r, c] - rate decay p[r, c] - rate (m[r, c] / c1) / (sqrt(v[r, c] / c2) "
            "+ eps)";
        add(-decay, {given_[kRate], given_[kWeight]});
      }
      const AdamRule rule = adamRule(config_, step_, updates_ - missed_[entry]);
      const double divisor = std::sqrt(made(kSecond) / rule.second_correction) + rule.eps;
      add(-1.0 / (rule.first_correction * divisor), {given_[kRate], outputs_[kFirst]},
          {outputs_[kSecond]});
      break;
    }
  }
  return e;
}

observe::ExplainedNumber ExplainedUpdate::explain(const NumberPlace& place) const {
  observe::ExplainedNumber number{place, 0.0, {}};
  const auto output = std::ranges::find(outputs_, place.tensor);
  if (output == std::end(outputs_)) {
    number.value = value(place);
    return number;
  }
  std::vector<observe::PlacedTerm> placed;
  Explanation explanation = terms(Output(output - std::begin(outputs_)), place, placed);
  observe::StepPart part{&program_.steps.front(), std::move(explanation), std::move(placed)};
  std::ranges::stable_sort(part.terms, std::greater<>{},
                           [](const observe::PlacedTerm& term) { return std::abs(term.amount); });
  number.value = part.explanation.value();
  number.parts.push_back(std::move(part));
  return number;
}

double ExplainedUpdate::value(const NumberPlace& place) const {
  for (std::size_t i = 0; i < std::size(given_); ++i)
    if (given_[i] == place.tensor) {
      const std::int64_t cols = program_.tensors[std::size_t(place.tensor)].cols;
      return numbers_[i][std::size_t(place.row * cols + place.col)];
    }
  return explain(place).value;
}

}  // namespace tfm::train
