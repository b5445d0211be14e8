// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/torch_draws.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"

namespace tfm::reproduce {
namespace {

/// PyTorch's generator for CPUs: a Mersenne Twister, 24 bits of which make a number from [0, 1).
class TorchGenerator {
 public:
  explicit TorchGenerator(std::uint32_t seed) : bits_(seed) {}

  Numbers uniform(std::int64_t count, double bound) {
    Numbers drawn(static_cast<std::size_t>(count));
    for (double& one : drawn) one = (2.0 * unit() - 1.0) * bound;
    return drawn;
  }

  /// By Box and Muller in blocks of 16; the last block is drawn anew where 16 do not divide
  /// `count`, which must be at least 16.
  Numbers normal(std::int64_t count) {
    Numbers drawn(static_cast<std::size_t>(count));
    for (double& one : drawn) one = unit();
    for (std::int64_t i = 0; i + kBlock <= count; i += kBlock) toNormal(drawn.data() + i);
    if (count % kBlock == 0) return drawn;
    double* last = drawn.data() + count - kBlock;
    for (std::int64_t i = 0; i < kBlock; ++i) last[i] = unit();
    toNormal(last);
    return drawn;
  }

 private:
  static constexpr std::int64_t kBlock = 16;

  double unit() { return double(bits_() & 0xFFFFFFU) / double(1U << 24U); }

  static void toNormal(double* block) {
    for (std::int64_t i = 0; i < kBlock / 2; ++i) {
      const double radius = std::sqrt(-2.0 * std::log(1.0 - block[i]));
      const double angle = 2.0 * std::numbers::pi * block[i + kBlock / 2];
      block[i] = radius * std::cos(angle);
      block[i + kBlock / 2] = radius * std::sin(angle);
    }
  }

  std::mt19937 bits_;
};

}  // namespace

Numbers torchParameters(std::uint32_t seed) {
  const ParameterLayout layout = parameterLayout(presetNamed("encoder-layer-notebook").config());
  Numbers all(std::size_t(layout.total));
  const auto put = [&](BlockKind kind, ParameterPart part, Term term, const Numbers& values,
                       std::int64_t first = 0) {
    const ParameterInfo* p =
        layout.find({{Stack::Encoder, 0, kind == FeedForward::kKind, kind}, part, term});
    tfm::check(p != nullptr, "a parameter of the layer");
    std::copy_n(values.begin() + first, p->size(), all.begin() + p->offset);
  };
  for (const ParameterInfo& p : layout.parameters)
    if (p.tag.term == Term::Gain) std::fill_n(all.begin() + p.offset, p.size(), 1.0);

  // In the order of the constructors. Biases of the attention are drawn or not, and set to 0.
  TorchGenerator generator(seed);
  constexpr std::int64_t kWidth = 4, kSquare = kWidth * kWidth, kInner = 64;
  const auto bound = [](std::int64_t in) { return 1.0 / std::sqrt(double(in)); };
  put(SelfAttention::kKind, ParameterPart::Output, Term::Weight,
      generator.uniform(kSquare, bound(kWidth)));
  generator.uniform(kWidth, bound(kWidth));
  const Numbers maps = generator.uniform(3 * kSquare, std::sqrt(6.0 / double(4 * kWidth)));
  put(SelfAttention::kKind, ParameterPart::Query, Term::Weight, maps);
  put(SelfAttention::kKind, ParameterPart::Key, Term::Weight, maps, kSquare);
  put(SelfAttention::kKind, ParameterPart::Value, Term::Weight, maps, 2 * kSquare);
  for (const auto& [part, in, out] : {std::tuple(ParameterPart::Linear1, kWidth, kInner),
                                      std::tuple(ParameterPart::Linear2, kInner, kWidth)}) {
    put(FeedForward::kKind, part, Term::Weight, generator.uniform(in * out, bound(in)));
    put(FeedForward::kKind, part, Term::Bias, generator.uniform(out, bound(in)));
  }
  return all;
}

Batch torchInput(std::uint32_t seed) {
  Batch batch;
  batch.size = 2;
  batch.source_length = 3;
  const Numbers drawn = TorchGenerator(seed).normal(2 * 3 * 4);
  batch.source_features.assign(drawn.begin(), drawn.end());
  return batch;
}

}  // namespace tfm::reproduce
