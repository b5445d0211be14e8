// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <algorithm>
#include <thread>

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
  QApplication application(argc, argv);
  QApplication::setApplicationName("Transformarium");
  QApplication::setOrganizationName("Transformarium");
  QApplication::setApplicationVersion(TFM_VERSION);

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QApplication::translate("main", "Trains small transformers in front of you."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("file", QApplication::translate("main", "Document to open."),
                               "[file]");
  const QCommandLineOption tour_option(
      "tour", QApplication::translate("main", "Play the main job by itself and save pictures."),
      QApplication::translate("main", "folder"));
  parser.addOption(tour_option);
  parser.process(application);
  const bool touring = parser.isSet(tour_option);

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
  const QStringList files = parser.positionalArguments();
  window.openDemonstration();  // stays where the file cannot be opened
  if (!files.isEmpty()) window.openFile(files.front());
  window.show();

  if (!touring) return QApplication::exec();
  QApplication::processEvents();
  const double startup = double(since_start.elapsed());
  return Tour(window, document, style, parser.value(tour_option), startup).play();
}
