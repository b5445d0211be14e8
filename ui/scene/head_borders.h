// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;

namespace tfm::ui {

struct WallPicture;

/// Lines between the heads of each slab, as the Grow screen sets them apart.
void paintHeadBorders(QPainter& painter, const WallPicture& picture);

}  // namespace tfm::ui
