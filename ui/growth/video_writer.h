// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QList>
#include <memory>

namespace tfm::ui {

/// Encodes pictures into one file: MP4, or GIF if it is given a palette. Throws tfm::Error when the
/// system's libav lacks what is needed or a write fails.
class VideoWriter {
 public:
  /// `colors`: the palette of a GIF (at most 255); empty for MP4, whose sides must be even.
  VideoWriter(const QString& path, const QSize& size, int frames_per_second, QList<QRgb> colors);
  ~VideoWriter();

  /// The next picture, of the size given.
  void add(const QImage& image);
  /// Writes what is left. Without it the file is not complete.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tfm::ui
