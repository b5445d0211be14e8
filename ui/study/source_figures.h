// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/reproduce/source.h"
#include "ui/document/background_study.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace tfm::ui {

class DrawingPlot;
class Panel;
class StudyControls;
class Style;

/// A figure as it is computed.
struct ComputedFigure {
  reproduce::Drawing drawing;
  std::vector<reproduce::Series> learned;  ///< of a figure that trains
};
using FigureStudy = MapStudy<ComputedFigure>;

/// The figures of a source document, drawn from the live model in the background. One that needs
/// training shows stored curves, and can be trained again.
class SourceFigures : public QWidget {
  Q_OBJECT

 public:
  explicit SourceFigures(Style& style, QWidget* parent = nullptr);

  /// Shows the document's first figure.
  void setSource(const reproduce::Source& source);
  /// Chooses a figure by its name; others are ignored.
  void choose(const std::string& name);
  const reproduce::Picture& picture() const;
  /// Ends a training.
  void cancel();

  QComboBox& names() { return *names_; }
  DrawingPlot& plot() { return *plot_; }
  FigureStudy& study() { return *study_; }
  StudyControls& run() { return *run_; }
  /// Where the numbers come from.
  QLabel& origin() { return *origin_; }
  const std::vector<QSpinBox*>& choices() const { return choices_; }

 private:
  void makeChoices();
  /// Computes a figure that does not train, or shows what is known of one that does.
  void refresh();
  void train();
  void showResult();
  void showKnown();

  const reproduce::Source* source_ = nullptr;
  std::vector<reproduce::Picture> pictures_;
  FigureStudy* study_;
  Panel* panel_;
  QComboBox* names_;
  QHBoxLayout* choice_row_;
  std::vector<QSpinBox*> choices_;
  DrawingPlot* plot_;
  QLabel* origin_;
  StudyControls* run_;
  std::map<std::string, std::vector<reproduce::Series>> learned_;  ///< by source and training
  std::string running_;       ///< the training or figure that the study computes
  bool out_of_date_ = false;  ///< compute again when the study has ended
};

}  // namespace tfm::ui
