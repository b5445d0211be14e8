// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/widgets/figure_widget.h"
#include "ui/widgets/side_counts.h"

namespace tfm::ui {

/// The distribution of examples over named groups: for each group and side a bar with its share,
/// and count and share as numbers. The largest share fills the width.
class ShareBars : public FigureWidget {
  Q_OBJECT

 public:
  explicit ShareBars(const Style& style, QWidget* parent = nullptr);

  /// Every side must have one count per group.
  void setGroups(QStringList groups, std::vector<SideCounts> sides);

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return static_cast<int>(groups_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  double groupHeight() const;

  QStringList groups_;
  std::vector<SideCounts> sides_;
};

}  // namespace tfm::ui
