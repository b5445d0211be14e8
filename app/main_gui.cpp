// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <thread>

#include "app/window_command.h"
#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/tour/tour.h"
#include "ui/window/main_window.h"

namespace {

using namespace tfm::ui;

/// One core stays free for the window.
int trainingThreads() { return std::max(1, int(std::thread::hardware_concurrency()) - 1); }

}  // namespace

int main(int argc, char** argv) {
  QElapsedTimer since_start;
  since_start.start();
  // Before the application: that one needs a display.
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const tfm::WindowCommand command = tfm::readWindowCommand(arguments, TFM_VERSION);
  if (!command.opens) {
    std::fputs(command.words.toLocal8Bit().constData(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName("Transformarium");
  QApplication::setOrganizationName("Transformarium");
  QApplication::setApplicationVersion(TFM_VERSION);

  const bool touring = !command.tour_folder.isEmpty();

  // A tour starts from nothing remembered and leaves nothing behind.
  const QTemporaryDir forgotten;
  if (touring) QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, forgotten.path());
  QSettings store(QSettings::IniFormat, QSettings::UserScope, "Transformarium", "transformarium");
  Settings settings(store);
  Style style(application);
  style.setTheme(settings.theme());
  style.setScale(settings.scale());
  style.setMotion(settings.motion());

  ModelDocument document(trainingThreads());
  MainWindow window(style, document, settings);
  window.setUnattended(touring);
  window.openDemonstration();  // stays where the file cannot be opened
  if (!command.file.isEmpty()) window.openFile(command.file);
  window.show();

  if (!touring) return QApplication::exec();
  QApplication::processEvents();
  const double startup = double(since_start.elapsed());
  return Tour(window, document, style, command.tour_folder, startup).play();
}
