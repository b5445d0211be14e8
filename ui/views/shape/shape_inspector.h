// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/shape/model_shape.h"
#include "ui/views/shape/shape_pictures.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The right side of Shape: the chosen part of the picture, block-wise scaling, and what each layer
/// costs.
class ShapeInspector : public SideZone {
  Q_OBJECT

 public:
  explicit ShapeInspector(const Style& style, QWidget* parent = nullptr);

  ScalingPanel& scaling() const { return *scaling_; }
  /// The section with the cost of each layer.
  QWidget* costs() const;
  /// Shows the sections of this side; `groups`: whether the model can be scaled.
  void showSide(ShapeSide side, bool groups);
  void showCosts(const std::vector<observe::StackStage>& stages, std::int64_t flops);
  /// Shows what is pointed at, or `hint` if nothing is.
  void showChoice(const std::optional<ShapeChoice>& choice, bool locked, const QString& hint);

 signals:
  void unlockRequested();

 private:
  ScalingPanel* scaling_;
  Section* scaling_section_;
  Section* cost_section_;
  BarList* costs_;
  PinChip* kept_;
  QLabel* name_;
  QLabel* words_;
  ValueStrip* strip_;
};

}  // namespace tfm::ui
