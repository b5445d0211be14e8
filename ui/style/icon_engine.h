// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QIconEngine>
#include <QPointer>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The SVG in the resource `path` with `currentColor` replaced. Throws std::logic_error if there is
/// none.
QByteArray colouredSvg(const QString& path, const QColor& colour);

/// Draws a line icon at any size in the text colour. It queries the style on each paint, so icons
/// follow the theme.
class IconEngine : public QIconEngine {
 public:
  /// A valid `colour` is used in all themes.
  IconEngine(const Style& style, QString path, QColor colour = {});

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
  QIconEngine* clone() const override;

 private:
  QColor colourFor(QIcon::Mode mode) const;

  QPointer<const Style> style_;
  QString path_;
  QColor colour_;
};

}  // namespace tfm::ui
