// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "ui/elastic/nested_frames.h"

class QPainter;

namespace tfm::ui {

/// One of the two matrices: as one picture, or cell by cell where they are few.
void paintNestedCells(QPainter& painter, std::span<const float> values, const CellGrid& grid,
                      const ColorTable& colors);
/// Covers what is outside of the chosen width.
void paintOutside(QPainter& painter, const NestedFramesLayout& layout, int width, int units,
                  const Palette& palette);
/// The frames of the granularities with their names; that of the chosen width stands out.
void paintFrames(QPainter& painter, const NestedFramesLayout& layout,
                 std::span<const WidthTick> ticks, int width, const Style& style,
                 const Palette& palette);

}  // namespace tfm::ui
