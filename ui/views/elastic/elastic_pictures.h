// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/document/forward.h"
#include "ui/elastic/forward.h"
#include "ui/figure/forward.h"
#include "ui/scene/forward.h"
#include "ui/style/forward.h"
#include "ui/views/elastic/elastic_shown.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The matrices with the part of the chosen submodel, of one layer or of all in 3-D, below the
/// slider for the width of all layers.
class ElasticPictures : public QWidget {
  Q_OBJECT

 public:
  using Look = ElasticShown::Look;

  ElasticPictures(const Style& style, SubmodelExplorer& explorer, QWidget* parent = nullptr);

  NestedFrames& frames() const { return *frames_; }
  MatrixWall& space() const { return *space_; }
  WidthSlider& slider() const { return *slider_; }
  /// The hovered or locked cell in words, else a hint.
  const QLabel& cellWords() const { return *cell_; }
  /// The choices of layer and look, for the tools of the panel.
  QComboBox* layers() const { return layers_; }
  Segmented* looks() const { return looks_; }

  QWidget* picture() const;
  const Figure* figure() const;
  int layer() const { return layer_; }
  Look look() const { return showsSpace() ? Look::Space : Look::Matrices; }

  void showLook(Look look);
  void showLayer(int layer);
  /// The model, its granularities or what is shown of them changed.
  void showModel();
  /// Its parameters changed.
  void showState();
  void showChoice();

 signals:
  void lookShown();
  void layerShown(int layer);

 private:
  bool showsSpace() const;
  void showCell();
  /// Chooses a width for all layers that are so wide.
  void chooseAll(int width);
  /// Chooses a width for the shown layer.
  void chooseOne(int width);

  SubmodelExplorer& explorer_;
  int layer_ = 0;
  QComboBox* layers_;
  Segmented* looks_;
  QStackedWidget* pictures_;
  NestedFrames* frames_;
  MatrixWall* space_;
  WidthSlider* slider_;
  QLabel* cell_;
};

}  // namespace tfm::ui
