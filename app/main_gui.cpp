// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QIcon>
#include <QSettings>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "app/thumbnail.h"
#include "app/window_command.h"
#include "core/backend/about.h"
#include "core/io/cache_folder.h"
#include "core/io/message_text.h"
#include "ui/document/model_document.h"
#include "ui/document/recovery.h"
#include "ui/style/style.h"
#include "ui/window/main_window.h"
#include "ui/window/signal_watch.h"

namespace {

using namespace tfm::ui;

/// One core stays free for the window.
int trainingThreads() { return std::max(1, int(std::thread::hardware_concurrency()) - 1); }

/// Saved when the program has to end without asking.
Recovery* kept = nullptr;

void rescue() {
  if (Recovery* recovery = std::exchange(kept, nullptr)) {
    try {
      if (const QString copy = recovery->rescue(); !copy.isEmpty())
        std::cerr << "Unsaved work is kept and offered at the next start: "
                  << tfm::io::plainText(copy.toStdString()) << std::endl;
    } catch (const std::exception& problem) {
      std::cerr << "Unsaved work could not be kept: " << tfm::io::plainText(problem.what())
                << std::endl;
    }
  }
}

/// Qt and the X libraries call exit() when the display is gone. Running threads would then use
/// objects that are being destroyed.
void rescueAtExit() {
  if (kept == nullptr) return;
  rescue();
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  // Before the application, which needs a display.
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
  const tfm::WindowCommand command = tfm::readWindowCommand(arguments);
  if (!command.opens) {
    std::fputs(tfm::io::plainText(command.words.toStdString()).c_str(),
               command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  if (!command.thumbnail.isEmpty())
    return tfm::writeThumbnail(argc, argv, command.file, command.thumbnail, command.side);
  SignalWatch stops;
  QApplication application(argc, argv);
  QApplication::setApplicationName("Transformarium");
  QApplication::setOrganizationName("Transformarium");
  QApplication::setDesktopFileName("org.transformarium.Transformarium");
  QApplication::setApplicationVersion(QString::fromStdString(tfm::programVersion()));

  QSettings store(QSettings::IniFormat, QSettings::UserScope, "Transformarium", "transformarium");
  Settings settings(store);
  Style style(application);
  QApplication::setWindowIcon(QIcon(":/transformarium.svg"));
  style.setTheme(settings.theme());
  style.setScale(settings.scale());
  style.setMotion(settings.motion());

  ModelDocument document(trainingThreads());
  std::unique_ptr<Recovery> recovery;
  MainWindow window(style, document, settings);
  window.openDemonstration();  // stays if the file cannot be opened
  window.show();  // first, as a large file takes long
  if (!command.file.isEmpty()) window.openFile(command.file);
  if (!command.lesson.isEmpty()) window.openLesson(command.lesson);

  constexpr int kSignal = 128;
  stops.listen([](int signal) {
    rescue();
    QApplication::exit(kSignal + signal);
  });
  window.attempt([&] {
    recovery = std::make_unique<Recovery>(document, tfm::io::cacheFolder() / "recovery");
    window.offerRecovery(*recovery);
  });
  const bool asked_for = !command.file.isEmpty() || !command.lesson.isEmpty();
  if (!asked_for && !settings.welcomed()) window.welcome();
  kept = recovery.get();
  std::atexit(rescueAtExit);
  const int code = QApplication::exec();
  kept = nullptr;
  return code;
}
