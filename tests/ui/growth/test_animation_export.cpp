// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QImageReader>
#include <QPainter>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/ui/ui_test.h"
#include "ui/growth/animation_export.h"
#include "ui/growth/gif_palette.h"

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
  std::unique_ptr<QTemporaryDir> folder_;
  QString path(const QString& name) const { return folder_->filePath(name); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void gifMovesFromStartToEnd() {
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
    // Odd sides lose a pixel.
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
    QFile old(path("grow.gif"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("what was there") > 0);
    old.close();
    for (const char* name : {"grow.gif", "grow.mp4", "frames"}) {
      int told = 0;
      const auto stop = [&](int done, int all) {
        ++told;
        return all == kFrames && done < 5;
      };
      QVERIFY(!exportFrames(paintBar, path(name), kSmall, Qt::white, stop));
      QCOMPARE(told, 5);
    }
    QCOMPARE(contentOf(path("grow.gif")), QByteArray("what was there"));
    QCOMPARE(namesIn(folder_->path()), QStringList{"grow.gif"});
    int last = 0;
    QVERIFY(exportFrames(paintBar, path("grow.gif"), kSmall, Qt::white, [&](int done, int) {
      last = done;
      return true;
    }));
    QCOMPARE(last, kFrames);
    QVERIFY(contentOf(path("grow.gif")).startsWith("GIF89a"));
  }

  void aPainterThatThrowsLeavesNothing() {
    const auto bad = [](QPainter&, QSize, double t) {
      if (t > 0.5) throw tfm::Error("no picture");
    };
    for (const char* name : {"grow.gif", "grow.mp4", "frames"})
      QVERIFY_THROWS_EXCEPTION(tfm::Error, exportFrames(bad, path(name), kSmall, Qt::white));
    QVERIFY(namesIn(folder_->path()).isEmpty());
  }

  void whatCannotBeWrittenIsNamed() {
    const auto hintOf = [&](const QString& name) {
      try {
        exportFrames(paintBar, path(name), kSmall, Qt::white);
      } catch (const tfm::Error& error) {
        return QString::fromStdString(error.hint());
      }
      return QString();
    };
    QVERIFY(hintOf("grow.avi").contains(".mp4"));
    QVERIFY(!hintOf("missing/folder/grow.gif").isEmpty());
    QVERIFY(namesIn(folder_->path()).isEmpty());
  }

  void paletteKeepsTheColoursThatMatter() {
    QImage image(64, 64, QImage::Format_RGB32);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) image.setPixelColor(x, y, QColor(x * 4, y * 4, (x + y) * 2));
    const QColor ground(17, 34, 51);
    QImage flat(64, 64, QImage::Format_RGB32);
    flat.fill(ground);
    const QList<QRgb> colors = gifPalette({image, flat});
    QVERIFY(colors.size() <= 255 && colors.size() > 200);
    QVERIFY(std::find(colors.begin(), colors.end(), ground.rgb()) != colors.end());
    const QImage indexed = image.convertToFormat(QImage::Format_Indexed8, colors)
                               .convertToFormat(QImage::Format_RGB32);
    double worst = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        const QColor a = image.pixelColor(x, y), b = indexed.pixelColor(x, y);
        worst = std::max(
            {worst, std::abs(double(a.red() - b.red())), std::abs(double(a.green() - b.green()))});
      }
    QVERIFY2(worst < 48, qPrintable(QString::number(worst)));
    QCOMPARE(gifPalette({flat}).size(), 1);
  }
};

TFM_TEST(TestAnimationExport)
#include "test_animation_export.moc"
