// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/logit_contributions.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <functional>
#include <map>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::observe {
namespace {

/// By how much the logit changes with each number of a tensor, if no norm's deviation changed.
using Weights = RowMajor<double>;

/// Goes back from the logit along the residual stream, against the steps. Whatever a step reads off
/// the stream itself is not followed: what it writes is a part.
template <class Real>
class Backtrack {
 public:
  Backtrack(Explainer<Real>& explainer, LogitContributions& found)
      : program_(explainer.program()), explainer_(explainer), found_(found) {}

  void run(const NumberPlace& logit) {
    weightsOf(logit.tensor)(logit.row, logit.col) = 1.0;
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
      const Step& step = program_.steps[i];
      const auto at = step.outputs.empty() ? open_.end() : open_.find(step.outputs.front());
      if (at == open_.end()) continue;
      Weights weights = std::move(at->second);
      open_.erase(at);
      back(step, weights);
    }
    for (auto& [tensor, weights] : open_)  // given from outside
      add(tensor, weights, {}, false);
  }

 private:
  const std::string& nameOf(TensorId id) const { return program_.tensors[std::size_t(id)].name; }
  RowMajor<double> values(TensorId id) {
    return map(explainer_.values(id)).template cast<double>();
  }

  Weights& weightsOf(TensorId id) {
    const TensorInfo& t = program_.tensors[std::size_t(id)];
    return open_.try_emplace(id, Weights::Zero(t.rows, t.cols)).first->second;
  }

  void add(TensorId tensor, const Weights& weights, const Site& site, bool bias) {
    const RowMajor<double> x = values(tensor);
    found_.parts.push_back(
        {nameOf(tensor), -1, site, bias,
         bias ? weights.colwise().sum().dot(x.row(0)) : weights.cwiseProduct(x).sum()});
  }

  void back(const Step& step, Weights& y) {
    const Op* op = step.op;
    const bool block = step.site.block >= 0;
    if (op == &ops::kLinear && step.site == Site{})
      throughLinear(step, y);
    else if (op->kind == OpKind::Norm)
      throughNorm(step, y);
    else if (op == &ops::kAdd && block)
      throughResidual(step, y);
    else if (op == &ops::kAdd)
      for (const TensorId x : {step.inputs[0], step.inputs[1]}) weightsOf(x) += y;
    else if (op == &ops::kGate)
      throughGate(step, y);
    else if (op == &ops::kAffine)
      throughChange(step, y);
    else if (op == &ops::kAddPositions)
      throughPositions(step, y);
    else if (op->positions != nullptr || op == &ops::kMeanPool)
      throughTerms(step, y);
    else
      add(step.outputs.front(), y, step.site, false);
  }

  /// y W. Most of y is 0, as a logit is one number of one row, so W is neither copied nor read
  /// whole.
  Weights timesMap(const Weights& y, TensorId w) {
    const auto rows = map(explainer_.values(w));
    Weights x = Weights::Zero(y.rows(), rows.cols());
    for (std::int64_t r = 0; r < y.rows(); ++r)
      for (std::int64_t o = 0; o < y.cols(); ++o)
        if (y(r, o) != 0.0) x.row(r) += y(r, o) * rows.row(o).template cast<double>();
    return x;
  }

  /// y = x W^T + b.
  void throughLinear(const Step& step, const Weights& y) {
    weightsOf(step.inputs[0]) += timesMap(y, step.inputs[1]);
    if (step.inputs[2] != kNoTensor) add(step.inputs[2], y, step.site, true);
  }

  /// y = m ((x - mean) scale gain + bias), with scale held.
  void throughNorm(const Step& step, Weights& y) {
    found_.held.push_back(step.path);
    const bool centred = step.op != &ops::kRmsNorm;
    const RowMajor<double> gain = values(step.inputs[1]), statistics = values(step.outputs[1]);
    check(gain.cols() == y.cols(), "norms of the residual stream are over all of it");
    Eigen::RowVectorXd m = Eigen::RowVectorXd::Ones(y.cols());
    if (step.op == &ops::kMaskedLayerNorm) {
      const auto& mask = std::any_cast<const MaskedNormArguments&>(step.arguments);
      m.tail(y.cols() - mask.size).setConstant(mask.weightAt(explainer_.position()));
    }
    y.array().rowwise() *= m.array();
    Weights x = statistics.col(centred ? 1 : 0).asDiagonal() * y * gain.row(0).asDiagonal();
    if (centred) x -= x.rowwise().sum().eval() * (m / m.sum());
    weightsOf(step.inputs[0]) += x;
    if (centred && step.inputs[2] != kNoTensor) add(step.inputs[2], y, step.site, true);
  }

  /// y = x + f: the block's output f is a part, or one for each head, and a bias.
  void throughResidual(const Step& step, const Weights& y) {
    weightsOf(step.inputs[0]) += y;
    const TensorId f = step.inputs[1];
    const Step* linear = program_.makerOf(f);
    if (linear == nullptr || linear->op != &ops::kLinear) {
      add(f, y, step.site, false);
      return;
    }
    if (linear->inputs[2] != kNoTensor) add(linear->inputs[2], y, step.site, true);
    const TensorId x = linear->inputs[0];
    const Step* attention = program_.makerOf(x);
    while (attention != nullptr && attention->op == &ops::kAffine)  // changed heads
      attention = program_.makerOf(attention->inputs[0]);
    const bool heads = attention != nullptr && attention->op == &ops::kAttention;
    const RowMajor<double> each = timesMap(y, linear->inputs[1]).cwiseProduct(values(x));
    const std::int64_t size =
        heads ? std::any_cast<const AttentionArguments&>(attention->arguments).shape.value_size
              : each.cols();
    const std::string& name = heads ? attention->path : nameOf(f);
    for (std::int64_t first = 0; first < each.cols(); first += size)
      found_.parts.push_back(
          {name, heads ? first / size : -1, step.site, false, each.middleCols(first, size).sum()});
  }

  /// y = (1 - g) x + g f.
  void throughGate(const Step& step, const Weights& y) {
    const double open = values(step.inputs[2])(0, 0);
    weightsOf(step.inputs[0]) += (1.0 - open) * y;
    weightsOf(step.inputs[1]) += open * y;
  }

  /// An intervention, y = m x + a: what it adds is a part.
  void throughChange(const Step& step, const Weights& y) {
    const RowMajor<double> factor = values(step.inputs[1]), added = values(step.inputs[2]);
    const std::int64_t times = y.rows() / factor.rows();
    weightsOf(step.inputs[0]) += y.cwiseProduct(factor.replicate(times, 1));
    const double amount = y.cwiseProduct(added.replicate(times, 1)).sum();
    if (amount != 0.0) found_.parts.push_back({step.path, -1, step.site, false, amount});
  }

  void throughPositions(const Step& step, const Weights& y) {
    weightsOf(step.inputs[0]) += y;
    const std::int64_t length = std::any_cast<const SequenceArguments&>(step.arguments).length;
    const RowMajor<double> table = values(step.inputs[1]).topRows(length);
    found_.parts.push_back({nameOf(step.inputs[1]), -1, step.site, false,
                            y.cwiseProduct(table.replicate(y.rows() / length, 1)).sum()});
  }

  /// Ops whose outputs are weighted sums, means or maxima of positions: as they explain themselves.
  void throughTerms(const Step& step, const Weights& y) {
    Weights& x = weightsOf(step.inputs[0]);
    const RowMajor<double> read = values(step.inputs[0]), written = values(step.outputs[0]);
    for (std::int64_t r = 0; r < y.rows(); ++r)
      for (std::int64_t c = 0; c < y.cols(); ++c) {
        if (y(r, c) == 0.0) continue;
        const StepPart part = explainer_.explain({step.outputs[0], r, c}).parts.front();
        const bool largest = part.explanation.rule == Explanation::Rule::Largest;
        for (const PlacedTerm& term : part.terms) {
          const NumberPlace& from = term.sources.front();
          if (largest && read(from.row, from.col) != written(r, c)) continue;
          x(from.row, from.col) += y(r, c) * (largest ? 1.0 : 1.0 / double(part.terms.size()));
          if (largest) break;
        }
      }
  }

  const Program& program_;
  Explainer<Real>& explainer_;
  LogitContributions& found_;
  std::map<TensorId, Weights> open_;  ///< of tensors whose step is still to come
};

}  // namespace

template <class Real>
LogitContributions logitContributions(Explainer<Real>& explainer, const NumberPlace& place) {
  const Program& program = explainer.program();
  const TensorId output = program.find(names::kOutput);
  if (place.tensor != output || place.gradient)
    throw Error("only logits can be decomposed into the contributions of blocks", "model",
                "Choose a number of 'output'");
  const bool stream = std::ranges::any_of(program.steps, [](const Step& step) {
    return step.op == &ops::kAdd && step.site.block >= 0;
  });
  if (!stream)
    throw Error("this model has no residual stream along which to decompose a logit", "model",
                "It is a single attention");
  LogitContributions found;
  found.logit = explainer.value(place);
  Backtrack<Real>(explainer, found).run(place);
  std::ranges::stable_sort(found.parts, std::greater<>{},
                           [](const LogitContribution& part) { return std::abs(part.amount); });
  return found;
}

template LogitContributions logitContributions(Explainer<float>&, const NumberPlace&);
template LogitContributions logitContributions(Explainer<double>&, const NumberPlace&);

}  // namespace tfm::observe
