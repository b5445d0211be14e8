// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/elastic/elastic_point.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace tfm::ui {

class SubmodelExplorer;
class Style;
class StudyRun;
class StudySizes;

/// "Trained separately": each granularity as a model of its own, beside the nested one, and what
/// came out.
class TwinsPanel : public QWidget {
  Q_OBJECT

 public:
  TwinsPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent = nullptr);

  /// The separately trained models that are measured so far; none unless they are the sizes of the
  /// model that is shown and were trained for as many steps.
  std::vector<ElasticPoint> points() const;
  /// Steps of each run that are proposed while the user has chosen none.
  void propose(std::int64_t steps);
  QPushButton* startButton() const;
  QSpinBox& steps();
  QSpinBox& seeds();
  QString outcome() const;
  /// Why what came out is not on the plot; empty where it is, and before there is anything.
  QString notPlotted() const;

 signals:
  /// points() are others.
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
  StudyRun* run_;
  QLabel* outcome_;
  QLabel* not_plotted_;
};

}  // namespace tfm::ui
