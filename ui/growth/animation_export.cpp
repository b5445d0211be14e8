// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/animation_export.h"

#include <QCoreApplication>
#include <QDir>
#include <QEasingCurve>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
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

constexpr int kFramesPerSecond = 25;  // GIF delays are in 1/100 s: this is exact
constexpr double kMoving = 1.1;       // seconds from progress 0 to 1
constexpr double kRest = 0.8;         // seconds that the first and last frames are held
constexpr int kPaletteSamples = 7;

/// The progress of each frame.
std::vector<double> frameTimes() {
  const QEasingCurve ease(QEasingCurve::InOutSine);
  const int moving = int(std::lround(kMoving * kFramesPerSecond));
  const auto rest = std::size_t(kRest * kFramesPerSecond);
  std::vector<double> times(rest, 0.0);
  for (int i = 0; i < moving; ++i) times.push_back(ease.valueForProgress(double(i) / (moving - 1)));
  times.insert(times.end(), rest, 1.0);
  return times;
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
  const QSize& size;
  const QColor& ground;
  const FrameProgress& progress;
  const std::vector<double> times = frameTimes();

  QImage frameAt(double t, const QSize& cut) const {
    QImage image(cut, QImage::Format_RGB32);
    image.fill(ground);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    frame(painter, cut, t);
    return image;
  }
  bool reportProgress(std::size_t done) const {
    return !progress || progress(int(done), int(times.size()));
  }
};

bool writePictures(const Job& job, const QString& folder) {
  for (std::size_t i = 0; i < job.times.size(); ++i) {
    const QString name = QStringLiteral("frame_%1.png").arg(i + 1, 4, 10, QLatin1Char('0'));
    if (!job.frameAt(job.times[i], job.size).save(QDir(folder).filePath(name), "PNG"))
      failWrite(folder, AnimationText::tr("frame %1 failed").arg(i + 1));
    if (!job.reportProgress(i + 1)) return false;
  }
  return true;
}

bool writeVideo(const Job& job, const QString& file, bool gif) {
  const QSize size = gif ? job.size : QSize(job.size.width() & ~1, job.size.height() & ~1);
  std::vector<QImage> samples;
  for (int i = 0; gif && i < kPaletteSamples; ++i)
    samples.push_back(job.frameAt(double(i) / (kPaletteSamples - 1), size));
  VideoWriter writer(file, size, kFramesPerSecond, gif ? gifPalette(samples) : QList<QRgb>());
  for (std::size_t i = 0; i < job.times.size(); ++i) {
    writer.add(job.frameAt(job.times[i], size));
    if (!job.reportProgress(i + 1)) return false;
  }
  writer.finish();
  return true;
}

}  // namespace

bool exportFrames(const FramePainter& frame, const QString& path, const QSize& size,
                  const QColor& ground, const FrameProgress& progress) {
  const QFileInfo target(path);
  const QString ending = target.suffix().toLower();
  const bool pictures = ending.isEmpty(), gif = ending == QLatin1String("gif");
  if (!pictures && !gif && ending != QLatin1String("mp4"))
    throw Error(AnimationText::tr("unknown file extension \"%1\"").arg(ending).toStdString(),
                path.toStdString(),
                AnimationText::tr("Use .gif or .mp4, or no extension for a folder of images")
                    .toStdString());
  if (target.isDir() || (pictures && target.exists()))
    throw Error(AnimationText::tr("this name already exists").toStdString(), path.toStdString(),
                AnimationText::tr("Choose a name that does not exist yet").toStdString());
  // Beside the target, so that the last step is a rename rather than a copy.
  QTemporaryDir beside(
      target.absoluteDir().filePath(QStringLiteral(".%1-").arg(target.fileName())));
  if (!beside.isValid()) failWrite(path, beside.errorString());
  const QString made = beside.filePath(QStringLiteral("film") + (pictures ? "" : "." + ending));
  const Job job{frame, size, ground, progress};
  if (pictures && !QDir().mkdir(made)) failWrite(path, made);
  const bool done = pictures ? writePictures(job, made) : writeVideo(job, made, gif);
  if (done) move(made, target.absoluteFilePath());
  return done;
}

}  // namespace tfm::ui
