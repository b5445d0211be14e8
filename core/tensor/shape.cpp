// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/shape.h"

namespace tfm {

std::string_view axisName(Axis axis) {
  switch (axis) {
    case Axis::Vocabulary:
      return "vocabulary";
    case Axis::Position:
      return "position";
    case Axis::Embedding:
      return "embedding";
    case Axis::Hidden:
      return "hidden";
    case Axis::Head:
      return "head";
    case Axis::Query:
      return "query";
    case Axis::Key:
      return "key";
    case Axis::Value:
      return "value";
    case Axis::FeedForward:
      return "feed-forward";
    case Axis::Dextra:
      return "DExTra";
    case Axis::Group:
      return "group";
    case Axis::Memory:
      return "memory";
    case Axis::Output:
      return "output";
    case Axis::Layer:
      return "layer";
    case Axis::Sinusoid:
      return "sinusoid";
    case Axis::Segment:
      return "segment";
    case Axis::Bucket:
      return "bucket";
  }
  return "";
}

std::int64_t Dimension::size() const {
  std::int64_t product = 1;
  for (const AxisSize& factor : factors) product *= factor.size;
  return product;
}

bool Dimension::uses(std::int64_t index) const {
  const AxisSize& inner = factors.back();
  if (inner.in_use.empty()) return true;
  return index % inner.size < inner.in_use[std::size_t(index / inner.size)];
}

std::string Dimension::name() const {
  std::string text;
  for (const AxisSize& factor : factors) {
    if (!text.empty()) text += " x ";
    text += axisName(factor.axis);
  }
  return text;
}

std::vector<std::int64_t> sizes(const Shape& shape) {
  std::vector<std::int64_t> result;
  result.reserve(shape.size());
  for (const Dimension& dimension : shape) result.push_back(dimension.size());
  return result;
}

std::string sizeText(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (std::int64_t size : sizes) {
    if (!text.empty()) text += " x ";
    text += std::to_string(size);
  }
  return text;
}

}  // namespace tfm
