// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/expand/change.h"
#include "ui/growth/animation_export.h"
#include "ui/growth/grown_cells.h"

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace tfm::ui {

class Figure;
class GrowthLegend;
class GrowthMap;
struct GrowthPreview;
class GrowthWall;
class MatrixWall;
class PlanEditor;
class Style;

/// The matrices of a preview, which keeps owning their numbers.
std::vector<GrownCells> cellsOf(const std::shared_ptr<const GrowthPreview>& preview);

/// The matrices of the model and of what is planned, in one of three looks: all of them, one, or in
/// space.
class GrowthPictures : public QWidget {
  Q_OBJECT

 public:
  enum class Look { All, One, Space };

  GrowthPictures(Style& style, const PlanEditor& plan, QWidget* parent = nullptr);

  GrowthWall& wall() const { return *wall_; }
  MatrixWall& space() const { return *space_; }
  GrowthLegend& legend() const { return *legend_; }
  /// "Show all", for the tools of the panel.
  QPushButton* allButton() const { return all_; }
  Look look() const;
  QWidget* picture() const;
  const Figure* figure() const;
  /// Makes a painter of film frames of a growth in the current look: all matrices, the selected
  /// one, or 3-D with the current camera. Only the style must outlive it.
  FramePainter film(const std::shared_ptr<const GrowthPreview>& growth, const QString& title,
                    const QSize& frame) const;

  void showLook(Look look);
  /// Brings the matrices of the selected growth into view where others are shown than before.
  void showMatrices(std::shared_ptr<const GrowthPreview> preview, const QString& title);
  const std::shared_ptr<const GrowthPreview>& shown() const { return shown_; }
  /// Brings the first matrix of the selected growth into view.
  void showSelected();
  /// From 0, as before, to 1, as grown.
  void setProgress(double progress);

 signals:
  /// What is to be said of the cell under the pointer, or of how to read one.
  void cellShown(const QString& words);
  /// An edge was dragged to where the selected growth has this size.
  void sizeDragged(std::int64_t size);

 private:
  void showMatrix(int matrix);
  void showCell(const QString& cell);
  void showSpace();
  void showTools();
  void showLegend();
  void listMatrices();
  void drag(Qt::Orientation along, int indices);
  /// How the selected growth enlarges this matrix; null if it does not.
  const expand::ParameterGrowth* grownBySelected(int matrix) const;
  /// The first shown matrix that the selected growth enlarges, else the first; -1: none.
  int firstOfSelected() const;
  /// The growth's size at which the shown matrix has this many rows or columns; none if the growth
  /// does not change their number.
  std::optional<std::int64_t> draggedSize(Qt::Orientation along, int indices) const;
  /// The edges of the matrix looked at that can be dragged.
  Qt::Edges draggable() const;

  const Style& style_;
  const PlanEditor& plan_;
  std::shared_ptr<const GrowthPreview> shown_;
  std::vector<GrownCells> cells_;       ///< of the preview that is shown
  std::optional<expand::Kind> led_to_;  ///< the growth whose matrices were last brought into view
  double progress_ = 1.0;

  QPushButton* all_;
  QComboBox* which_;  ///< of the matrices, where one is looked at
  QStackedWidget* looks_;
  GrowthWall* wall_;
  GrowthMap* map_;
  MatrixWall* space_;
  GrowthLegend* legend_;
};

}  // namespace tfm::ui
