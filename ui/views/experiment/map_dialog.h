// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "core/observe/intervention.h"
#include "ui/document/background_study.h"
#include "ui/document/forward.h"
#include "ui/heatmap/forward.h"
#include "ui/heatmap/heat_data.h"
#include "ui/study/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Changes one part of the shown model after another and maps what that does. Measured in the
/// background; the map fills while it is. Not modal. Closing it while it runs cancels; closing it
/// again closes the window.
class MapDialog : public QDialog {
  Q_OBJECT

 public:
  StudyControls& run() { return *run_; }
  Segmented& measures() { return *measures_; }
  HeatMapView& map() { return *map_; }
  /// Shows it, and starts measuring where the model is so small that this takes a moment.
  void showMeasured();
  void reject() override;

 protected:
  /// `words`: of the button that starts it; `measures`: between which one can choose.
  MapDialog(const Style& style, ModelDocument& document, BackgroundStudy* study,
            const QString& title, const QString& words, const QStringList& measures,
            QWidget* parent);

  /// Starts the study.
  virtual void start() = 0;
  virtual void showMap() = 0;
  /// Shows what has been measured, if anything. `why_not`: why it cannot be; empty if it can.
  /// `choices`: what can be chosen while nothing runs.
  void showResult(const QString& why_not, std::initializer_list<QWidget*> choices,
                  std::optional<HeatMap> map);

  ModelDocument& document_;
  BackgroundStudy* study_;
  StudyControls* run_;
  Panel* panel_;
  Segmented* measures_;
  HeatMapView* map_;

 private:
  std::vector<observe::Intervention> in_force_;  ///< while it was measured
};

/// A map in which every cell is masked, as nothing is measured yet.
HeatMap maskedMap(int rows, int cols);
void setCell(HeatMap& map, int row, int col, double value);

}  // namespace tfm::ui
