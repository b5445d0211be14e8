// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The data of a figure as written to a CSV file: full precision, decimal points.
struct DataTable {
  QStringList columns;
  std::vector<QStringList> rows;
};

/// A number with enough digits to read back the same value.
inline QString fullPrecision(double value) {
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

/// Something on screen that can be exported. Every view is a Figure, so all export the same way.
class Figure {
 public:
  virtual ~Figure() = default;

  /// What the figure shows, e.g. "Decoder looks at encoder, head 4". Written above the exported
  /// figure.
  virtual QString figureTitle() const = 0;
  /// The natural size in pixels at 96 dpi, without the title.
  virtual QSizeF figureSize() const = 0;
  /// Draws everything that explains the figure (axes, labels, legend) with vector operations. The
  /// painter is antialiased; whoever goes on with it saves it.
  virtual void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const = 0;
  /// The numbers shown.
  virtual DataTable figureData() const = 0;
};

}  // namespace tfm::ui
