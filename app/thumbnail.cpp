// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/thumbnail.h"

#include <QApplication>
#include <QPixmap>
#include <iostream>

#include "core/base/error.h"
#include "core/document/document.h"
#include "core/expand/grow.h"
#include "core/io/message_text.h"
#include "ui/document/growth_planner.h"
#include "ui/growth/growth_wall.h"
#include "ui/style/style.h"
#include "ui/views/grow/growth_pictures.h"

namespace tfm {

int writeThumbnail(int& argc, char** argv, const QString& document, const QString& picture,
                   int side) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  try {
    ui::Style style(application);
    style.setTheme(ui::Theme::Light);
    const auto preview = std::make_shared<ui::GrowthPreview>();
    preview->before =
        std::make_shared<const ModelState>(train::openDocument(document.toStdString()).state);
    preview->matrices = expand::unchangedMatrices(preview->before);
    ui::GrowthWall wall(style);
    wall.setShowAll(true);
    wall.setMatrices(ui::cellsOf(preview));
    constexpr int kSide = 512;  // where its texts have their usual size
    wall.resize(kSide, kSide);
    const QPixmap drawn =
        wall.grab().scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    if (!drawn.save(picture, "PNG"))
      throw Error("the picture could not be written", picture.toStdString(),
                  "Choose a folder that can be written");
    return 0;
  } catch (const Error& error) {
    std::cerr << io::plainText(error.what()) << std::endl;
    return 1;
  }
}

}  // namespace tfm
