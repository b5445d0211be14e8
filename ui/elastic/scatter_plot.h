// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/plots/point_plot.h"

class QCPErrorBars;
class QCPGraph;
class QCPItemText;
class QCPItemTracer;

namespace tfm::ui {

/// The plot of an AccuracyScatter. Its points are the marks, cheapest first: the one under the
/// pointer, else the current one, is told on a card.
class ScatterPlot : public PointPlot {
  Q_OBJECT

 public:
  /// The name of a mark and where it stands.
  struct Name {
    std::size_t mark;
    QRectF box;
  };

  explicit ScatterPlot(Style& style, QWidget* parent = nullptr);

  void setMarks(std::vector<ElasticMark> marks);
  /// Whether the accuracy is on examples not trained on.
  void setHeldOut(bool held_out);
  void setCostAxis(CostAxis axis);
  void setFromZero(bool from_zero);
  void setChosen(const std::optional<Submodel>& submodel);

  const std::vector<ElasticMark>& marks() const { return marks_; }
  /// The marks on the Pareto line, cheapest first.
  const std::vector<std::size_t>& front() const { return front_; }
  CostAxis costAxis() const { return axis_; }
  bool heldOut() const { return held_out_; }
  /// Not for a crowd of Mix'n'Match, whose bars would be a grey wall.
  bool hasInterval(const ElasticMark& mark) const;
  /// Of trained granularities, beside all marks where there is room.
  std::vector<Name> names() const;
  QString yTitle() const;
  QPointF placeOf(int mark) const override;

  QSizeF figureSize() const override;
  /// Nothing: the widget around it knows the points.
  DataTable figureData() const override { return {}; }
  QSize minimumSizeHint() const override;

 protected:
  int pointCount() const override { return int(marks_.size()); }
  QString pointText(int mark) const override;
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void arrange(const PlotLook& look) const override;
  /// The card says the same at once.
  QString toolTipAt(const QPointF&) const override { return {}; }

 private:
  /// Marks of one kind and size, or without marks a sample for the legend.
  struct Series {
    ElasticKind kind;
    int size;  ///< place of the granularity, -1 for any
    bool on_front;
    std::vector<std::size_t> marks;
    QCPGraph* graph;
    QCPErrorBars *spread = nullptr, *interval = nullptr;
  };

  /// Shows other marks, or the same ones otherwise.
  void present(std::vector<ElasticMark> marks);
  void makeSeries();
  /// The one there is, or a new one without marks.
  Series& seriesFor(ElasticKind kind, int size, bool on_front);
  void makeLegend();
  void findRanges();
  void dress(const Series& series, const PlotLook& look) const;
  void fill(const Series& series) const;
  /// Whether it is a separately trained model that is drawn beside its granularity.
  bool isTwin(const ElasticMark& mark) const;
  void paintWords(QPainter& painter) const;
  void showCard(const PlotLook& look) const;

  std::vector<ElasticMark> marks_;
  QStringList names_;  ///< of the granularities, smallest first
  std::vector<std::size_t> front_;
  CostAxis axis_ = CostAxis::Parameters;
  bool from_zero_ = false, held_out_ = true, crowded_ = false;
  std::optional<Submodel> chosen_;
  AxisRange all_x_, all_y_;
  std::vector<Series> series_;
  mutable std::vector<double> keys_;  ///< of the marks on the x axis
  QCPGraph* line_ = nullptr;          ///< the Pareto line
  QCPItemTracer* ring_;               ///< around the chosen one
  QCPItemText* card_;
};

}  // namespace tfm::ui
