// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/model_state.h"
#include "ui/document/forward.h"
#include "ui/document/selection.h"
#include "ui/plots/redraw_timer.h"
#include "ui/scene/forward.h"
#include "ui/scene/matrix_slab.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// What the Matrices screen shows, as a value. The locked number is in the Selection.
struct MatricesShown {
  int view = 0;  ///< a WallView; -1: turned by hand
};
std::vector<io::Field> fieldsOf(MatricesShown& shown);

/// The Matrices screen: all parameter matrices in 3-D, updated during training.
class MatricesView : public View {
  Q_OBJECT

 public:
  MatricesView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  MatrixWall& wall() { return *wall_; }

 protected:
  Need need() const override { return {.parameters = true}; }
  void shown() override { showValues(); }
  QWidget* picture() const override;

 private:
  QWidget* makeInspector();
  /// Selects the button of the current saved camera.
  void showView();
  /// Adds the wall's keys as shortcuts of the screen.
  void addKeys();
  void showModel();
  void showValues();
  void showSentence();
  void showCell();
  /// The picked cell, else the one under the pointer.
  std::optional<CellRef> shownCell() const;
  /// Picks another cell of the shown row.
  void pickInRow(int col);
  /// The number of the model that a cell shows.
  ChosenWeight weightAt(const CellRef& cell) const;
  /// Tells other views which number is picked, and picks the one that they lock or frames the head.
  void choose();
  void followChoice();
  /// The part of a slab that belongs to a head, if it has one.
  void addHead(std::vector<SlabFrame>& frames, int slab, int head) const;
  /// The picked cell as the target of an intervention.
  std::string target(const CellRef& cell) const;
  /// Puts the number typed for the picked cell in force.
  void edit();
  double pickedValue() const;
  void showEdit();

  Style& style_;
  ModelDocument& document_;
  Panel* panel_;
  MatrixWall* wall_;
  Segmented* views_;
  RedrawTimer redraw_;  ///< software rendering takes time from training
  std::optional<CellRef> hovered_;
  QWidget* inspector_;
  PinChip* kept_;
  QLabel* name_;
  QLabel* place_;
  NamedNumber* value_;
  NamedNumber* norm_;
  QLabel* row_words_;
  ValueStrip* row_;
  QLabel* edit_words_;
  ValueLine* edit_;
  QLabel* edit_problem_;
};

}  // namespace tfm::ui
