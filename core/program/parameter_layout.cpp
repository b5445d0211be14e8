// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/parameter_layout.h"

#include <algorithm>
#include <array>

#include "core/program/initial_draw.h"

namespace tfm {
namespace {

constexpr std::array<std::string_view, 3> kStacks{"", "encoder", "decoder"};

template <class Value, class Member>
const ParameterInfo* findBy(const std::vector<ParameterInfo>& parameters, const Value& value,
                            Member member) {
  const auto found = std::ranges::find(parameters, value, member);
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace

std::string_view stackName(Stack stack) { return kStacks[std::size_t(stack)]; }

std::string partName(ParameterPart part) {
  return std::string(part.name) + (part.number > 0 ? std::to_string(part.number) : "");
}

const ParameterInfo* ParameterLayout::find(std::string_view name) const {
  return findBy(parameters, name, &ParameterInfo::name);
}
const ParameterInfo* ParameterLayout::find(const ParameterTag& tag) const {
  return findBy(parameters, tag, &ParameterInfo::tag);
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
