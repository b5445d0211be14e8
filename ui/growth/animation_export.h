// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSize>
#include <QString>
#include <functional>
#include <optional>

class QPainter;

namespace tfm::ui {

enum class AnimationFormat {
  Gif,
  Mp4,        ///< H.264 if the system's libavcodec supports it, else MPEG-4 part 2
  PngFrames,  ///< a folder with frame_0001.png, frame_0002.png, ...
};

struct AnimationOptions {
  std::optional<AnimationFormat> format = std::nullopt;  ///< by extension: .gif, .mp4, none
  QSize size{1280, 720};       ///< MP4 needs even sides: an odd one loses a pixel
  int frames_per_second = 25;  ///< GIF delays are in 1/100 s: 25 and 50 are exact
  double seconds = 1.1;        ///< from progress 0 to 1
  double rest = 0.8;           ///< seconds that the first and last frames are held
  QColor ground = Qt::white;   ///< painted before each frame
};

/// Paints the frame at progress `t` in [0, 1].
using FramePainter = std::function<void(QPainter& painter, QSize size, double t)>;
/// Called after each frame with the number done; false cancels the export.
using FrameProgress = std::function<bool(int done, int all)>;

/// Writes an animation with the same easing as on screen. The file or folder is written atomically;
/// on failure an existing file stays, and a folder is never overwritten. Returns false if
/// `progress` cancelled it. Throws tfm::Error for an unknown extension, an unsupported size or
/// rate, and failed writes.
bool exportFrames(const FramePainter& frame, const QString& path,
                  const AnimationOptions& options = {}, const FrameProgress& progress = {});

}  // namespace tfm::ui
