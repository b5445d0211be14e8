// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/explainer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/observe/indexed_name.h"
#include "core/observe/tensor_shape.h"
#include "core/program/step_call.h"

namespace tfm::observe {
namespace {

/// The tensor that holds the numbers of this one.
TensorId holder(const Program& program, TensorId id) {
  const TensorId whole = program.tensors[std::size_t(id)].window_of;
  return whole == kNoTensor ? id : whole;
}

double sumOf(const std::vector<StepPart>& parts) {
  double sum = 0.0;
  for (const StepPart& part : parts) sum += part.explanation.value();
  return sum;
}

}  // namespace

template <class Real>
Explainer<Real>::Explainer(Executor<Real>& executor, std::span<const Real> parameters,
                           const RunPosition& position, TensorId loss)
    : executor_(executor),
      program_(executor.program()),
      parameters_(parameters),
      position_(position),
      loss_(loss),
      constants_(program_.constants.begin(), program_.constants.end()),
      makers_(program_.tensors.size()),
      readers_(program_.tensors.size()) {
  for (const Step& step : program_.steps) {
    for (const TensorId id : step.outputs)
      if (id != kNoTensor) makers_[std::size_t(id)] = &step;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      if (step.inputs[i] != kNoTensor)
        readers_[std::size_t(holder(program_, step.inputs[i]))].push_back({&step, i});
  }
}

template <class Real>
void Explainer<Real>::checkPlace(const NumberPlace& place) const {
  const TensorInfo& t = program_.tensors[std::size_t(place.tensor)];
  const std::int64_t cols = t.role == Role::Ids ? 1 : t.cols;
  if (place.row < 0 || place.row >= t.rows || place.col < 0 || place.col >= cols)
    throw Error(
        "there is no number " + std::to_string(place.row) + ", " + std::to_string(place.col) +
            " in '" + t.name + "'",
        "model",
        "It is " + std::to_string(t.rows) + " x " + std::to_string(cols) + ", counted from 0");
  if (!place.gradient) return;
  if (t.role != Role::Activation && t.role != Role::Parameter)
    throw Error("'" + t.name + "' has no gradient", "model",
                "Activations and parameters have gradients");
  if (loss_ == kNoTensor)
    throw Error("there are no gradients", "model", "They need a loss and a backward pass");
}

template <class Real>
const OpCall<Real>& Explainer<Real>::callOf(const Step& step) {
  const auto [at, added] = calls_.try_emplace(&step);
  OpCall<Real>& call = at->second;
  call.position = &position_;  // where it is now: an explainer may be moved
  if (!added) return call;
  call.op = step.op;
  call.arguments = &step.arguments;
  const bool gradients = loss_ != kNoTensor;
  for (std::size_t i = 0; i < step.inputs.size(); ++i) {
    const TensorId id = step.inputs[i];
    if (id == kNoTensor) continue;
    const TensorInfo& t = program_.tensors[std::size_t(id)];
    auto& input = call.inputs[i];
    if (t.role == Role::Ids)
      input.ids = executor_.ids(id);
    else
      input.values = values(id);
  }
  for (std::size_t i = 0; i < step.outputs.size(); ++i) {
    const TensorId id = step.outputs[i];
    if (id == kNoTensor || program_.tensors[std::size_t(id)].role == Role::Ids) continue;
    const MatrixView<const Real> y = executor_.values(id);
    // Explaining only reads.
    call.outputs[i].values = {const_cast<Real*>(y.data), y.rows, y.cols, y.stride};
    if (gradients) call.outputs[i].gradient = executor_.gradient(id);
  }
  return call;
}

template <class Real>
NumberPlace Explainer<Real>::placeOf(const Step& step, const StepNumber& n) const {
  const auto& ids = n.of == StepNumber::Of::Input ? step.inputs : step.outputs;
  const TensorId id = ids[n.index];
  return {id == kNoTensor ? id : holder(program_, id), n.row, n.col, n.gradient};
}

template <class Real>
StepPart Explainer<Real>::part(const Step& step, const StepNumber& of) {
  StepPart part{&step, step.op->template kernels<Real>().explain(callOf(step), of), {}};
  for (Contribution& term : part.explanation.terms) {
    PlacedTerm placed{term.amount, {}, term.factors, term.factor};
    for (std::size_t i = 0; i < term.sources.size(); ++i)
      if (const NumberPlace at = placeOf(step, term.sources[i]); at.tensor != kNoTensor)
        placed.sources.push_back(at);
      else if (i < term.factors)
        --placed.factors;
    if (placed.factors < term.factors) {
      double product = 1.0;
      for (std::size_t i = 0; i < placed.factors; ++i) product *= value(placed.sources[i]);
      placed.factor = product == 0.0 ? 0.0 : term.amount / product;
    }
    part.terms.push_back(std::move(placed));
  }
  if (part.explanation.rule == Explanation::Rule::Share && !part.terms.empty())
    part.terms.front().numerator = true;  // before they are sorted
  std::ranges::stable_sort(part.terms, std::greater<>{},
                           [](const PlacedTerm& term) { return std::abs(term.amount); });
  return part;
}

template <class Real>
ExplainedNumber Explainer<Real>::explain(const NumberPlace& place) {
  checkPlace(place);
  ExplainedNumber number{place, 0.0, parts(place)};
  number.value = isStored(place) ? value(place) : sumOf(number.parts);
  return number;
}

template <class Real>
std::vector<StepPart> Explainer<Real>::parts(const NumberPlace& place) {
  std::vector<StepPart> parts;
  const Step* maker = makers_[std::size_t(place.tensor)];
  const auto output = [&] {
    const auto& outputs = maker->outputs;
    return std::size_t(std::ranges::find(outputs, place.tensor) - outputs.begin());
  };
  if (!place.gradient) {
    if (maker != nullptr)
      parts.push_back(part(*maker, explain::out(output(), place.row, place.col)));
    return parts;
  }
  if (place.tensor == loss_) return parts;
  for (const Reader& reader : readers_[std::size_t(place.tensor)]) {
    const TensorInfo& read = program_.tensors[std::size_t(reader.step->inputs[reader.input])];
    if (place.row >= read.rows || place.col >= read.cols) continue;  // outside a window
    parts.push_back(
        part(*reader.step, explain::d(explain::in(reader.input, place.row, place.col))));
  }
  // An output that its own step reads on, such as an attention map.
  if (maker != nullptr && output() > 0)
    parts.push_back(part(*maker, explain::d(explain::out(output(), place.row, place.col))));
  return parts;
}

/// Whether a backward pass leaves a gradient behind: not that of a parameter, which the executor
/// does not have, nor one that a step computes on the way.
template <class Real>
bool Explainer<Real>::isStored(const NumberPlace& place) const {
  if (!place.gradient) return true;
  const Step* maker = makers_[std::size_t(place.tensor)];
  return program_.tensors[std::size_t(place.tensor)].role == Role::Activation &&
         (maker == nullptr || maker->outputs.front() == place.tensor);
}

template <class Real>
double Explainer<Real>::value(const NumberPlace& place) {
  const TensorInfo& t = program_.tensors[std::size_t(place.tensor)];
  if (!isStored(place)) return sumOf(parts(place));
  if (place.gradient) return double(executor_.gradient(place.tensor).at(place.row, place.col));
  if (t.role == Role::Ids) return double(executor_.ids(place.tensor)[std::size_t(place.row)]);
  return double(values(place.tensor).at(place.row, place.col));
}

template <class Real>
MatrixView<const Real> Explainer<Real>::values(TensorId id) {
  const TensorInfo& t = program_.tensors[std::size_t(id)];
  if (t.role == Role::Parameter) return viewOf(t, parameters_.data());
  if (t.role == Role::Constant) return viewOf(t, std::as_const(constants_).data());
  return executor_.values(id);
}

template <class Real>
std::vector<const Step*> Explainer<Real>::readers(const NumberPlace& place) const {
  std::vector<const Step*> steps;
  for (const Reader& reader : readers_[std::size_t(place.tensor)]) steps.push_back(reader.step);
  return steps;
}

template <class Real>
std::vector<NumberPlace> Explainer<Real>::leaves(const NumberPlace& place) {
  std::set<NumberPlace> seen{place}, found;
  for (std::vector<NumberPlace> open{place}; !open.empty();) {
    const NumberPlace next = open.back();
    open.pop_back();
    const std::vector<StepPart> of_next = parts(next);
    if (of_next.empty()) found.insert(next);
    for (const StepPart& part : of_next)
      for (const PlacedTerm& term : part.terms) {
        if (term.amount == 0.0) continue;
        for (const NumberPlace& source : term.sources)
          if (seen.insert(source).second) open.push_back(source);
      }
  }
  return {found.begin(), found.end()};
}

NumberPlace placeNamed(const Program& program, const std::string& text) {
  const auto refuse = [&](const std::string& problem) {
    return Error("'" + text + "' " + problem, "model",
                 "Write a tensor and its row and column, counted from 0, such as "
                 "\"output[2, 5]\"; for an attention map head, query and key");
  };
  const auto [name, indexed, written, token] = indexedNameIn(text, "model");
  if (!indexed) throw refuse("does not end with [ROW, COL]");
  const TensorId tensor = program.find(name);
  if (tensor == kNoTensor) throw refuse("names no tensor of the model");
  if (token || std::ranges::find(written, kAllIndices) != written.end())
    throw refuse("does not name a single number");
  std::vector<std::int64_t> at = written;
  const std::vector<std::int64_t> shape = tensorShape(program, name);
  if (at.size() + 1 == shape.size() && shape.front() == 1) at.insert(at.begin(), 0);
  if (at.size() != shape.size())
    throw refuse("has " + std::to_string(at.size()) + " numbers for " +
                 std::to_string(shape.size()) + " dimensions");
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] >= shape[i])
      throw refuse("is outside the tensor: " + std::to_string(at[i]) + " of " +
                   std::to_string(shape[i]));
  std::int64_t flat = 0;
  for (std::size_t i = 0; i < at.size(); ++i) flat = flat * shape[i] + at[i];
  const TensorInfo& t = program.tensors[std::size_t(tensor)];
  return t.role == Role::Ids ? NumberPlace{tensor, flat, 0}
                             : NumberPlace{tensor, flat / t.cols, flat % t.cols};
}

std::vector<std::int64_t> indicesOf(const TensorInfo& tensor,
                                    const std::vector<std::int64_t>& shape,
                                    const NumberPlace& place) {
  std::int64_t flat = tensor.role == Role::Ids ? place.row : place.row * tensor.cols + place.col;
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; flat /= shape[i]) at[i] = flat % shape[i];
  return at;
}

std::vector<std::int64_t> indicesOf(const Program& program, const NumberPlace& place) {
  const TensorInfo& t = program.tensors[std::size_t(place.tensor)];
  return indicesOf(t, tensorShape(program, t.name), place);
}

std::string nameOf(const Program& program, const NumberPlace& place) {
  const std::vector<std::int64_t> at = indicesOf(program, place);
  std::string text = place.gradient ? "d " : "";
  text += program.tensors[std::size_t(place.tensor)].name + '[';
  for (std::size_t i = 0; i < at.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(at[i]);
  return text + ']';
}

template class Explainer<float>;
template class Explainer<double>;

}  // namespace tfm::observe
