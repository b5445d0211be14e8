// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <memory>
#include <vector>

#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// The logit lens as a table: what the model would answer after its input and after each of its
/// blocks, at every position, coloured by the probability. The first row is the input's.
class FlowLens : public CellGrid {
  Q_OBJECT

 public:
  explicit FlowLens(const Style& style, QWidget* parent = nullptr);

  /// Shows the lens of a run, or nothing.
  void setRun(const std::shared_ptr<FlowRun>& run);
  /// The column of the output that is likeliest in a cell.
  std::int64_t tokenAt(const Cell& cell) const;
  const std::vector<observe::LensAnswer>& answers() const { return answers_; }

  int itemCount() const override { return rows() * columnCount(); }
  QString itemText(int item) const override;
  QString figureTitle() const override { return tr("Logit lens"); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override { return {style().px(240), style().px(120)}; }

 protected:
  int columnCount() const override;
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;

 private:
  int rows() const { return int(answers_.size()); }
  QString tokenText(std::int64_t token) const;
  QString rowText(int row) const;
  double probability(const Cell& cell, std::int64_t token) const;
  CellPlaces placesIn(double width, double unit) const;
  void paintTable(QPainter& painter, const CellPlaces& places, double unit,
                  const Palette& palette) const;

  std::vector<observe::LensAnswer> answers_;
  QStringList tokens_, positions_, blocks_;
  CellPlaces places_;
};

}  // namespace tfm::ui
