// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include "ui/style/palette.h"

namespace tfm::ui {

/// The small drawings inside controls (arrows, check mark) in the colours of a theme. A style sheet
/// can only name files, so they are written to a temporary folder; without one the controls work
/// and merely lack the drawings.
class ControlImages {
 public:
  /// The file of resources/controls/`name`.svg in `colour`, written when it is first asked for.
  QString path(const QString& name, const QColor& colour) const;

 private:
  QTemporaryDir folder_;
};

}  // namespace tfm::ui
