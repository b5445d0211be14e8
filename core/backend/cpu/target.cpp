// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/target.h"

#include <cblas.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>

namespace tfm::cpu {
namespace {

// Better targets have lower bits.
std::int64_t bestOf(std::int64_t targets) { return targets & -targets; }

std::int64_t chooseFastest() {
  const std::int64_t possible = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_EMU128;
  for (std::int64_t rest = possible; rest != 0; rest &= rest - 1)
    if (hwy::TargetName(bestOf(rest)) == wantedTarget()) return bestOf(rest);
#if HWY_ARCH_X86
  // Measured on AMD Zen 4: products are as fast with AVX2 as with AVX-512, and small models train
  // faster (rot13, one thread: 830 against 720 steps/s). On Intel Xeon: 104 against 160 GFLOP/s.
  __builtin_cpu_init();
  if (!__builtin_cpu_is("intel")) return bestOf(possible & ~HWY_AVX3);
#endif
  return bestOf(possible);
}

/// Of x86-64, those with four floats in a register and no fused multiply-add.
std::int64_t chooseFixed() {
#if HWY_ARCH_X86
  const std::int64_t possible = (hwy::SupportedTargets() & HWY_TARGETS & HWY_SSE4) | HWY_EMU128;
  return wantedTarget() == hwy::TargetName(HWY_EMU128) ? HWY_EMU128 : bestOf(possible);
#else
  return HWY_STATIC_TARGET;
#endif
}

/// "OpenBLAS 0.3.21" of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Zen".
std::string openBlas() {
  const std::string all = openblas_get_config();
  return all.substr(0, all.find(' ', all.find(' ') + 1));
}

}  // namespace

std::string_view wantedTarget() {
  const char* name = std::getenv("TFM_CPU");
  return name == nullptr ? std::string_view() : name;
}

bool openBlasKeepsUp() {
  // Its kernels without AVX.
  constexpr std::string_view kOld[] = {"Katmai",       "Coppermine", "Northwood", "Prescott",
                                       "Banias",       "Atom",       "Core2",     "Penryn",
                                       "Dunnington",   "Nehalem",    "Athlon",    "Opteron",
                                       "Opteron_SSE3", "Barcelona",  "Bobcat",    "Nano"};
  const std::string_view ours = chooseTarget();
  const bool behind = std::ranges::count(kOld, std::string_view(openblas_get_corename())) > 0;
  return !behind || (ours != "AVX2" && ours != "AVX3");
}

std::string productsText(KernelSet set) {
  if (set == KernelSet::Fixed) return "our own";
  return openBlasKeepsUp() ? openBlas() + " for " + openblas_get_corename()
                           : "our own: " + openBlas() + " does not know this processor";
}

std::string_view chooseTarget(KernelSet set) {
  static const std::int64_t fastest = chooseFastest(), fixed = chooseFixed();
  const std::int64_t chosen = set == KernelSet::Fixed ? fixed : fastest;
  hwy::GetChosenTarget().Update(chosen);
  return hwy::TargetName(chosen);
}

}  // namespace tfm::cpu
