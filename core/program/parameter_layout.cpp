// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/parameter_layout.h"

#include "core/program/initial_draw.h"

namespace tfm {

const ParameterInfo* ParameterLayout::find(std::string_view name) const {
  for (const ParameterInfo& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

template <class Real>
void initialize(const ParameterLayout& layout, std::uint64_t seed, AlignedVector<Real>& values) {
  values.resize(std::size_t(layout.total));
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    const ParameterInfo& p = layout.parameters[i];
    const InitialDraw draw(p, i, seed);
    for (std::int64_t j = 0, size = p.size(); j < size; ++j)
      values[std::size_t(p.offset + j)] = Real(draw(j));
  }
}

template void initialize(const ParameterLayout&, std::uint64_t, AlignedVector<float>&);
template void initialize(const ParameterLayout&, std::uint64_t, AlignedVector<double>&);

}  // namespace tfm
