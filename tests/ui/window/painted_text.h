// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <functional>
#include <vector>

class QPainter;

namespace tfm::ui {

/// A text as it was painted: where its ink is, in pixels of the device.
struct PaintedText {
  QString text;
  QRectF ink;
  bool clipped = false;  ///< by the painter
};

/// What a painter draws as text on a device of this size. Text that is covered by an opaque
/// rectangle painted later is left out, and so is the second of two equal ones in one place.
std::vector<PaintedText> paintedTexts(const QSize& size,
                                      const std::function<void(QPaintDevice& device)>& paint);

}  // namespace tfm::ui
