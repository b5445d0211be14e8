// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/extract.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"
#include "core/model/build_program.h"

namespace tfm::matformer {
namespace {

/// A parameter of the submodel and the one it is part of.
struct Source {
  ParameterInfo whole;
  ParameterInfo part;
};

std::vector<Source> sourcesOf(const ModelState& state, const ModelState& part) {
  std::vector<Source> sources;
  for (const ParameterInfo& p : part.layout.parameters) {
    ParameterTag tag = p.tag;
    // It may have been shared.
    if (tag.site.layer >= 0) tag.site.layer = state.config.holderOf(tag.site.stack, tag.site.layer);
    const ParameterInfo* whole = state.layout.find(tag);
    check(whole != nullptr && p.rows() <= whole->rows() && p.cols() <= whole->cols(),
          "a submodel's parameters are the first rows and columns of the model's");
    sources.push_back({*whole, p});
  }
  return sources;
}

template <class Value>
AlignedVector<Value> partOf(const std::vector<Source>& sources, std::span<const Value> whole,
                            std::int64_t total) {
  AlignedVector<Value> values(static_cast<std::size_t>(total));
  for (const auto& [from, to] : sources)
    for (std::int64_t row = 0; row < to.rows(); ++row) {
      const auto first = whole.begin() + from.offset + row * from.cols();
      std::copy(first, first + to.cols(), values.begin() + to.offset + row * to.cols());
    }
  return values;
}

}  // namespace

ModelState extract(const ModelState& state, const Submodel& submodel) {
  ModelState part;
  part.config = configOf(state.config, submodel);
  part.layout = parameterLayout(part.config);
  const std::vector<Source> sources = sourcesOf(state, part);
  const auto part_of = [&](const AlignedVector<float>& whole) {
    return whole.empty() ? whole : partOf<float>(sources, whole, part.layout.total);
  };
  part.parameters = part_of(state.parameters);
  part.first_moment = part_of(state.first_moment);
  part.second_moment = part_of(state.second_moment);
  part.missed_steps =
      missedRuns(partOf<std::int64_t>(sources, missedByEntry(state), part.layout.total));
  part.optimizer_step = state.optimizer_step;
  part.step = state.step;
  part.seed = state.seed;
  return part;
}

}  // namespace tfm::matformer
