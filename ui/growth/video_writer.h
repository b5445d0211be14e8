// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <memory>

namespace tfm::ui {

/// Encodes frames into one file: MP4, or GIF if given a palette. Throws tfm::Error if the system's
/// libav lacks an encoder or a write fails.
class VideoWriter {
 public:
  /// `colors`: the palette of a GIF (at most 255); empty for MP4, whose sides must be even.
  VideoWriter(const QString& path, const QSize& size, int frames_per_second, QList<QRgb> colors);
  ~VideoWriter();

  /// Adds the next frame, of the size given.
  void add(const QImage& image);
  /// Flushes the encoder. Without it the file is incomplete.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tfm::ui
