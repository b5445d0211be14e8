// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/model/delight_layers.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/shape/scaling_chart.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Block-wise scaling: a chart whose ends can be dragged, the same as numbers, what the model then
/// costs, and a button that trains it.
class ScalingPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ScalingPanel(const Style& style, QWidget* parent = nullptr);

  /// Shows the scaling of a model with DExTra units, without a signal; none hides all.
  void setModel(const std::optional<ModelConfig>& model);
  /// The numbers of the shown scaling; null while they are computed.
  void setCost(const ModelShape* shape);
  /// Why the shown model cannot be built or trained; empty: it can.
  void setProblem(const QString& problem);

  const DelightScaling& scaling() const { return scaling_; }
  ScalingChart& chart() { return *chart_; }
  QSpinBox& leastBox() { return *least_; }
  QSpinBox& mostBox() { return *most_; }
  QPushButton& startButton() { return *start_; }
  QString parameters() const;

 signals:
  /// The user chose another scaling().
  void scalingChanged();
  void startRequested();

 private:
  void choose(DelightScaling scaling);
  void showScaling(const DelightScaling& scaling);

  DelightScaling scaling_;
  std::int64_t blocks_ = 0;
  ScalingChart* chart_;
  QSpinBox *least_, *most_;
  QDoubleSpinBox* width_;
  NamedNumber *parameters_, *flops_, *depth_;
  QLabel* problem_;
  QPushButton* start_;
};

}  // namespace tfm::ui
