// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/animation_export.h"

#include <QCoreApplication>
#include <QDir>
#include <QEasingCurve>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "ui/growth/gif_palette.h"
#include "ui/growth/video_writer.h"

namespace tfm::ui {
namespace {

struct AnimationText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::AnimationExport)
};

constexpr int kMinSide = 16;
constexpr int kLargestSide = 8192;
constexpr int kMaxPerSecond = 100;
constexpr double kLongest = 600.0;  // seconds
constexpr int kPaletteSamples = 7;

AnimationFormat formatOf(const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  if (ending == QLatin1String("gif")) return AnimationFormat::Gif;
  if (ending == QLatin1String("mp4")) return AnimationFormat::Mp4;
  if (ending.isEmpty()) return AnimationFormat::PngFrames;
  throw Error(
      AnimationText::tr("unknown file extension \"%1\"").arg(ending).toStdString(),
      path.toStdString(),
      AnimationText::tr("Use .gif or .mp4, or no extension for a folder of images").toStdString());
}

void verify(const AnimationOptions& options, const QString& path) {
  const auto refuse = [&](const QString& what, const QString& hint) {
    throw Error(what.toStdString(), path.toStdString(), hint.toStdString());
  };
  const QSize size = options.size;
  if (std::min(size.width(), size.height()) < kMinSide ||
      std::max(size.width(), size.height()) > kLargestSide)
    refuse(
        AnimationText::tr("unsupported size: %1 × %2 pixels").arg(size.width()).arg(size.height()),
        AnimationText::tr("Choose width and height from %1 to %2").arg(kMinSide).arg(kLargestSide));
  if (options.frames_per_second < 1 || options.frames_per_second > kMaxPerSecond)
    refuse(
        AnimationText::tr("unsupported rate: %1 frames per second").arg(options.frames_per_second),
        AnimationText::tr("Choose a rate from 1 to %1").arg(kMaxPerSecond));
  if (!(options.seconds > 0.0) || !(options.rest >= 0.0) ||
      options.seconds + 2 * options.rest > kLongest)
    refuse(
        AnimationText::tr("unsupported length: %1 seconds").arg(options.seconds + 2 * options.rest),
        AnimationText::tr("Choose at most %1 seconds").arg(kLongest));
}

/// The progress of each frame.
std::vector<double> timesOf(const AnimationOptions& options) {
  const auto frames = [&](double seconds) {
    return int(std::lround(seconds * options.frames_per_second));
  };
  const QEasingCurve ease(QEasingCurve::InOutSine);
  const int moving = std::max(2, frames(options.seconds));
  std::vector<double> times(std::size_t(frames(options.rest)), 0.0);
  for (int i = 0; i < moving; ++i) times.push_back(ease.valueForProgress(double(i) / (moving - 1)));
  times.insert(times.end(), std::size_t(frames(options.rest)), 1.0);
  return times;
}

QImage paintedFrame(const FramePainter& frame, const QSize& size, const QColor& ground, double t) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(ground);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  frame(painter, size, t);
  return image;
}

[[noreturn]] void failWrite(const QString& path, const QString& why) {
  throw Error(
      AnimationText::tr("the animation could not be written: %1").arg(why).toStdString(),
      path.toStdString(),
      AnimationText::tr("Choose a folder you may write to, or free some space").toStdString());
}

void move(const QString& from, const QString& to) {
  std::error_code error;
  std::filesystem::rename(from.toStdString(), to.toStdString(), error);
  if (error) failWrite(to, QString::fromStdString(error.message()));
}

struct Job {
  const FramePainter& frame;
  const AnimationOptions& options;
  const FrameProgress& progress;
  std::vector<double> times;

  bool reportProgress(std::size_t done) const {
    return !progress || progress(int(done), int(times.size()));
  }
};

bool writePictures(const Job& job, const QString& folder) {
  for (std::size_t i = 0; i < job.times.size(); ++i) {
    const QImage image =
        paintedFrame(job.frame, job.options.size, job.options.ground, job.times[i]);
    const QString name = QStringLiteral("frame_%1.png").arg(i + 1, 4, 10, QLatin1Char('0'));
    if (!image.save(QDir(folder).filePath(name), "PNG"))
      failWrite(folder, AnimationText::tr("frame %1 failed").arg(i + 1));
    if (!job.reportProgress(i + 1)) return false;
  }
  return true;
}

bool writeVideo(const Job& job, const QString& file, AnimationFormat format) {
  QSize size = job.options.size;
  QList<QRgb> colors;
  if (format == AnimationFormat::Gif) {
    std::vector<QImage> samples;
    for (int i = 0; i < kPaletteSamples; ++i)
      samples.push_back(
          paintedFrame(job.frame, size, job.options.ground, double(i) / (kPaletteSamples - 1)));
    colors = gifPalette(samples);
  } else {
    size = QSize(size.width() & ~1, size.height() & ~1);
  }
  VideoWriter writer(file, size, job.options.frames_per_second, std::move(colors));
  for (std::size_t i = 0; i < job.times.size(); ++i) {
    writer.add(paintedFrame(job.frame, size, job.options.ground, job.times[i]));
    if (!job.reportProgress(i + 1)) return false;
  }
  writer.finish();
  return true;
}

}  // namespace

bool exportFrames(const FramePainter& frame, const QString& path, const AnimationOptions& options,
                  const FrameProgress& progress) {
  const AnimationFormat format = options.format ? *options.format : formatOf(path);
  verify(options, path);
  const QFileInfo target(path);
  const bool pictures = format == AnimationFormat::PngFrames;
  if (target.isDir() || (pictures && target.exists()))
    throw Error(AnimationText::tr("this name already exists").toStdString(), path.toStdString(),
                AnimationText::tr("Choose a name that does not exist yet").toStdString());
  // Beside the target, so that the last step is a rename rather than a copy.
  QTemporaryDir beside(
      target.absoluteDir().filePath(QStringLiteral(".%1-").arg(target.fileName())));
  if (!beside.isValid()) failWrite(path, beside.errorString());
  const QString made = beside.filePath(pictures                         ? QStringLiteral("frames")
                                       : format == AnimationFormat::Gif ? QStringLiteral("a.gif")
                                                                        : QStringLiteral("a.mp4"));
  const Job job{frame, options, progress, timesOf(options)};
  if (pictures && !QDir().mkdir(made)) failWrite(path, made);
  const bool done = pictures ? writePictures(job, made) : writeVideo(job, made, format);
  if (done) move(made, target.absoluteFilePath());
  return done;
}

}  // namespace tfm::ui
