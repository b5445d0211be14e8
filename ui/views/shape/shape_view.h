// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <optional>

#include "core/base/error.h"
#include "ui/document/latest_job.h"
#include "ui/forward.h"
#include "ui/views/shape/model_shape.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// The Shape screen: how the length of the sequence and the width of the states change on their way
/// through the model, with its real states; or the outlines of any preset.
class ShapeView : public View {
  Q_OBJECT

 public:
  enum class Side { Length, Width };

  ShapeView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  void showSide(Side side);
  Side side() const;
  void showStack(Stack stack);
  /// Shows a preset's outlines; "": the open model.
  void showPreset(const std::string& name);
  /// Whether all of what is shown has been computed.
  bool isReady() const { return shape_.has_value() && !job_.isBusy(); }

  LengthBand& band() { return *band_; }
  WidthStrands& strands() { return *strands_; }
  ScalingPanel& scaling() { return *scaling_; }

 signals:
  void failed(const tfm::Error& problem);
  /// The chosen shape became a new run.
  void started();

 protected:
  Need need() const override;
  void shown() override;
  QWidget* picture() const override;

 private:
  struct Shaped {
    std::optional<ModelShape> shape;
    std::optional<Error> problem;
  };

  QWidget* makeInspector();
  void connectAll();
  bool showsOpenModel() const;
  /// The model whose shape is shown; none where nothing is open.
  std::optional<ModelConfig> model() const;
  BatchShape batchFor(const ModelConfig& model) const;
  /// Another model: chooses what there is to see.
  void takeModel();
  void computeShape();
  void takeShape(Shaped result);
  /// Labels of the positions that the stack reads; none of outlines.
  QStringList tokens() const;
  void takeSnapshot();
  void showShape();
  void showValues();
  void showCosts();
  /// How many keys a position of this stage attends to, as a sentence with a space before it.
  QString asked(const observe::StackStage& stage) const;
  void showChosen();
  void start();
  Stack stack() const;
  CellGrid& grid() const;
  const std::vector<observe::StackStage>& stages() const { return shape_->stages(stack()); }

  Style& style_;
  ModelDocument& document_;
  LatestJob job_{this};
  std::optional<ModelShape> shape_;
  std::optional<ModelConfig> draft_;  ///< with a scaling of the user's
  bool chosen_side_ = false;          ///< by the user, for this model

  Panel* panel_;
  Segmented* sides_;
  Segmented* stacks_;
  QComboBox* models_;
  QStackedWidget* pictures_;
  LengthBand* band_;
  WidthStrands* strands_;
  ScalingPanel* scaling_;
  Section* scaling_section_;
  Section* cost_section_;
  BarList* costs_;
  PinChip* kept_;
  QLabel* name_;
  QLabel* words_;
  ValueStrip* strip_;
  QWidget* inspector_;
};

}  // namespace tfm::ui
