// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/target.h"

#include <hwy/highway.h>

#include <cstdlib>

namespace tfm::cpu {
namespace {

// Better targets have lower bits.
std::int64_t bestOf(std::int64_t targets) { return targets & -targets; }

std::string_view choose() {
  const std::int64_t possible = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_EMU128;
  std::int64_t chosen = bestOf(possible);
#if HWY_ARCH_X86
  // Measured on AMD Zen 4: products are as fast with AVX2 as with AVX-512, and small models train
  // faster (rot13, one thread: 830 against 720 steps/s). On Intel Xeon: 104 against 160 GFLOP/s.
  __builtin_cpu_init();
  if (!__builtin_cpu_is("intel")) chosen = bestOf(possible & ~HWY_AVX3);
#endif
  if (const char* name = std::getenv("TFM_CPU"))
    for (std::int64_t rest = possible; rest != 0; rest &= rest - 1)
      if (std::string_view(hwy::TargetName(bestOf(rest))) == name) chosen = bestOf(rest);
  hwy::DisableTargets(chosen - 1);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return hwy::TargetName(chosen);
}

}  // namespace

std::string_view chooseTarget() {
  static const std::string_view name = choose();
  return name;
}

}  // namespace tfm::cpu
