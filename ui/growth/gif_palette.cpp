// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/gif_palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace tfm::ui {
namespace {

constexpr std::size_t kColors = 255;

struct Counted {
  std::array<int, 3> color;
  double weight;
};

struct Box {
  std::vector<Counted> colors;
  int axis = 0;
  double spread = 0.0;  ///< variance that a cut would reduce

  explicit Box(std::vector<Counted> c) : colors(std::move(c)) {
    double weight = 0.0;
    for (const Counted& counted : colors) weight += counted.weight;
    for (int i = 0; i < 3; ++i) {
      const auto at = std::size_t(i);
      const auto [low, high] = std::minmax_element(
          colors.begin(), colors.end(),
          [at](const Counted& a, const Counted& b) { return a.color[at] < b.color[at]; });
      const double range = high->color[at] - low->color[at];
      if (range * weight <= spread) continue;
      spread = range * weight;
      axis = i;
    }
  }
};

std::vector<Counted> countColors(const std::vector<QImage>& samples) {
  std::unordered_map<QRgb, std::uint32_t> counts;
  for (const QImage& sample : samples) {
    const QImage image = sample.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
      const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
      for (int x = 0; x < image.width(); ++x) ++counts[line[x] & 0xffffffU];
    }
  }
  std::vector<Counted> colors;
  colors.reserve(counts.size());
  // The root keeps a large background from taking all colours.
  for (const auto& [color, count] : counts)
    colors.push_back({{qRed(color), qGreen(color), qBlue(color)}, std::sqrt(double(count))});
  return colors;
}

std::pair<Box, Box> cut(Box box) {
  const auto at = std::size_t(box.axis);
  std::sort(box.colors.begin(), box.colors.end(),
            [at](const Counted& a, const Counted& b) { return a.color[at] < b.color[at]; });
  double weight = 0.0;
  for (const Counted& counted : box.colors) weight += counted.weight;
  double below = 0.0;
  std::size_t middle = 0;
  while (middle + 1 < box.colors.size() - 1 && below + box.colors[middle].weight < weight / 2)
    below += box.colors[middle++].weight;
  const auto split =
      box.colors.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(middle, 1));
  return {Box({box.colors.begin(), split}), Box({split, box.colors.end()})};
}

/// The colour that represents a box: the most frequent, so that backgrounds and texts keep theirs.
QRgb colorOf(const Box& box) {
  const auto heaviest =
      std::max_element(box.colors.begin(), box.colors.end(),
                       [](const Counted& a, const Counted& b) { return a.weight < b.weight; });
  return qRgb(heaviest->color[0], heaviest->color[1], heaviest->color[2]);
}

}  // namespace

QList<QRgb> gifPalette(const std::vector<QImage>& samples) {
  std::vector<Counted> all = countColors(samples);
  if (all.empty()) return {qRgb(0, 0, 0)};
  std::vector<Box> boxes;
  boxes.emplace_back(std::move(all));
  while (boxes.size() < kColors) {
    const auto widest = std::max_element(
        boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.spread < b.spread; });
    if (widest->spread <= 0.0 || widest->colors.size() < 2) break;
    auto [low, high] = cut(std::move(*widest));
    *widest = std::move(low);
    boxes.push_back(std::move(high));
  }
  QList<QRgb> colors;
  for (const Box& box : boxes) colors.push_back(colorOf(box));
  return colors;
}

}  // namespace tfm::ui
