// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/animation_export.h"

#include <QCoreApplication>
#include <QDir>
#include <QEasingCurve>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"

namespace tfm::ui {
namespace {

struct AnimationText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::AnimationExport)
};

constexpr int kFramesPerSecond = 25;  // GIF delays are in 1/100 s: this is exact
constexpr double kMoving = 1.1;       // seconds from progress 0 to 1
constexpr double kRest = 0.8;         // seconds that the first and last frames are held
constexpr int kLook = 100;            // milliseconds between two questions whether to go on

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

QString programFor(const QString& path) {
  const QString program = QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
  if (!program.isEmpty()) return program;
  throw Error(
      AnimationText::tr("films are written by the program ffmpeg, which is not installed")
          .toStdString(),
      path.toStdString(),
      AnimationText::tr("Install the package ffmpeg, or export a folder of images").toStdString());
}

/// What follows the input. A GIF has one palette for all frames, so that static parts do not
/// flicker. An MP4 can be played before all of it has arrived and has the colours of HDTV; its
/// second quality, q:v, is for MPEG-4 part 2, which ffmpeg chooses where it lacks H.264.
constexpr const char* kGif =
    "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none";
constexpr const char* kMp4 =
    "-vf scale=out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p -crf 16 -q:v 2 -color_range tv "
    "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -movflags +faststart";

/// The program ffmpeg, which is fed with frames and killed unless it finishes. `path`: what it is
/// to become, for messages.
class Encoder {
 public:
  Encoder(const QString& path, const QString& file, const QSize& size, bool gif) : path_(path) {
    const QString all = QString(
                            "-hide_banner -loglevel error -f rawvideo -pixel_format rgb24 "
                            "-framerate %1 -video_size %2x%3 -i pipe:0 %4")
                            .arg(kFramesPerSecond)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(gif ? kGif : kMp4);
    process_.start(programFor(path), all.split(QLatin1Char(' ')) + QStringList{file});
  }
  ~Encoder() {
    process_.kill();
    process_.waitForFinished();
  }

  void add(const QImage& image) {
    const QImage rgb = image.convertToFormat(QImage::Format_RGB888);
    for (int y = 0; y < rgb.height(); ++y)
      process_.write(reinterpret_cast<const char*>(rgb.constScanLine(y)), 3 * rgb.width());
  }
  /// Waits until it has read what was added; false if `goes_on` ended that. Throws Error if it
  /// ended itself.
  bool wait(const std::function<bool()>& goes_on) {
    while (isRunning() && process_.bytesToWrite() > 0)
      if (!process_.waitForBytesWritten(kLook) && isRunning() && !goes_on()) return false;
    if (!isRunning()) fail();
    return true;
  }
  /// Waits until the film is complete; false if `goes_on` ended it.
  bool finish(const std::function<bool()>& goes_on) {
    process_.closeWriteChannel();
    while (isRunning())
      if (!process_.waitForFinished(kLook) && isRunning() && !goes_on()) return false;
    if (process_.exitStatus() != QProcess::NormalExit || process_.exitCode() != 0) fail();
    return true;
  }

 private:
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }
  [[noreturn]] void fail() {
    const QStringList said = QString::fromLocal8Bit(process_.readAllStandardError())
                                 .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    failWrite(path_, said.isEmpty() ? AnimationText::tr("ffmpeg ended") : said.last().trimmed());
  }

  const QString path_;
  QProcess process_;
};

bool writeVideo(const Job& job, const QString& path, const QString& file, bool gif) {
  const QSize size = gif ? job.size : QSize(job.size.width() & ~1, job.size.height() & ~1);
  Encoder encoder(path, file, size, gif);
  for (std::size_t i = 0; i < job.times.size(); ++i) {
    encoder.add(job.frameAt(job.times[i], size));
    if (!encoder.wait([&] { return job.reportProgress(i); })) return false;
    if (!job.reportProgress(i + 1)) return false;
  }
  return encoder.finish([&] { return job.reportProgress(job.times.size()); });
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
  const bool done = pictures ? writePictures(job, made) : writeVideo(job, path, made, gif);
  if (done) move(made, target.absoluteFilePath());
  return done;
}

}  // namespace tfm::ui
