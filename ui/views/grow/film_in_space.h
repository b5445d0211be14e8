// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/growth/animation_export.h"

namespace tfm::ui {

class MatrixWall;
class Style;
struct GrowthPreview;

/// Makes a painter of the frames of a growth in 3-D, with the camera and aspect ratio of `seen`.
/// Only the style must outlive it.
FramePainter filmInSpace(const Style& style, const MatrixWall& seen, const QString& title,
                         const GrowthPreview& growth, const QSize& frame);

}  // namespace tfm::ui
