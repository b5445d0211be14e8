// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps between runs of the program, and what lasts only while switched on.
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <cmath>

#include "core/backend/plugins.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/widgets/message_bar.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowRemembers : public WindowTest {
  Q_OBJECT

 private slots:
  void firstTimeIsDarkAtUsualSize() {
    QCOMPARE(bench_->style().theme(), Theme::Dark);
    QCOMPARE(bench_->style().scale(), 1.0);
    QVERIFY(bench_->settings().recentFiles().isEmpty());
  }

  void looksComeBack() {
    action("&Light")->trigger();
    action("&Larger")->trigger();
    action("An&imation")->trigger();
    const double scale = bench_->style().scale();
    QVERIFY(scale > 1.0);
    bench_->restart();
    QCOMPARE(bench_->style().theme(), Theme::Light);
    QCOMPARE(bench_->style().scale(), scale);
    QVERIFY(!bench_->style().motion());
    QVERIFY(action("&Light")->isChecked());
    QVERIFY(!action("An&imation")->isChecked());
    action("&Default size")->trigger();
    QCOMPARE(bench_->style().scale(), 1.0);
  }

  void allThemesCanBeChosen() {
    for (const auto& [name, theme] : {std::pair("&Light", Theme::Light),
                                      {"&High contrast", Theme::HighContrast},
                                      {"&Dark", Theme::Dark}}) {
      action(name)->trigger();
      QCOMPARE(bench_->style().theme(), theme);
      QVERIFY(!window().grab().isNull());
    }
  }

  void placeScreenAndZonesComeBack() {
    bench_->key(Qt::Key_3);
    const QList<int> sizes = dragged();
    QVERIFY(window().close());
    bench_->restart();
    QVERIFY(bench_->showActive());
    QCOMPARE(window().screen(), int(kMatrices));
    QCOMPARE(window().size(), QSize(1600, 1000));
    QCOMPARE(zones().sizes(), sizes);
  }

  void anotherThemeLeavesTheZonesAlone() {
    const QList<int> sizes = dragged();
    action("&Light")->trigger();
    QCOMPARE(zones().sizes(), sizes);
  }

  void sideZonesGrowWithTheFont() {
    const QList<int> sizes = dragged();
    action("&Larger")->trigger();
    QApplication::processEvents();
    const double factor = bench_->style().scale();
    for (const int side : {0, 2})
      QVERIFY(std::abs(zones().sizes()[side] - sizes[side] * factor) <= 1.0);
    action("&Default size")->trigger();
    for (const int side : {0, 2}) QVERIFY(std::abs(zones().sizes()[side] - sizes[side]) <= 1);
  }

  void projectorModeRestoresTheLook() {
    action("&Larger")->trigger();
    const double scale = bench_->style().scale();
    bench_->key(Qt::Key_F7);
    const QList<int> sizes = dragged();
    QVERIFY(zones().widget(0)->isVisible());
    bench_->key(Qt::Key_F5);
    QCOMPARE(bench_->style().theme(), Theme::Light);
    QCOMPARE(bench_->style().scale(), std::clamp(window().width() / 1024.0, 1.25, 1.8));
    bench_->key(Qt::Key_F5);
    QCOMPARE(bench_->style().theme(), Theme::Dark);
    QCOMPARE(bench_->style().scale(), scale);
    QVERIFY(zones().widget(0)->isVisible());
    QCOMPARE(zones().sizes(), sizes);
  }

  void projectorIsNotRemembered() {
    bench_->key(Qt::Key_F7);
    const QList<int> sizes = dragged();
    bench_->key(Qt::Key_F5);
    action("&Larger")->trigger();
    action("&High contrast")->trigger();
    QVERIFY(window().close());
    bench_->restart();
    QVERIFY(bench_->showActive());
    QCOMPARE(bench_->style().theme(), Theme::Dark);
    QCOMPARE(bench_->style().scale(), 1.0);
    QVERIFY(zones().widget(0)->isVisible());
    QVERIFY(zones().widget(2)->isVisible());
    QCOMPARE(zones().sizes(), sizes);
  }

  void zoomInProjectorModeIsNotKept() {
    bench_->key(Qt::Key_F5);
    action("&Larger")->trigger();
    QVERIFY(bench_->style().scale() > 1.3);
    bench_->key(Qt::Key_F5);
    QCOMPARE(bench_->style().scale(), 1.0);
    QCOMPARE(bench_->settings().scale(), 1.0);
  }

  void recentFilesAreListedWhileTheyAreThere() {
    const QString a = bench_->savedDemonstration("a.safetensors");
    const QString b = bench_->savedDemonstration("b.safetensors");
    QVERIFY(window().openFile(a));
    QVERIFY(window().openFile(b));
    QVERIFY(window().openFile(a));
    QCOMPARE(recent(), QStringList({a, b}));
    bench_->restart();
    QCOMPARE(recent(), QStringList({a, b}));
    QVERIFY(QFile::remove(b));
    QCOMPARE(recent(), QStringList({a}));
    recentMenu().actions().front()->trigger();
    QCOMPARE(bench_->document().files().path(), a);
    QVERIFY(QFile::remove(a));
    QCOMPARE(recent(), QStringList({"No files yet"}));
    QVERIFY(!recentMenu().actions().front()->isEnabled());
  }

  void theFolderOfPluginsComesBack() {
    const auto lame = pluginDevices(TFM_FAKE_PLUGINS "/no_device").front();
    const auto canRun = [&lame] {
      for (const FoundDevice& device : findDevices())
        if (device.name == lame.name) return device.obstacle.empty();
      return false;
    };
    const QString folder = TFM_FAKE_PLUGINS "/good";
    const auto choose = [&](QWidget& dialog) {
      auto* path = dialog.findChild<QLineEdit*>();
      path->setText(folder);
      QTest::keyClick(path, Qt::Key_Return);
    };
    QCOMPARE(bench_->settings().pluginFolder(), QString());
    QCOMPARE(withDialogs([&] { action("Device plu&gins...")->trigger(); }, choose), 1);
    QTRY_VERIFY(messages().accessibleName().contains("Devices: cpu, fake"));
    addDevice(lame);  // so that the next window has to look there again
    QVERIFY(!canRun());
    bench_->restart();
    QCOMPARE(bench_->settings().pluginFolder(), folder);
    QTRY_VERIFY(canRun());
  }

  void anUnreadableStoreIsIgnored_data() {
    QTest::addColumn<QString>("scale");
    for (const char* scale : {"wide", "nan", "inf", "-1e300"}) QTest::newRow(scale) << scale;
  }

  void anUnreadableStoreIsIgnored() {
    QFETCH(const QString, scale);
    QSettings store(bench_->path("odd.ini"), QSettings::IniFormat);
    store.setValue("look/theme", 99);
    store.setValue("look/scale", scale);
    store.setValue("window/screen", -7);
    store.setValue("window/geometry", "nonsense");
    store.setValue("window/zones", "nonsense");
    Settings odd(store);
    Style style(*qApp);
    style.setTheme(odd.theme());
    style.setScale(odd.scale());
    ModelDocument document(1);
    MainWindow other(style, document, odd);
    other.openDemonstration();
    other.show();
    QVERIFY(style.scale() >= 0.8 && style.scale() <= 2.5);
    QVERIFY(other.screen() >= 0);
    QVERIFY(other.width() > 400);
  }

 private:
  QAction* action(const QString& text) {
    for (QAction* action : window().findChildren<QAction*>())
      if (action->text() == text) return action;
    qFatal("there is no action %s", qPrintable(text));
  }
  QMenu& recentMenu() {
    for (QMenu* menu : window().findChildren<QMenu*>())
      if (menu->title() == "Open &recent") return *menu;
    qFatal("there is no menu of recent files");
  }
  QStringList recent() {
    emit recentMenu().aboutToShow();
    QStringList texts;
    for (const QAction* action : recentMenu().actions()) texts += action->text();
    return texts;
  }
  /// The widths of the zones after the user has moved an edge.
  QList<int> dragged() {
    window().resize(1600, 1000);
    QApplication::processEvents();
    QList<int> sizes = zones().sizes();
    sizes[0] += 30;
    sizes[1] -= 30;
    zones().setSizes(sizes);
    return zones().sizes();
  }
  QSplitter& zones() { return *window().findChild<QSplitter*>(); }
};

TFM_TEST(TestWindowRemembers)
#include "test_window_remembers.moc"
