// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "ui/style/palette.h"

class QSettings;

namespace tfm::ui {

/// What is remembered from one start to the next.
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
  /// Newest first, at most ten; files that are gone are left out.
  QStringList recentFiles() const;
  void addRecentFile(const QString& path);

 private:
  QSettings& store_;
};

}  // namespace tfm::ui
