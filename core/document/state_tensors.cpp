// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/state_tensors.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/tensor/shape.h"

namespace tfm::train {
namespace {

const std::string kMissedSteps = "optimizer.missed_steps";
const std::string kFirstMoment = "optimizer.first_moment.";
const std::string kSecondMoment = "optimizer.second_moment.";

void writeParameters(const ParameterLayout& layout, const std::string& prefix,
                     std::span<const float> arena, io::Large large, io::TensorFile& file) {
  for (const ParameterInfo& p : layout.parameters) {
    const auto numbers = arena.subspan(std::size_t(p.offset), std::size_t(p.size()));
    if (large == io::Large::InPlace && numbers.size_bytes() >= io::kLargeTensor)
      file.stored[prefix + p.name] = io::storedFloats(sizes(p.shape), numbers);
    else
      file.tensors[prefix + p.name] = io::makeTensor(sizes(p.shape), numbers);
  }
}

AlignedVector<float> readParameters(TensorReader& reader, const ParameterLayout& layout,
                                    const std::string& prefix) {
  // Find all tensors before allocating what the config claims.
  for (const ParameterInfo& p : layout.parameters) reader.require(prefix + p.name, sizes(p.shape));
  AlignedVector<float> arena(std::size_t(layout.total));
  for (const ParameterInfo& p : layout.parameters)
    reader.read(prefix + p.name,
                std::span(arena).subspan(std::size_t(p.offset), std::size_t(p.size())));
  return arena;
}

}  // namespace

void writeMissedSteps(const ModelState& state, const std::string& prefix,
                      io::NamedTensors& tensors) {
  if (state.missed_steps.empty()) return;
  std::vector<std::int64_t> values;
  for (const MissedSteps& run : state.missed_steps)
    values.insert(values.end(), {run.first, run.count, run.steps});
  tensors[prefix + kMissedSteps] =
      io::makeTensor({std::int64_t(state.missed_steps.size()), 3}, values);
}

std::vector<MissedSteps> readMissedSteps(TensorReader& reader, const std::string& prefix,
                                         const ModelState& state) {
  const std::string name = prefix + kMissedSteps;
  if (!reader.has(name)) return {};
  const io::NamedTensor& t = reader.get(name, io::DType::I64);
  if (t.shape.size() != 2 || t.shape[0] < 1 || t.shape[1] != 3)
    throw Error("tensor '" + name + "' is " + sizeText(t.shape), reader.where(),
                "Expected three numbers for each run of parameters");
  const std::vector<std::int64_t> values = io::integerValues(t, name);
  std::vector<MissedSteps> missed;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const MissedSteps run{values[i], values[i + 1], values[i + 2]};
    const bool fits = run.first >= end && run.first < state.layout.total && run.count >= 1 &&
                      run.count <= state.layout.total - run.first;
    const bool counts = run.steps >= 0 && run.steps <= state.optimizer_step;
    if (!fits || !counts)
      throw Error(
          "tensor '" + name + "' says that " + std::to_string(run.count) + " parameters from " +
              std::to_string(run.first) + " missed steps: " + std::to_string(run.steps),
          reader.where(),
          "Expected runs in order and without overlap among " + std::to_string(state.layout.total) +
              " parameters, and at most " + std::to_string(state.optimizer_step) + " missed");
    missed.push_back(run);
    end = run.first + run.count;
  }
  return missed;
}

void writeState(const ModelState& state, bool moments, io::Large large, io::TensorFile& file) {
  writeParameters(state.layout, "", state.parameters, large, file);
  if (moments && !state.first_moment.empty()) {
    check(state.first_moment.size() == state.parameters.size() &&
              state.second_moment.size() == state.parameters.size(),
          "a saved state has its moments");
    writeParameters(state.layout, kFirstMoment, state.first_moment, large, file);
    writeParameters(state.layout, kSecondMoment, state.second_moment, large, file);
  }
  writeMissedSteps(state, "", file.tensors);
}

void readState(TensorReader& reader, ModelState& state) {
  state.parameters = readParameters(reader, state.layout, "");
  if (!reader.hasAny("optimizer.")) return forgetMoments(state);  // never trained
  state.first_moment = readParameters(reader, state.layout, kFirstMoment);
  state.second_moment = readParameters(reader, state.layout, kSecondMoment);
  state.missed_steps = readMissedSteps(reader, "", state);
}

}  // namespace tfm::train
