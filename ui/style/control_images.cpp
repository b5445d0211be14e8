// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/control_images.h"

#include <QFile>

#include "ui/style/icon_engine.h"

namespace tfm::ui {

QString ControlImages::path(const QString& name, const QColor& colour) const {
  const QString path = folder_.filePath(name + '-' + colour.name().mid(1) + ".svg");
  QFile file(path);
  if (!file.exists() && file.open(QIODevice::WriteOnly))
    file.write(colouredSvg(":/controls/" + name + ".svg", colour));
  return path;
}

}  // namespace tfm::ui
