// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/resource.h>

#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QImageReader>
#include <QMimeData>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "core/base/error.h"
#include "tests/test_program.h"
#include "tests/ui/figure/sample_figure.h"
#include "ui/figure/exporter.h"

using namespace tfm::ui;

namespace {

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The error of an export that must fail.
std::optional<tfm::Error> failure(const Figure& figure, const QString& path, double dpi = 300) {
  try {
    exportFigure(figure, path, dpi);
  } catch (const tfm::Error& error) {
    return error;
  }
  return std::nullopt;
}

/// While it exists, no file of this process can grow beyond `bytes`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace

class TestExporter : public QObject {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void pngHasTheRequestedResolution() {
    exportFigure(figure_, path("a.png"), 96);
    exportFigure(figure_, path("b.png"), 192);
    const QImage small(path("a.png"));
    const QImage large(path("b.png"));
    QVERIFY(small.width() >= 300);
    QVERIFY(small.height() > 200);  // room for the title
    QCOMPARE(large.size(), small.size() * 2);
    QCOMPARE(qRound(large.dotsPerMeterX() * 0.0254), 192);
    QCOMPARE(QImageReader(path("b.png")).text("Title"), figure_.title);
    // The same picture, only finer: the filled corner is at the same place.
    QCOMPARE(small.pixelColor(30, small.height() - 200),
             large.pixelColor(60, large.height() - 400));
  }

  void paperIsLight() { QCOMPARE(figureImage(figure_, 96).pixelColor(1, 1), paperPalette().panel); }

  void svgKeepsTextAndShapes() {
    exportFigure(figure_, path("a.svg"));
    const QByteArray svg = contents(path("a.svg"));
    QVERIFY(svg.contains("<title>Loss of rot13</title>"));
    QVERIFY(svg.contains("<text"));
    QVERIFY(svg.contains(">axis<"));
    QVERIFY(!svg.contains("<image"));
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    QCOMPARE(renderer.viewBox().size(), figureImage(figure_, 96).size());
    SampleFigure withPicture;
    withPicture.picture = true;
    exportFigure(withPicture, path("b.svg"));
    QVERIFY(contents(path("b.svg")).contains("<image"));
  }

  void pdfIsVectorsAndLossless() {
    exportFigure(figure_, path("a.pdf"));
    const QByteArray plain = contents(path("a.pdf"));
    QVERIFY(plain.startsWith("%PDF"));
    QVERIFY(plain.contains("/FontFile"));
    QVERIFY(!plain.contains("/Subtype /Image"));
    QVERIFY(plain.contains("/Title"));
    SampleFigure withPicture;
    withPicture.picture = true;
    exportFigure(withPicture, path("b.pdf"));
    const QByteArray pictured = contents(path("b.pdf"));
    QVERIFY(pictured.contains("/Subtype /Image"));
    QVERIFY(!pictured.contains("/DCTDecode"));  // JPEG
    // The page is the figure's size in points.
    const QSize size = figureImage(figure_, 96).size();
    const QByteArray box = "/MediaBox [0 0 " + QByteArray::number(size.width() * 0.75);
    QVERIFY2(plain.contains(box), box);
  }

  void csvIsReadBackWhole() {
    exportFigure(figure_, path("a.csv"));
    QCOMPARE(contents(path("a.csv")),
             QByteArray("step,\"loss, mean\"\n1,0.1\n\"say \"\"hi\"\"\",0.3333333333333333\n"
                        "\"two\nlines\",2.2250738585072014e-308\n"));
    QVERIFY_EXCEPTION_THROWN(toCsv({{"a", "b"}, {{"only one"}}}), std::logic_error);
  }

  void numbersHaveAPoint() {
    QCOMPARE(fullPrecision(1234.5), "1234.5");
    QCOMPARE(fullPrecision(0.1).toDouble(), 0.1);
  }

  void longTitlesWrap() {
    SampleFigure wordy;
    wordy.title = QString("a title much longer than the figure is wide ").repeated(4);
    const QSize wrapped = figureImage(wordy, 96).size();
    const QSize plain = figureImage(figure_, 96).size();
    QCOMPARE(wrapped.width(), plain.width());
    QVERIFY(wrapped.height() > plain.height() + 30);
  }

  void anExtensionMayBeInCapitals() {
    exportFigure(figure_, path("UPPER.PNG"));
    QVERIFY(!QImage(path("UPPER.PNG")).isNull());
  }

  void unknownExtensionIsNamed() {
    const auto error = failure(figure_, path("a.bmp"));
    QVERIFY(error);
    QVERIFY(error->problem().find("bmp") != std::string::npos);
    QVERIFY(error->hint().find(".svg") != std::string::npos);
    QVERIFY(!QFile::exists(path("a.bmp")));
  }

  void missingFolderIsNamed() {
    const QString target = path("no/such/folder/a.png");
    const auto error = failure(figure_, target);
    QVERIFY(error);
    QCOMPARE(QString::fromStdString(error->where()), target);
    QVERIFY(!error->problem().empty() && !error->hint().empty());
  }

  void readOnlyFolderIsNamed() {
    // Nobody may create files there, not even root.
    QVERIFY(failure(figure_, "/proc/self/a.png"));
  }

  void fullDiskKeepsTheOldFile() {
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
      QFile old(path(name));
      QVERIFY(old.open(QIODevice::WriteOnly));
      old.write("before");
      old.close();
      {
        const FullDisk full(16);
        const auto error = failure(figure_, path(name));
        QVERIFY(error);
        QCOMPARE(QString::fromStdString(error->where()), path(name));
      }
      QCOMPARE(contents(path(name)), QByteArray("before"));
    }
    QCOMPARE(QDir(folder_->path()).entryList(QDir::Files | QDir::Hidden).size(), 4);
    // With room the same call succeeds.
    exportFigure(figure_, path("a.csv"));
    QVERIFY(contents(path("a.csv")) != "before");
  }

  void pictureTooLargeForMemory() {
    SampleFigure vast;
    vast.size = {40000, 40000};
    const auto error = failure(vast, path("a.png"), 1200);
    QVERIFY(error);
    QVERIFY(error->problem().find("1200") != std::string::npos);
  }

  void clipboardGetsPictureAndVectors() {
    copyFigure(figure_);
    const QMimeData* content = QGuiApplication::clipboard()->mimeData();
    QCOMPARE(qvariant_cast<QImage>(content->imageData()).size(), figureImage(figure_).size());
    QVERIFY(content->data("image/svg+xml").contains("<text"));
  }

 private:
  QString path(const QString& name) const { return folder_->filePath(name); }

  std::unique_ptr<QTemporaryDir> folder_;
  SampleFigure figure_;
};

TFM_TEST(TestExporter)
#include "test_exporter.moc"
