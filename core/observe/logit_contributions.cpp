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

namespace tfm::observe {
namespace {

/// By how much the logit changes with each number of a tensor, if no norm's deviation changed.
struct Weights {
  std::int64_t cols = 0;
  std::vector<double> all;
  double& at(std::int64_t row, std::int64_t col) { return all[std::size_t(row * cols + col)]; }
};

/// Goes back from the logit along the residual stream, against the steps. Whatever a step reads off
/// the stream itself is not followed: what it writes is a part.
template <class Real>
class Backtrack {
 public:
  Backtrack(Explainer<Real>& explainer, LogitContributions& found)
      : program_(explainer.program()), explainer_(explainer), found_(found) {}

  void run(const NumberPlace& logit) {
    weightsOf(logit.tensor).at(logit.row, logit.col) = 1.0;
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
      const Step& step = program_.steps[i];
      const auto at = step.outputs.empty() ? open_.end() : open_.find(step.outputs.front());
      if (at == open_.end()) continue;
      Weights weights = std::move(at->second);
      open_.erase(at);
      back(step, weights);
    }
    for (auto& [tensor, weights] : open_)  // given from outside
      add(nameOf(tensor), tensor, weights, {}, false);
  }

 private:
  using View = MatrixView<const Real>;

  const std::string& nameOf(TensorId id) const { return program_.tensors[std::size_t(id)].name; }
  View values(TensorId id) { return explainer_.values(id); }

  Weights& weightsOf(TensorId id) {
    const TensorInfo& t = program_.tensors[std::size_t(id)];
    Weights& weights = open_[id];
    if (weights.all.empty()) weights = {t.cols, std::vector<double>(std::size_t(t.rows * t.cols))};
    return weights;
  }

  void add(const std::string& name, TensorId tensor, Weights& weights, const Site& site,
           bool bias) {
    const View x = values(tensor);
    double amount = 0.0;
    for (std::int64_t r = 0; r < std::int64_t(weights.all.size()) / weights.cols; ++r)
      for (std::int64_t c = 0; c < weights.cols; ++c)
        amount += weights.at(r, c) * double(x.at(bias ? 0 : r, c));
    found_.parts.push_back({name, -1, site, bias, amount});
  }

  void back(const Step& step, Weights& y) {
    const Op* op = step.op;
    const bool block = step.site.block >= 0;
    if (op == &ops::kLinear && step.site == Site{})
      throughLinear(step, y);
    else if (op == &ops::kLayerNorm || op == &ops::kMaskedLayerNorm || op == &ops::kRmsNorm)
      throughNorm(step, y);
    else if (op == &ops::kAdd && block)
      throughResidual(step, y);
    else if (op == &ops::kAdd)
      for (const TensorId x : {step.inputs[0], step.inputs[1]}) handOn(y, 1.0, weightsOf(x));
    else if (op == &ops::kGate)
      throughGate(step, y);
    else if (op == &ops::kAffine)
      throughChange(step, y);
    else if (op == &ops::kAddPositions)
      throughPositions(step, y);
    else if (op == &ops::kSequencePool || op == &ops::kUpsample || op == &ops::kMeanPool)
      throughTerms(step, y);
    else
      add(nameOf(step.outputs.front()), step.outputs.front(), y, step.site, false);
  }

  static void handOn(const Weights& y, double factor, Weights& x) {
    for (std::size_t i = 0; i < y.all.size(); ++i) x.all[i] += factor * y.all[i];
  }

  /// y = x W^T + b.
  void throughLinear(const Step& step, Weights& y) {
    Weights& x = weightsOf(step.inputs[0]);
    const View w = values(step.inputs[1]);
    const std::int64_t rows = std::int64_t(y.all.size()) / y.cols;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t o = 0; o < y.cols; ++o)
        if (const double weight = y.at(r, o); weight != 0.0)
          for (std::int64_t i = 0; i < x.cols; ++i) x.at(r, i) += weight * double(w.at(o, i));
    if (step.inputs[2] != kNoTensor)
      add(nameOf(step.inputs[2]), step.inputs[2], y, step.site, true);
  }

  /// y = m ((x - mean) scale gain + bias), with scale held.
  void throughNorm(const Step& step, Weights& y) {
    found_.held.push_back(step.path);
    const bool centred = step.op != &ops::kRmsNorm;
    Weights& x = weightsOf(step.inputs[0]);
    const View gain = values(step.inputs[1]), statistics = values(step.outputs[1]);
    check(gain.cols == y.cols, "norms of the residual stream are over all of it");
    std::vector<double> m(std::size_t(y.cols), 1.0);
    if (step.op == &ops::kMaskedLayerNorm) {
      const auto& mask = std::any_cast<const MaskedNormArguments&>(step.arguments);
      std::fill(m.begin() + mask.size, m.end(), mask.weightAt(explainer_.position()));
    }
    double count = 0.0;
    for (const double weight : m) count += weight;
    for (std::int64_t r = 0; r < std::int64_t(y.all.size()) / y.cols; ++r) {
      const double scale = double(statistics.at(r, centred ? 1 : 0));
      double sum = 0.0;
      for (std::int64_t c = 0; c < y.cols; ++c) {
        y.at(r, c) *= m[std::size_t(c)];
        const double weight = y.at(r, c) * scale * double(gain.at(0, c));
        x.at(r, c) += weight;
        sum += weight;
      }
      if (!centred) continue;
      for (std::int64_t c = 0; c < y.cols; ++c) x.at(r, c) -= sum * m[std::size_t(c)] / count;
    }
    if (centred && step.inputs[2] != kNoTensor)
      add(nameOf(step.inputs[2]), step.inputs[2], y, step.site, true);
  }

  /// y = x + f: the block's output f is a part, or one for each head, and a bias.
  void throughResidual(const Step& step, Weights& y) {
    handOn(y, 1.0, weightsOf(step.inputs[0]));
    const TensorId f = step.inputs[1];
    const Step* map = makerOf(f);
    if (map == nullptr || map->op != &ops::kLinear) {
      add(nameOf(f), f, y, step.site, false);
      return;
    }
    if (map->inputs[2] != kNoTensor)
      add(nameOf(map->inputs[2]), map->inputs[2], y, step.site, true);
    const TensorId x = map->inputs[0];
    const Step* attention = makerOf(x);
    while (attention != nullptr && attention->op == &ops::kAffine)  // changed heads
      attention = makerOf(attention->inputs[0]);
    const TensorInfo& t = program_.tensors[std::size_t(x)];
    const bool heads = attention != nullptr && attention->op == &ops::kAttention;
    const std::int64_t size =
        heads ? std::any_cast<const AttentionArguments&>(attention->arguments).shape.value_size
              : t.cols;
    const View w = values(map->inputs[1]), read = values(x);
    const std::string& name = heads ? attention->path : nameOf(f);
    for (std::int64_t first = 0; first < t.cols; first += size) {
      double amount = 0.0;
      for (std::int64_t r = 0; r < t.rows; ++r)
        for (std::int64_t o = 0; o < y.cols; ++o)
          if (const double weight = y.at(r, o); weight != 0.0)
            for (std::int64_t i = first; i < first + size; ++i)
              amount += weight * double(w.at(o, i)) * double(read.at(r, i));
      found_.parts.push_back({name, heads ? first / size : -1, step.site, false, amount});
    }
  }

  /// y = (1 - g) x + g f.
  void throughGate(const Step& step, Weights& y) {
    const auto open = double(values(step.inputs[2]).at(0, 0));
    handOn(y, 1.0 - open, weightsOf(step.inputs[0]));
    handOn(y, open, weightsOf(step.inputs[1]));
  }

  /// An intervention, y = m x + a: what it adds is a part.
  void throughChange(const Step& step, Weights& y) {
    Weights& x = weightsOf(step.inputs[0]);
    const View factor = values(step.inputs[1]), added = values(step.inputs[2]);
    double amount = 0.0;
    for (std::int64_t r = 0; r < std::int64_t(y.all.size()) / y.cols; ++r)
      for (std::int64_t c = 0; c < y.cols; ++c) {
        x.at(r, c) += y.at(r, c) * double(factor.at(r % factor.rows, c));
        amount += y.at(r, c) * double(added.at(r % added.rows, c));
      }
    if (amount != 0.0) found_.parts.push_back({step.path, -1, step.site, false, amount});
  }

  void throughPositions(const Step& step, Weights& y) {
    handOn(y, 1.0, weightsOf(step.inputs[0]));
    const std::int64_t length = std::any_cast<const SequenceArguments&>(step.arguments).length;
    const View table = values(step.inputs[1]);
    double amount = 0.0;
    for (std::int64_t r = 0; r < std::int64_t(y.all.size()) / y.cols; ++r)
      for (std::int64_t c = 0; c < y.cols; ++c)
        amount += y.at(r, c) * double(table.at(r % length, c));
    found_.parts.push_back({nameOf(step.inputs[1]), -1, step.site, false, amount});
  }

  /// Ops whose outputs are weighted sums, means or maxima of positions: as they explain themselves.
  void throughTerms(const Step& step, Weights& y) {
    Weights& x = weightsOf(step.inputs[0]);
    const View read = values(step.inputs[0]), written = values(step.outputs[0]);
    for (std::int64_t r = 0; r < written.rows; ++r)
      for (std::int64_t c = 0; c < y.cols; ++c) {
        const double weight = y.at(r, c);
        if (weight == 0.0) continue;
        const NumberPlace place{step.outputs[0], r, c};
        const StepPart part = explainer_.explain(place).parts.front();
        const bool largest = part.explanation.rule == Explanation::Rule::Largest;
        for (const PlacedTerm& term : part.terms) {
          const NumberPlace& from = term.sources.front();
          if (largest && double(read.at(from.row, from.col)) != double(written.at(r, c))) continue;
          x.at(from.row, from.col) += weight * (largest ? 1.0 : 1.0 / double(part.terms.size()));
          if (largest) break;
        }
      }
  }

  const Step* makerOf(TensorId id) const {
    for (const Step& step : program_.steps)
      if (!step.outputs.empty() && step.outputs.front() == id) return &step;
    return nullptr;
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
    throw Error("only logits are taken apart into what the blocks write", "model",
                "Choose a number of 'output'");
  const bool stream = std::ranges::any_of(program.steps, [](const Step& step) {
    return step.op == &ops::kAdd && step.site.block >= 0;
  });
  if (!stream)
    throw Error("this model has no residual stream to take a logit apart along", "model",
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
