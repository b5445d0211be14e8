// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <vector>

namespace tfm::ui {

/// At most 255 colours that come near those of the pictures (median cut over boxes of similar
/// colours). GIF frames then share one palette, so that what stands still does not flicker.
QList<QRgb> gifPalette(const std::vector<QImage>& samples);

}  // namespace tfm::ui
