// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// Several small figures one below the other or abreast, as one figure. The name of each, if it has
/// one, is above it.
class FigureStack : public Figure {
 public:
  enum class Direction { Down, Abreast };

  explicit FigureStack(Direction direction = Direction::Down) : direction_(direction) {}

  void setTitle(const QString& title) { title_ = title; }
  /// Not owned.
  void setParts(std::vector<const Figure*> parts) { parts_ = std::move(parts); }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// The parts' tables, which must have the same columns, after a column that names the part.
  DataTable figureData() const override;

 private:
  Direction direction_;
  QString title_;
  std::vector<const Figure*> parts_;
};

}  // namespace tfm::ui
