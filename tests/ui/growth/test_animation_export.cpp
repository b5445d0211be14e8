// SPDX-License-Identifier: GPL-3.0-or-later
// Films: what ffmpeg is asked and fed, by a stand-in for it; the real one, where it is installed.
#include <signal.h>
#include <QDir>
#include <QImageReader>
#include <QPainter>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/ui/ui_test.h"
#include "ui/growth/animation_export.h"

using namespace tfm::ui;

namespace {

/// A red bar that grows over a grey picture.
void paintBar(QPainter& painter, QSize size, double t) {
  painter.fillRect(QRect(QPoint(), size), QColor(220, 220, 220));
  painter.fillRect(QRectF(0, 0, size.width() * t, size.height()), QColor(200, 30, 20));
}

constexpr QSize kSmall(64, 48);
constexpr int kFrames = 68;  // 0.8 + 1.1 + 0.8 seconds, 25 in each

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Names in the folder, hidden ones too.
QStringList namesIn(const QString& path) {
  return QDir(path).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

}  // namespace

class TestAnimationExport : public QObject {
  Q_OBJECT

 private:
  const QByteArray usual_ = qgetenv("PATH");
  std::unique_ptr<QTemporaryDir> folder_, tools_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  static bool hasFfmpeg() { return !QStandardPaths::findExecutable("ffmpeg").isEmpty(); }
  /// A script in place of ffmpeg: $film is what it is to write, $LOG a file for the test.
  void useStandIn(const QString& script) {
    QFile file(tools_->filePath("ffmpeg"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QString("#!/bin/sh\nLOG=%1/log\nfor film; do :; done\n%2\n")
                   .arg(tools_->path(), script)
                   .toUtf8());
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QFile::remove(tools_->filePath("log"));
    qputenv("PATH", tools_->path().toUtf8() + ':' + usual_);
  }
  QString hintOf(const QString& name) const {
    try {
      exportFrames(paintBar, path(name), kSmall, Qt::white);
    } catch (const tfm::Error& error) {
      return QString::fromStdString(error.hint());
    }
    return {};
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    tools_ = std::make_unique<QTemporaryDir>();
  }
  void cleanup() { qputenv("PATH", usual_); }

  /// What ffmpeg is told and given: its arguments, then how many bytes it read.
  void framesArePipedToFfmpeg_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("gif") << "grow.gif" << QSize(65, 49)
                         << QStringList{"rawvideo", "rgb24", "65x49", "25", "palettegen"};
    QTest::newRow("mp4") << "grow.mp4" << QSize(64, 48)  // odd sides lose a pixel
                         << QStringList{"rawvideo", "rgb24",   "64x48",
                                        "25",       "yuv420p", "+faststart"};
  }
  void framesArePipedToFfmpeg() {
    QFETCH(QString, name);
    QFETCH(QSize, size);
    QFETCH(QStringList, arguments);
    useStandIn("printf '%s ' \"$@\" >\"$LOG\"; wc -c >>\"$LOG\"; echo film >\"$film\"");
    int last = 0;
    QVERIFY(exportFrames(paintBar, path(name), {65, 49}, Qt::white, [&](int done, int) {
      last = done;
      return true;
    }));
    QCOMPARE(last, kFrames);
    QCOMPARE(contentOf(path(name)), QByteArray("film\n"));
    QCOMPARE(namesIn(folder_->path()), QStringList{name});
    const QString told = contentOf(tools_->filePath("log"));
    for (const QString& argument : arguments) QVERIFY2(told.contains(argument), qPrintable(told));
    const int bytes = kFrames * 3 * size.width() * size.height();
    QVERIFY2(told.endsWith(QString(" %1\n").arg(bytes)), qPrintable(told));
  }

  void whereFfmpegFailsNothingIsLeftAndItsLastLineIsSaid() {
    // It ends when it has read all, or at once.
    for (const char* reads : {"cat >/dev/null", "true"}) {
      useStandIn(QString(reads) +
                 "; echo half >\"$film\"; echo noise >&2; echo ' No space left ' >&2; exit 1");
      QString problem;
      try {
        exportFrames(paintBar, path("grow.gif"), kSmall, Qt::white);
      } catch (const tfm::Error& error) {
        problem = QString::fromStdString(error.problem());
      }
      QCOMPARE(problem, QString("the animation could not be written: No space left"));
      QVERIFY(namesIn(folder_->path()).isEmpty());
    }
  }

  void withoutFfmpegItIsSaidWhatToInstall() {
    qputenv("PATH", tools_->path().toUtf8());
    for (const char* name : {"grow.gif", "grow.mp4"}) QVERIFY(hintOf(name).contains("ffmpeg"));
    QVERIFY(exportFrames(paintBar, path("frames"), kSmall, Qt::white));
    QCOMPARE(namesIn(folder_->path()), QStringList{"frames"});
  }

  /// One that never reads, and one that reads everything and never ends.
  void cancellingKillsFfmpeg() {
    for (const char* reads : {"true", "cat >/dev/null"}) {
      useStandIn(QString(reads) + "; echo $$ >\"$LOG\"; exec sleep 1000");
      const auto until_it_waits = [&](int, int) {
        return !contentOf(tools_->filePath("log")).endsWith('\n');
      };
      QVERIFY(!exportFrames(paintBar, path("grow.mp4"), {640, 480}, Qt::white, until_it_waits));
      const int id = contentOf(tools_->filePath("log")).trimmed().toInt();
      QVERIFY(id > 0 && kill(id, 0) != 0);
      QVERIFY(namesIn(folder_->path()).isEmpty());
    }
  }

  void gifMovesFromStartToEnd() {
    if (!hasFfmpeg()) QSKIP("ffmpeg is not installed");
    QVERIFY(exportFrames(paintBar, path("grow.gif"), kSmall, Qt::white));
    QVERIFY(contentOf(path("grow.gif")).startsWith("GIF89a"));
    QCOMPARE(namesIn(folder_->path()), QStringList{"grow.gif"});
    QImageReader reader(path("grow.gif"));
    if (!QImageReader::supportedImageFormats().contains("gif")) QSKIP("Qt reads no GIF here");
    const QImage first = reader.read();
    QCOMPARE(first.size(), QSize(64, 48));
    QCOMPARE(first.pixelColor(32, 24), QColor(220, 220, 220));
    QImage last = first;
    int frames = 1;
    for (QImage next = reader.read(); !next.isNull(); next = reader.read()) {
      last = next;
      ++frames;
    }
    QCOMPARE(frames, kFrames);
    QCOMPARE(last.pixelColor(32, 24), QColor(200, 30, 20));
  }

  void mp4IsAFilmThatCanStartAtOnce() {
    if (!hasFfmpeg()) QSKIP("ffmpeg is not installed");
    QVERIFY(exportFrames(paintBar, path("grow.mp4"), {65, 49}, Qt::white));
    const QByteArray film = contentOf(path("grow.mp4"));
    QCOMPARE(film.mid(4, 4), QByteArray("ftyp"));
    QVERIFY(film.indexOf("moov") > 0 && film.indexOf("moov") < film.indexOf("mdat"));
    QVERIFY(film.contains("avc1") || film.contains("mp4v"));
  }

  void picturesAreNumbered() {
    QVERIFY(exportFrames(paintBar, path("frames"), kSmall, Qt::white));
    const QStringList names = namesIn(path("frames"));
    QCOMPARE(names.size(), kFrames);
    QCOMPARE(names.first(), QString("frame_0001.png"));
    QCOMPARE(QImage(path("frames/frame_0001.png")).pixelColor(32, 24), QColor(220, 220, 220));
    QCOMPARE(QImage(path("frames/frame_0068.png")).pixelColor(32, 24), QColor(200, 30, 20));
    QVERIFY_THROWS_EXCEPTION(tfm::Error, exportFrames(paintBar, path("frames"), kSmall, Qt::white));
  }

  void progressIsReportedAndCancels() {
    useStandIn("cat >/dev/null");
    QFile old(path("grow.gif"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("what was there") > 0);
    old.close();
    for (const char* name : {"grow.gif", "grow.mp4", "frames"}) {
      int last = 0;
      const auto stop = [&](int done, int all) {
        last = done;
        return all == kFrames && done < 5;
      };
      QVERIFY(!exportFrames(paintBar, path(name), kSmall, Qt::white, stop));
      QCOMPARE(last, 5);
    }
    QCOMPARE(contentOf(path("grow.gif")), QByteArray("what was there"));
    QCOMPARE(namesIn(folder_->path()), QStringList{"grow.gif"});
  }

  void aPainterThatThrowsLeavesNothing() {
    useStandIn("cat >/dev/null");
    const auto bad = [](QPainter&, QSize, double t) {
      if (t > 0.5) throw tfm::Error("no picture");
    };
    for (const char* name : {"grow.gif", "grow.mp4", "frames"})
      QVERIFY_THROWS_EXCEPTION(tfm::Error, exportFrames(bad, path(name), kSmall, Qt::white));
    QVERIFY(namesIn(folder_->path()).isEmpty());
  }

  void whatCannotBeWrittenIsNamed() {
    QVERIFY(hintOf("grow.avi").contains(".mp4"));
    QVERIFY(!hintOf("missing/folder/grow.gif").isEmpty());
    QVERIFY(namesIn(folder_->path()).isEmpty());
  }
};

TFM_TEST(TestAnimationExport)
#include "test_animation_export.moc"
