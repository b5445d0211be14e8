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

struct Painted {
  std::vector<PaintedText> texts;
  /// Of lines: arrows, frames, curves. The middle of each piece of a few pixels.
  std::vector<QPointF> pieces;
};

/// What a painter draws on a device of this size. What is covered by an opaque rectangle painted
/// later is left out, and so is the second of two equal texts in one place.
Painted paintedOn(const QSize& size, const std::function<void(QPaintDevice& device)>& paint);

}  // namespace tfm::ui
