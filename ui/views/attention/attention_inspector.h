// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/figure/figure_stack.h"
#include "ui/figure/forward.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/heat_data.h"
#include "ui/style/forward.h"
#include "ui/views/attention/attention_cell.h"
#include "ui/views/attention/attention_maps.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

/// The cell to inspect.
struct InspectedCell {
  const AttentionMaps& maps;
  AttentionChoice choice;
  const HeatMap& map;  ///< as it is shown: a stage, or a difference
  Cell cell;
  bool locked = false;
  std::vector<int> rows = {};            ///< selected rows, to be averaged
  const AttentionMaps* minus = nullptr;  ///< the subtrahend, if the map is a difference
};

/// Shows how a cell is computed: query and key, their products, the sum, the mask, the softmax of
/// the row, and what it means, all in the engine's numbers. For a difference: both numbers, and
/// what increased and decreased in the row's softmax.
class AttentionInspector : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionInspector(const Style& style, QWidget* parent = nullptr);

  void inspect(const InspectedCell& inspected);
  /// Shows no cell.
  void clear();

 signals:
  /// The user removed the pin.
  void unlockRequested();
  /// A bar of the row was clicked.
  void columnChosen(int col);

 private:
  QWidget* makeStrips();
  QLabel* makeSection(const QString& name);
  QFrame* makeCard(std::initializer_list<Part> parts);
  void showPlace(const InspectedCell& inspected);
  void showProduct(const InspectedCell& inspected);
  void showHeads(const InspectedCell& inspected);
  void showBoth(const InspectedCell& inspected);
  /// `softmax`: of all rows, or its difference.
  void showRow(const InspectedCell& inspected, const std::vector<float>& softmax);
  void showTerms();
  void updateSizes();

  const Style& style_;
  FigureStack figure_;
  bool in_order_ = false;     ///< products by index instead of by size
  AttentionCell product_;     ///< the cell whose terms are shown
  std::vector<int> columns_;  ///< of the row's bars

  CornerMenu* menu_;
  QLabel* hint_;
  QLabel* place_;
  QLabel* number_;
  QLabel* caption_;
  QLabel* keep_;
  PinChip* pin_;
  QLabel* product_name_;
  QToolButton* order_;
  QWidget* strips_ = nullptr;
  ValueStrip* query_strip_;
  ValueStrip* key_strip_;
  BarList* terms_;
  QLabel* row_name_;
  BarList* row_;
  QLabel* text_;
  QFrame* product_card_;
  QWidget* content_;
  std::vector<QBoxLayout*> cards_;
  std::vector<QLabel*> sections_;
};

}  // namespace tfm::ui
