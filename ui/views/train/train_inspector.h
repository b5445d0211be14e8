// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/observe/parameter_norms.h"
#include "ui/document/forward.h"
#include "ui/plots/forward.h"
#include "ui/plots/redraw_timer.h"
#include "ui/style/forward.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// Which norm of a ParameterNorm is shown.
enum class NormSide { Gradients, Values };

/// Groups parameters by block ("decoder 0 cross"), in order, each with the Euclidean norm of all
/// its numbers.
std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side);

/// The inspector of the Train screen: the learning rate on its schedule, and the gradient norm over
/// time and by block.
class TrainInspector : public SideZone {
  Q_OBJECT

 public:
  TrainInspector(Style& style, Training& training, Moments& moments, Observing& observing,
                 QWidget* parent = nullptr);

  LinePlot& schedule() { return *schedule_; }
  LinePlot& gradient() { return *gradient_; }
  BarList& blocks() { return *blocks_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refill();
  void append(int first);
  void showSchedule();
  void showNow();
  void showBlocks();
  QString titleOfBlocks() const;

  Training& training_;
  Moments& moments_;
  Observing& observing_;
  LinePlot* schedule_;
  LinePlot* gradient_;
  Segmented* side_;
  BarList* blocks_;
  QLabel* no_gradient_;  ///< shown instead of the blocks
  RedrawTimer now_;
  std::int64_t horizon_ = 0;  ///< last step of the schedule's curve
};

}  // namespace tfm::ui
