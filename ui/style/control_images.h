// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include "ui/style/palette.h"

namespace tfm::ui {

/// The images inside controls (arrows, check mark) in the colours of a theme. A style sheet can
/// only name files, so they are written to a temporary folder; without one only the images are
/// missing.
class ControlImages {
 public:
  /// The path of resources/controls/`name`.svg in `colour`, written on first use.
  QString path(const QString& name, const QColor& colour) const;

 private:
  QTemporaryDir folder_;
};

}  // namespace tfm::ui
