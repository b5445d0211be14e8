// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <deque>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/plots/redraw_timer.h"

namespace tfm::ui {

struct PlotLook;
class Style;

/// How the numbers of one layer or parameter group are distributed.
struct HistogramRow {
  QString name;
  std::vector<float> counts;  ///< numbers in equal bins from `low` to `high`
  double low = 0, high = 1;
  double norm = 0;  ///< Euclidean norm of all the numbers
};

/// Small multiples of histograms, one cell a group. The last few snapshots stand behind one
/// another, the newest in front and strongest. Bars below zero are orange, above blue, as
/// everywhere.
///
/// Arrows move between the cells, Return or a click opens one.
class BarHistogram : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit BarHistogram(Style& style, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Adds the histograms of `step`; the names of the newest snapshot decide which cells there are.
  void addSnapshot(double step, std::vector<HistogramRow> rows);
  void clearSnapshots();
  int currentRow() const { return current_; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 signals:
  void rowActivated(const QString& name);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Snapshot {
    double step;
    std::vector<HistogramRow> rows;
  };

  int rowCount() const;
  int columnsIn(double width) const;
  QRectF cell(int index, const QRectF& area) const;
  int rowAt(const QPointF& place) const;
  void paint(QPainter& painter, const QRectF& area, const PlotLook& look) const;
  void paintCell(QPainter& painter, const QRectF& box, const HistogramRow& row,
                 const PlotLook& look) const;
  void moveTo(int row);
  void describe();

  Style& style_;
  RedrawTimer redraw_;
  QString title_;
  std::deque<Snapshot> snapshots_;  // oldest first
  int current_ = 0;
};

}  // namespace tfm::ui
