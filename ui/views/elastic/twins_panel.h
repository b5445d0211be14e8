// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/document/forward.h"
#include "ui/elastic/elastic_mark.h"
#include "ui/study/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// "Trained separately": trains each granularity as a separate model, and the nested one, and
/// shows the results.
class TwinsPanel : public QWidget {
  Q_OBJECT

 public:
  TwinsPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent = nullptr);

  /// The separately trained models measured so far; none unless they match the sizes and steps of
  /// the model that is shown.
  std::vector<ElasticPoint> points() const;
  /// Proposes the number of steps until the user chooses one.
  void propose(std::int64_t steps);
  QPushButton* startButton() const;
  QSpinBox& steps();
  QSpinBox& seeds();
  QString outcome() const;
  /// Why the results are not on the plot; empty if they are or there are none.
  QString notPlotted() const;

 signals:
  /// points() changed.
  void changed();

 private:
  void start();
  void showState();
  void showOutcome();
  void showPlotted();
  std::vector<ElasticPoint> twins() const;
  QString whyNotPlotted() const;

  SubmodelExplorer& explorer_;
  StudySizes* sizes_;
  bool chosen_ = false;
  StudyControls* run_;
  QLabel* outcome_;
  QLabel* not_plotted_;
};

}  // namespace tfm::ui
