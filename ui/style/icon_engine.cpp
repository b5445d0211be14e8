// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icon_engine.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>
#include <utility>

#include "core/base/check.h"
#include "ui/style/style.h"

namespace tfm::ui {

QByteArray colouredSvg(const QString& path, const QColor& colour) {
  QFile file(path);
  check(file.open(QIODevice::ReadOnly), "the icon is listed in resources.qrc");
  return file.readAll().replace("currentColor", colour.name().toLatin1());
}

IconEngine::IconEngine(const Style& style, QString path, QColor colour)
    : style_(&style), path_(std::move(path)), colour_(std::move(colour)) {}

QColor IconEngine::colourFor(QIcon::Mode mode) const {
  const Palette& palette = style_->palette();
  if (mode == QIcon::Disabled) return disabledText(palette);
  return colour_.isValid() ? colour_ : palette.text;
}

void IconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
  if (!style_) return;
  QSvgRenderer renderer(colouredSvg(path_, colourFor(mode)));
  renderer.setAspectRatioMode(Qt::KeepAspectRatio);
  renderer.render(painter, rect);
}

QPixmap IconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
  QPixmap image(size);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  paint(&painter, QRect(QPoint(), size), mode, state);
  return image;
}

QIconEngine* IconEngine::clone() const { return new IconEngine(*this); }

}  // namespace tfm::ui
