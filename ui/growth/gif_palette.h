// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <vector>

namespace tfm::ui {

/// At most 255 colours that approximate those of the images (median cut). With one palette for all
/// GIF frames, static parts do not flicker.
QList<QRgb> gifPalette(const std::vector<QImage>& samples);

}  // namespace tfm::ui
