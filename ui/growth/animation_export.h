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
  Mp4,        ///< H.264 where the system's libavcodec can, else MPEG-4 part 2
  PngFrames,  ///< a folder with frame_0001.png, frame_0002.png, ...
};

struct AnimationOptions {
  std::optional<AnimationFormat> format = std::nullopt;  ///< by the path's ending: .gif, .mp4, none
  QSize size{1280, 720};       ///< MP4 takes even sides: one pixel is left off otherwise
  int frames_per_second = 25;  ///< a GIF takes whole hundredths of a second: 25 and 50 are exact
  double seconds = 1.1;        ///< from progress 0 to 1
  double rest = 0.8;           ///< seconds that the first and the last picture stay
  QColor ground = Qt::white;   ///< painted before each frame
};

/// Paints the picture at progress `t` in [0, 1].
using FramePainter = std::function<void(QPainter& painter, QSize size, double t)>;
/// Told after each frame how many of all are done; false ends the export.
using FrameProgress = std::function<bool(int done, int all)>;

/// Writes an animation, slow at both ends as on screen. The file (or folder) appears whole or not
/// at all; what was there before stays on failure, and a folder is never overwritten. Returns false
/// if `progress` ended it. Throws tfm::Error for an unknown ending, a size or rate that no format
/// takes, and failed writes.
bool exportFrames(const FramePainter& frame, const QString& path,
                  const AnimationOptions& options = {}, const FrameProgress& progress = {});

}  // namespace tfm::ui
