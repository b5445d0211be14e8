// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/block_format.h"

#include <array>

namespace tfm::io {
namespace {

constexpr std::size_t kBlock = 32, kNibbles = kBlock / 2, kScale = 2;

template <DType dtype, class Real>
void convertAll(const std::byte* from, std::size_t count, Real* to) {
  convertElements(dtype, from, count, to);
}

float scaleAt(const std::byte* from) {
  float scale = 0.0F;
  convertElements(DType::F16, from, 1, &scale);
  return scale;
}

/// In single precision, as ggml computes it.
template <class Real>
void eightBits(const std::byte* from, std::size_t blocks, Real* to) {
  for (; blocks > 0; --blocks, from += kScale + kBlock, to += kBlock) {
    const float d = scaleAt(from);
    for (std::size_t i = 0; i < kBlock; ++i)
      to[i] = Real(d * float(static_cast<signed char>(from[kScale + i])));
  }
}

/// Calls value(nibble) for each of a block's, the low ones first.
template <class Real, class Value>
void nibbles(const std::byte* from, Real* to, const Value& value) {
  for (std::size_t i = 0; i < kNibbles; ++i) {
    const auto both = std::to_integer<unsigned>(from[i]);
    to[i] = Real(value(float(both & 15U)));
    to[i + kNibbles] = Real(value(float(both >> 4)));
  }
}

template <class Real>
void fourBits(const std::byte* from, std::size_t blocks, Real* to) {
  for (; blocks > 0; --blocks, from += kScale + kNibbles, to += kBlock) {
    const float d = scaleAt(from);
    nibbles(from + kScale, to, [d](float q) { return d * (q - 8.0F); });
  }
}

template <class Real>
void fourBitsAbove(const std::byte* from, std::size_t blocks, Real* to) {
  for (; blocks > 0; --blocks, from += 2 * kScale + kNibbles, to += kBlock) {
    const float d = scaleAt(from), m = scaleAt(from + kScale);
    nibbles(from + 2 * kScale, to, [d, m](float q) { return d * q + m; });
  }
}

template <DType dtype>
BlockFormat single() {
  return {dtypeName(dtype),
          1,
          std::size_t(elementSize(dtype)),
          isReal(dtype),
          convertAll<dtype, float>,
          convertAll<dtype, double>};
}

}  // namespace

const BlockFormat& formatOf(DType dtype) {
  static const std::array kFormats{
      single<DType::F64>(), single<DType::F32>(), single<DType::F16>(), single<DType::BF16>(),
      single<DType::I64>(), single<DType::I32>(), single<DType::U8>(),  single<DType::Bool>()};
  return kFormats.at(static_cast<std::size_t>(dtype));
}

const BlockFormat* quantizedFormat(std::string_view name) {
  static constexpr std::array kFormats{
      BlockFormat{"Q8_0", kBlock, kScale + kBlock, true, eightBits<float>, eightBits<double>},
      BlockFormat{"Q4_0", kBlock, kScale + kNibbles, true, fourBits<float>, fourBits<double>},
      BlockFormat{"Q4_1", kBlock, 2 * kScale + kNibbles, true, fourBitsAbove<float>,
                  fourBitsAbove<double>}};
  for (const BlockFormat& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace tfm::io
