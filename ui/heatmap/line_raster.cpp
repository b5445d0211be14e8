// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/line_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tfm::ui {
namespace {

/// Premultiplied red, green, blue and alpha. Floating point, because many faint lines add up.
using Pixel = std::array<float, 4>;

/// A line prepared for all columns.
struct Stroke {
  Pixel color;  ///< opaque
  float alpha;
  double from, slope;
  double half;  ///< of the vertical thickness
};

std::vector<Stroke> strokesOf(std::span<const CrossingLine> lines, double width, int columns) {
  std::vector<Stroke> strokes;
  strokes.reserve(lines.size());
  for (const CrossingLine& line : lines) {
    const double slope = (line.to - line.from) / columns;
    const auto channel = [](int value) { return float(value); };
    strokes.push_back({{channel(qRed(line.color)), channel(qGreen(line.color)),
                        channel(qBlue(line.color)), 255.0F},
                       channel(qAlpha(line.color)) / 255.0F,
                       line.from,
                       slope,
                       0.5 * width * std::sqrt(1.0 + slope * slope)});
  }
  return strokes;
}

void blend(Pixel& under, const Stroke& stroke, float coverage) {
  const float alpha = coverage * stroke.alpha;
  for (int i = 0; i < 4; ++i) under[i] += (stroke.color[i] - under[i]) * alpha;
}

}  // namespace

void rasterLines(QImage& image, std::span<const CrossingLine> lines, double width) {
  const int columns = image.width();
  const int rows = image.height();
  const std::vector<Stroke> strokes = strokesOf(lines, width, columns);
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const auto stride = image.bytesPerLine() / qsizetype(sizeof(QRgb));
  std::vector<Pixel> column(rows);
  // Column by column: exact blending needs only one column of floats.
  for (int x = 0; x < columns; ++x) {
    std::fill(column.begin(), column.end(), Pixel{});
    for (const Stroke& stroke : strokes) {
      const double centre = stroke.from + stroke.slope * (x + 0.5);
      const double top = centre - stroke.half;
      const double bottom = centre + stroke.half;
      const int first = std::max(0, int(std::floor(top)));
      const int last = std::min(rows - 1, int(std::floor(bottom)));
      for (int y = first; y <= last; ++y) {
        const double covered = std::min(bottom, y + 1.0) - std::max(top, double(y));
        blend(column[y], stroke, float(covered));
      }
    }
    for (int y = 0; y < rows; ++y) {
      const Pixel& pixel = column[y];
      const auto byte = [&](int i) { return int(pixel[i] + 0.5F); };
      pixels[y * stride + x] = qRgba(byte(0), byte(1), byte(2), byte(3));
    }
  }
}

}  // namespace tfm::ui
