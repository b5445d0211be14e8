// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings.h"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>

namespace tfm::ui {
namespace {

constexpr int kRecentFiles = 10;

/// A lesson is known by its file, wherever its folder has moved.
QString lessonKey(const QString& path) { return "lessons/" + QFileInfo(path).fileName(); }

}  // namespace

Theme Settings::theme() const {
  const int stored = store_.value("look/theme", int(Theme::Dark)).toInt();
  return Theme(std::clamp(stored, int(Theme::Dark), int(Theme::HighContrast)));
}
void Settings::setTheme(Theme theme) { store_.setValue("look/theme", int(theme)); }

double Settings::scale() const { return store_.value("look/scale", 1.0).toDouble(); }
void Settings::setScale(double scale) { store_.setValue("look/scale", scale); }

bool Settings::motion() const { return store_.value("look/motion", true).toBool(); }
void Settings::setMotion(bool motion) { store_.setValue("look/motion", motion); }

int Settings::screen() const { return store_.value("window/screen", 1).toInt(); }
void Settings::setScreen(int screen) { store_.setValue("window/screen", screen); }

QByteArray Settings::geometry() const { return store_.value("window/geometry").toByteArray(); }
void Settings::setGeometry(const QByteArray& geometry) {
  store_.setValue("window/geometry", geometry);
}

QByteArray Settings::zones() const { return store_.value("window/zones").toByteArray(); }
void Settings::setZones(const QByteArray& zones) { store_.setValue("window/zones", zones); }

QString Settings::pluginFolder() const { return store_.value("devices/folder").toString(); }
void Settings::setPluginFolder(const QString& folder) { store_.setValue("devices/folder", folder); }

QStringList Settings::recentFiles() const {
  QStringList files = store_.value("files/recent").toStringList();
  files.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
  return files;
}

bool Settings::welcomed() const { return store_.value("welcomed").toBool(); }
void Settings::setWelcomed() { store_.setValue("welcomed", true); }

QString Settings::lessonProgress(const QString& path) const {
  return store_.value(lessonKey(path)).toString();
}
void Settings::setLessonProgress(const QString& path, const QString& json) {
  store_.setValue(lessonKey(path), json);
}

void Settings::addRecentFile(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(whole);
  files.prepend(whole);
  store_.setValue("files/recent", files.mid(0, kRecentFiles));
}

QString Settings::reportPath() const {
  return QFileInfo(store_.fileName()).dir().filePath(QStringLiteral("report.html"));
}

}  // namespace tfm::ui
