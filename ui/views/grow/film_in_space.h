// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/growth/animation_export.h"

namespace tfm::ui {

class MatrixWall;
class Style;
struct GrowthPreview;

/// Frames of a growth in three dimensions, seen as `seen` is: from its camera, in its proportions.
/// Only the style must outlive what paints.
FramePainter filmInSpace(const Style& style, const MatrixWall& seen, const QString& title,
                         const GrowthPreview& growth, const QSize& frame);

}  // namespace tfm::ui
