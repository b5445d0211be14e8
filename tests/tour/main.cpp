// SPDX-License-Identifier: GPL-3.0-or-later
// transformarium-tour FOLDER: plays the tour and saves its pictures and tour.json in FOLDER. Exit
// codes: 0 all checks passed, 1 some failed, 2 wrong usage.
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <thread>

#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/window/main_window.h"

int main(int argc, char** argv) {
  using namespace tfm::ui;
  QElapsedTimer since_start;
  since_start.start();
  QApplication application(argc, argv);
  if (argc != 2 && argc != 3) {
    std::fputs("Usage: transformarium-tour FOLDER [STOP]\n", stderr);
    return 2;
  }
  // The user's settings are neither read nor changed.
  const QTemporaryDir forgotten;
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, forgotten.path());
  QSettings store(QSettings::IniFormat, QSettings::UserScope, "Transformarium", "transformarium");
  Settings settings(store);
  Style style(application);
  style.setTheme(settings.theme());
  style.setScale(settings.scale());
  style.setMotion(settings.motion());

  // One core stays free for the window.
  ModelDocument document(std::max(1, int(std::thread::hardware_concurrency()) - 1));
  MainWindow window(style, document, settings);
  window.setUnattended(true);
  window.openDemonstration();
  window.show();
  QApplication::processEvents();
  const double startup = double(since_start.elapsed());
  return Tour(window, document, style, QString::fromLocal8Bit(argv[1]), startup)
      .play(QString::fromLocal8Bit(argc > 2 ? argv[2] : ""));
}
