// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;

namespace tfm::ui {

/// Paints the frame at progress `t` in [0, 1].
using FramePainter = std::function<void(QPainter& painter, QSize size, double t)>;
/// Called after each frame with the number done, and again while that takes long; false cancels the
/// export.
using FrameProgress = std::function<bool(int done, int all)>;

/// Writes a film: MP4 (H.264 if the program ffmpeg has it, else MPEG-4 part 2) or GIF by the
/// extension, both with that program, or without one a folder with frame_0001.png,
/// frame_0002.png, ... It moves as on screen, and rests at both ends. `ground` is painted before
/// each frame. An MP4 of odd sides loses a pixel. The file or folder is written atomically; on
/// failure an existing file stays, and a folder is never overwritten. Returns false if `progress`
/// cancelled it. Throws tfm::Error for an unknown extension, failed writes, a missing ffmpeg, and
/// with its last line where it fails.
bool exportFrames(const FramePainter& frame, const QString& path, const QSize& size,
                  const QColor& ground, const FrameProgress& progress = {});

}  // namespace tfm::ui
