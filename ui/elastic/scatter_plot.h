// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/plots/forward.h"
#include "ui/plots/point_plot.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The plot of an AccuracyScatter. Its points are the marks, cheapest first. A card describes the
/// mark under the pointer, else the current one.
class ScatterPlot : public PointPlot {
  Q_OBJECT

 public:
  /// A mark whose name is shown, and the place of the name.
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
  /// Whether the accuracies count positions, not answers.
  bool countsPositions() const;
  /// Whether a mark has error bars: Mix'n'Match only if there are few, since many would cover the
  /// plot.
  bool hasInterval(const ElasticMark& mark) const;
  /// The names of the trained granularities, placed so that they cover other marks as little as
  /// possible.
  std::vector<Name> names() const;
  QString yTitle() const;
  QPointF placeOf(int mark) const override;

  QSizeF figureSize() const override;
  /// Empty: AccuracyScatter provides the data.
  DataTable figureData() const override { return {}; }
  QSize minimumSizeHint() const override;

 protected:
  int itemCount() const override { return int(marks_.size()); }
  QString itemText(int mark) const override;
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void arrange(const PlotLook& look) const override;
  /// None, since the card shows the same.
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

  /// Shows marks, new ones or the same after a change of axes.
  void present(std::vector<ElasticMark> marks);
  void makeSeries();
  /// Returns the series, which is created if needed.
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
