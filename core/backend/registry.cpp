// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"

namespace tfm {
namespace {

constexpr std::array kBackends{
    BackendEntry{"cpu", [] { return 1; }, makeCpuBackend<float>, makeCpuBackend<double>},
};

const BackendEntry& entryOf(std::string_view name) {
  if (name.empty())
    return *std::ranges::max_element(kBackends, {}, [](const auto& b) { return b.score(); });
  const auto* found = std::ranges::find(kBackends, name, &BackendEntry::name);
  if (found != kBackends.end() && found->score() > 0) return *found;
  std::string known;
  for (const BackendEntry& b : kBackends)
    if (b.score() > 0) known += (known.empty() ? "" : ", ") + std::string(b.name);
  throw Error("this machine has no device '" + std::string(name) + "'", "device",
              "Devices found: " + known);
}

}  // namespace

std::span<const BackendEntry> backends() { return kBackends; }

template <>
std::unique_ptr<Backend<float>> makeBackend(std::string_view name) {
  return entryOf(name).make_float();
}
template <>
std::unique_ptr<Backend<double>> makeBackend(std::string_view name) {
  return entryOf(name).make_double();
}

}  // namespace tfm
