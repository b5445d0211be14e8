// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "ui/forward.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// Settings that are kept between runs of the program.
class Settings {
 public:
  /// `store` must outlive this.
  explicit Settings(QSettings& store) : store_(store) {}

  Theme theme() const;
  void setTheme(Theme theme);
  double scale() const;
  void setScale(double scale);
  bool motion() const;
  void setMotion(bool motion);
  int screen() const;
  void setScreen(int screen);
  QByteArray geometry() const;
  void setGeometry(const QByteArray& geometry);
  QByteArray zones() const;
  void setZones(const QByteArray& zones);
  /// Another folder with plugins of devices; empty if there is none.
  QString pluginFolder() const;
  void setPluginFolder(const QString& folder);
  /// Newest first, at most ten; missing files are left out.
  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  /// Whether the ways to begin were shown.
  bool welcomed() const;
  void setWelcomed();
  /// How far one is in a lesson, as JSON; empty: not begun.
  QString lessonProgress(const QString& path) const;
  void setLessonProgress(const QString& path, const QString& json);
  /// The file of the report that is being made, beside the settings.
  QString reportPath() const;

 private:
  QSettings& store_;
};

}  // namespace tfm::ui
