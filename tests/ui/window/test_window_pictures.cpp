// SPDX-License-Identifier: GPL-3.0-or-later
// The screens, dialogs and figures look as they did: each is compared with a stored picture, a
// third as large, by how different a person sees the colours. Changes of taste are renewed by
// TFM_WRITE_PICTURES=1 ctest -R test_window_pictures; look at them before you commit them.
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QSvgRenderer>
#include <map>
#include <set>
#include <utility>

#include "tests/ui/window/window_bench.h"
#include "ui/figure/exporter.h"
#include "ui/figure/figure.h"
#include "ui/scene/matrix_wall.h"
#include "ui/study/study_controls.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/map_dialog.h"
#include "ui/views/flow/flow_view.h"
#include "ui/widgets/message_bar.h"

using namespace tfm::ui;

namespace {

constexpr int kSmaller = 3;         // than the screen: single dots of letters do not count
constexpr double kSeen = 0.06;      // a difference of two colours, three times one just visible
constexpr double kAllowed = 0.001;  // of the dots; measured times differ
constexpr qint64 kLongest = 10000, kStill = 200;  // milliseconds

/// The Qt whose pictures are stored: another one has other controls and letters.
QString madeWith() {
  return QStringLiteral("Qt %1.%2").arg(QT_VERSION_MAJOR).arg(QT_VERSION_MINOR);
}

QString storedAt(const QString& name) {
  return QStringLiteral(TFM_TEST_DATA "/ui/window/pictures/") + name;
}

QImage smaller(const QImage& image) {
  return image
      .scaled(image.width() / kSmaller, image.height() / kSmaller, Qt::IgnoreAspectRatio,
              Qt::SmoothTransformation)
      .convertToFormat(QImage::Format_RGB32);
}

/// The share of dots whose colours a person tells apart; 1 if the sizes differ. `where`, if not
/// null, becomes a picture with those dots in red.
double shareThatDiffers(const QImage& a, const QImage& b, QImage* where = nullptr) {
  if (a.size() != b.size()) return 1.0;
  if (where != nullptr) *where = a.convertToFormat(QImage::Format_RGB32);
  qint64 seen = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      if (a.pixel(x, y) == b.pixel(x, y)) continue;
      if (difference(a.pixelColor(x, y), b.pixelColor(x, y)) < kSeen) continue;
      ++seen;
      if (where != nullptr) where->setPixelColor(x, y, Qt::red);
    }
  return double(seen) / double(a.width() * a.height());
}

/// What is shown once nothing moves any more.
QImage still(QWidget& widget) {
  QImage image = widget.grab().toImage();
  QElapsedTimer clock, same;
  clock.start();
  for (same.start(); same.elapsed() < kStill && clock.elapsed() < kLongest;) {
    QTest::qWait(40);
    const QImage now = widget.grab().toImage();
    if (now == image) continue;
    image = now;
    same.restart();
  }
  return image;
}

/// The window without the row of measured times, which differ from machine to machine.
QImage withoutTimes(QWidget& window) {
  QImage image = still(window);
  for (QLabel* label : window.findChildren<QLabel*>()) {
    if (label->text() != "ms per example" || !label->isVisible()) continue;
    QWidget* table = label->parentWidget();
    const QRect row(0, label->y(), table->width(), label->height());
    QPainter(&image).fillRect(row.translated(table->mapTo(&window, QPoint())), Qt::gray);
  }
  return image;
}

QByteArray ownName(const QWidget& widget) {
  return QByteArray(widget.metaObject()->className()).replace("tfm::ui::", "").toLower();
}

}  // namespace

class TestWindowPictures : public WindowTest {
  Q_OBJECT

 private:
  QStringList faults_;
  std::set<QString> made_;

  void compare(const QString& name, const QImage& picture) {
    const QImage now = smaller(picture);
    made_.insert(name + ".png");
    const QString path = storedAt(name + ".png");
    if (qEnvironmentVariableIsSet("TFM_WRITE_PICTURES")) {
      // Thirty-two shades are enough, and the repository keeps every version.
      QVERIFY(now.convertToFormat(QImage::Format_RGB16).save(path));
      return;
    }
    const QImage then(path);
    QImage where;
    const double share = shareThatDiffers(now, then.convertToFormat(QImage::Format_RGB32), &where);
    if (share <= kAllowed) return;
    QDir().mkpath("pictures");
    now.save("pictures/" + name + "-now.png");
    then.save("pictures/" + name + "-stored.png");
    where.save("pictures/" + name + "-difference.png");
    faults_
        << QStringLiteral("%1: %2 % of its dots differ").arg(name).arg(100.0 * share, 0, 'g', 3);
  }
  void report() {
    const QStringList faults = std::exchange(faults_, {});
    QVERIFY2(faults.isEmpty(),
             qPrintable(faults.join('\n') + "\nLook at the three pictures of each in " +
                        QDir("pictures").absolutePath() +
                        ".\nIf the change is meant: TFM_WRITE_PICTURES=1 ctest -R "
                        "test_window_pictures"));
  }

  void show(int screen) {
    window().showScreen(Screen(screen));
    QTest::qWait(50);
    if (screen == kFlow)
      QVERIFY(QTest::qWaitFor([&] { return window().flow().isReady(); }, int(kLongest)));
    messages().hide();
  }
  /// Without OpenGL there is nothing to compare.
  bool isDrawn(const QWidget& widget) const {
    const auto* wall = qobject_cast<const MatrixWall*>(&widget);
    return wall == nullptr || wall->available();
  }
  bool isDrawn(int screen) const {
    return screen != kMatrices || isDrawn(*bench_->window().findChild<MatrixWall*>());
  }

 private slots:
  void initTestCase() {
    QFile file(storedAt("made-with.txt"));
    if (qEnvironmentVariableIsSet("TFM_WRITE_PICTURES")) {
      QDir().mkpath(storedAt({}));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(madeWith().toUtf8() + '\n');
      return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), "The stored pictures are missing");
    const QString with = QString::fromUtf8(file.readAll()).trimmed();
    if (with != madeWith())
      QSKIP(qPrintable(
          QStringLiteral("The pictures are those of %1, this is %2").arg(with, madeWith())));
  }

  /// A missing title and other colours are seen; another number is not.
  void differencesAreSeen() {
    show(kTrain);
    const QImage all = smaller(still(window()));
    QCOMPARE(shareThatDiffers(all, all), 0.0);
    for (QLabel* label : window().findChildren<QLabel*>())
      if (label->isVisible() && label->property("role") == "title") label->setText("x");
    const QImage untitled = smaller(still(window()));
    QVERIFY2(shareThatDiffers(all, untitled) > 0.0, "a title");
    bench_->style().setTheme(Theme::Light);
    const QImage light = smaller(still(window()));
    QVERIFY2(shareThatDiffers(all, light) > 0.5, "another theme");
    window().resize(window().size() + QSize(kSmaller, 0));
    QCOMPARE(shareThatDiffers(light, smaller(still(window()))), 1.0);
  }

  void screensLookAsTheyDid() {
    struct Room {
      const char* name;
      QSize size;
      bool projector;
    };
    for (const Room& room :
         {Room{"1280x800", {1280, 800}, false}, Room{"1600x1000", {1600, 1000}, false},
          Room{"projector", {1280, 720}, true}}) {
      window().resize(room.size);
      if (room.projector) bench_->key(Qt::Key_F5);
      for (const auto& [theme, name] :
           {std::pair{Theme::Dark, "dark"}, std::pair{Theme::Light, "light"}}) {
        bench_->style().setTheme(theme);
        for (const int screen : screens()) {
          show(screen);
          if (!isDrawn(screen)) continue;
          compare(QStringLiteral("%1-%2-%3")
                      .arg(QString::fromUtf8(screenName(screen)).toLower(),
                           QLatin1String(room.name), QLatin1String(name)),
                  withoutTimes(window()));
        }
      }
    }
    report();
  }

  void dialogsLookAsTheyDid() {
    for (const auto& [theme, look] :
         {std::pair{Theme::Dark, "dark"}, std::pair{Theme::Light, "light"}}) {
      bench_->style().setTheme(theme);
      for (const auto& [text, name] :
           {std::pair{"&New run...", "new-run"}, std::pair{"&Compare models...", "compare"},
            std::pair{"&What if...", "what-if"}, std::pair{"&Importance of parts...", "importance"},
            std::pair{"Pa&tch one text into another...", "patch"},
            std::pair{"&Source documents...", "sources"}, std::pair{"Repor&t...", "report"},
            std::pair{"&Welcome...", "welcome"}, std::pair{"&Keyboard shortcuts", "shortcuts"}}) {
        bool seen = false;
        const auto take = [&](QWidget& dialog) {
          if (auto* measured = qobject_cast<MapDialog*>(&dialog))
            QTRY_VERIFY(measured->run().button()->text() != "Cancel");
          if (!seen)
            compare(QStringLiteral("dialog-%1-%2").arg(QLatin1String(name), QLatin1String(look)),
                    still(dialog));
          seen = true;
          dialog.close();
        };
        withDialogsOf(window(), text, take);
        QVERIFY2(seen, name);
      }
    }
    report();
  }

  /// What a screen exports as SVG, on paper.
  void figuresLookAsTheyDid() {
    window().resize(1280, 800);
    for (const int screen : screens()) {
      show(screen);
      still(window());
      std::map<QByteArray, int> times;
      for (QWidget* widget : window().findChildren<QWidget*>()) {
        const auto* figure = dynamic_cast<const Figure*>(widget);
        if (figure == nullptr || widget->visibleRegion().isEmpty() || !isDrawn(*widget)) continue;
        const QSizeF size = figure->figureSize();
        if (size.width() < 30 || size.height() < 10) continue;
        QSvgRenderer exported(svgOf(*figure));
        QImage page(exported.defaultSize(), QImage::Format_RGB32);
        page.fill(paperPalette().ground);
        QPainter painter(&page);
        exported.render(&painter);
        painter.end();
        const QByteArray own = ownName(*widget);
        compare(QStringLiteral("figure-%1-%2%3")
                    .arg(QString::fromUtf8(screenName(screen)).toLower(), QString::fromUtf8(own),
                         times[own]++ == 0 ? QString() : QString::number(times[own])),
                page);
      }
    }
    report();
  }

  /// Nested, with the submodel's matrices.
  void elasticLooksAsItDid() {
    window().showScreen(kElastic);
    window().elastic().parts().example->click();
    for (const auto& [theme, name] :
         {std::pair{Theme::Dark, "dark"}, std::pair{Theme::Light, "light"}}) {
      bench_->style().setTheme(theme);
      messages().hide();
      compare(QStringLiteral("elastic-nested-%1").arg(QLatin1String(name)), withoutTimes(window()));
    }
    report();
  }

  void noPictureIsLeftOver() {
    const QDir folder(storedAt({}));
    qint64 bytes = 0;
    for (const QFileInfo& file : folder.entryInfoList({"*.png"})) {
      bytes += file.size();
      if (qEnvironmentVariableIsSet("TFM_WRITE_PICTURES") && !made_.contains(file.fileName()))
        QVERIFY(QFile::remove(file.filePath()));
      else if (!file.fileName().contains("matri"))
        QVERIFY2(made_.contains(file.fileName()), qPrintable(file.fileName()));
    }
    QVERIFY2(bytes < 5'000'000, qPrintable(QString::number(bytes)));
  }
};

TFM_TEST(TestWindowPictures)
#include "test_window_pictures.moc"
