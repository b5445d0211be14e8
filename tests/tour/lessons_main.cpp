// SPDX-License-Identifier: GPL-3.0-or-later
// transformarium-lessons FOLDER [projector] [no-pictures] [NAME...]: plays all lessons, or those
// whose file names begin with NAME, in the window, and saves a picture of each page in FOLDER, as
// it opens and when it is done. Exit codes: 0 all pages were done, 1 some were not, 2 wrong usage.
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <algorithm>

#include "tests/tour/lesson_robot.h"
#include "tests/tour/robot.h"
#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/main_window.h"
#include "ui/window/settings.h"

int main(int argc, char** argv) {
  using namespace tfm::ui;
  QApplication application(argc, argv);
  QStringList names = QCoreApplication::arguments().mid(1);
  if (names.isEmpty()) {
    QTextStream(stderr)
        << "Usage: transformarium-lessons FOLDER [projector] [no-pictures] [NAME...]\n";
    return 2;
  }
  const QDir folder(names.takeFirst());
  const bool pictures = names.removeAll(QStringLiteral("no-pictures")) == 0;
  const bool projector = names.removeAll(QStringLiteral("projector")) > 0;
  folder.mkpath(".");
  // The user's settings are neither read nor changed.
  const QTemporaryDir forgotten;
  QSettings store(forgotten.filePath("settings.ini"), QSettings::IniFormat);
  Settings settings(store);
  Style style(application);
  style.setTheme(settings.theme());
  QFile text(forgotten.filePath("mine.txt"));
  if (!text.open(QIODevice::WriteOnly)) return 1;
  for (int line = 0; line < 60; ++line) text.write("the quick brown fox jumps over the lazy dog\n");
  text.close();

  ModelDocument document(1);
  MainWindow window(style, document, settings);
  window.setUnattended(true);
  window.openDemonstration();
  window.show();
  if (projector) Robot::shortcut(window, Qt::Key_F5);
  QTextStream out(stdout);
  int failed = 0;
  const auto check = [&](const QString& problem, const QString& where) {
    if (problem.isEmpty()) return;
    ++failed;
    out << "failed: " << where << ": " << problem << Qt::endl;
  };
  check(LessonRobot::missingDeeds().join(", "), "checks without a deed");
  const auto picture = [&](const QString& name) {
    if (!pictures) return;
    Robot::wait(0.3);  // for the next repaint
    check(window.grab().save(folder.filePath(name + ".png")) ? "" : "cannot be written", name);
  };
  LessonRobot robot(window, document, text.fileName());
  for (const LessonGuide::Row& lesson : LessonGuide::shipped()) {
    const QString file = QFileInfo(lesson.path).fileName().section('.', 0, 0);
    const auto begins = [&](const QString& name) { return file.startsWith(name); };
    if (!names.isEmpty() && std::ranges::none_of(names, begins)) continue;
    QElapsedTimer clock;
    clock.start();
    check(window.openLesson(lesson.path) ? "" : "does not open", lesson.path);
    LessonPanel& panel = window.lessons().panel();
    const auto pages = std::ssize(panel.lesson().pages);
    for (std::int64_t page = 0; page < pages; ++page) {
      panel.goTo(page);
      const QString name = QString("%1-%2").arg(file).arg(page + 1, 2, 10, QChar('0'));
      picture(name);
      check(robot.doPage(), name);
      if (panel.page().asks()) picture(name + "-done");
    }
    out << lesson.title << ": " << pages << " pages, " << double(clock.elapsed()) / 1e3 << " s"
        << Qt::endl;
    document.interventions().clear();
    window.lessons().close();
  }
  return failed == 0 ? 0 : 1;
}
