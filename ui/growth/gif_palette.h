// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

namespace tfm::ui {

/// At most 255 colours that come near those of the pictures (median cut over boxes of similar
/// colours). GIF frames then share one palette, so that what stands still does not flicker.
std::vector<QRgb> gifPalette(const std::vector<QImage>& samples);

/// The picture in these colours, without dithering.
QImage inPalette(const QImage& image, const std::vector<QRgb>& colors);

}  // namespace tfm::ui
