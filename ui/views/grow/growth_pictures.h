// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expand/change.h"
#include "ui/document/forward.h"
#include "ui/figure/forward.h"
#include "ui/growth/animation_export.h"
#include "ui/growth/forward.h"
#include "ui/growth/grown_cells.h"
#include "ui/scene/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/grow/grow_shown.h"

namespace tfm::ui {

/// The matrices of a preview, which keeps owning their numbers.
std::vector<GrownCells> cellsOf(const std::shared_ptr<const GrowthPreview>& preview);

/// The matrices of the model and of the plan, in one of three looks: all of them, one of them, or
/// in 3-D.
class GrowthPictures : public QWidget {
  Q_OBJECT

 public:
  using Look = GrowShown::Look;

  GrowthPictures(Style& style, const PlanEditor& plan, QWidget* parent = nullptr);

  GrowthWall& wall() const { return *wall_; }
  MatrixWall& space() const { return *space_; }
  GrowthLegend& legend() const { return *legend_; }
  /// Shows the whole model, or the whole matrix.
  void fit();
  Look look() const;
  QWidget* picture() const;
  const Figure* figure() const;
  /// Makes a painter of film frames of a growth in the current look: all matrices, the selected
  /// one, or 3-D with the current camera. Only the style must outlive it.
  FramePainter film(const std::shared_ptr<const GrowthPreview>& growth, const QString& title,
                    const QSize& frame) const;

  void showLook(Look look);
  /// Shows a preview. Zooms to the matrices of the selected growth if others were shown before.
  void showMatrices(std::shared_ptr<const GrowthPreview> preview, const QString& title);
  const std::shared_ptr<const GrowthPreview>& shown() const { return shown_; }
  /// Zooms to the matrices of the selected growth; without one, shows the whole model.
  void showSelected();
  /// Selects the matrix of a parameter, if it is shown or among the next that are.
  void choose(const std::string& parameter);
  /// The parameter of the selected matrix; "" if there is none.
  std::string chosen() const;
  /// 0 shows the matrices before the growth, 1 after it.
  void setProgress(double progress);

 signals:
  /// The description of the cell under the pointer, or a hint if there is none.
  void cellShown(const QString& words);
  /// An edge was dragged; `size` is that of the selected growth at its new place.
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
  /// The matrices that the selected growth enlarges.
  std::vector<int> grownBySelected() const;
  /// The growth's size at which the shown matrix has this many rows or columns; none if the growth
  /// does not change their number.
  std::optional<std::int64_t> draggedSize(Qt::Orientation along, int indices) const;
  /// The draggable edges of the shown matrix.
  Qt::Edges draggable() const;

  const Style& style_;
  const PlanEditor& plan_;
  std::shared_ptr<const GrowthPreview> shown_;
  std::vector<GrownCells> cells_;       ///< of the preview that is shown
  std::optional<expand::Kind> led_to_;  ///< the growth whose matrices were last zoomed to
  std::string wanted_;                  ///< by choose(), of the next matrices
  double progress_ = 1.0;

  QComboBox* which_;  ///< chooses the matrix of Look::One
  QStackedWidget* looks_;
  GrowthWall* wall_;
  GrowthMap* map_;
  MatrixWall* space_;
  GrowthLegend* legend_;
};

}  // namespace tfm::ui
