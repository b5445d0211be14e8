// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/shape/model_shape.h"
#include "ui/views/shape/shape_pictures.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// What the Shape screen shows, as a value.
struct ShapeShown {
  std::string model;  ///< a preset; "": the open one
  ShapeSide side = ShapeSide::Length;
  bool decoder = false;
};
std::vector<io::Field> fieldsOf(ShapeShown& shown);

/// The Shape screen: how the length of the sequence and the width of the states change on their way
/// through the model, with its real states; or the outlines of any preset.
class ShapeView : public View {
  Q_OBJECT

 public:
  ShapeView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  void showSide(ShapeSide side);
  void showStack(Stack stack);
  /// Shows a preset's outlines; "": the open model.
  void showPreset(const std::string& name);
  /// Whether all of what is shown has been computed.
  bool isReady() const { return shape_.has_value() && !job_.isBusy(); }

  ShapePictures& pictures() { return *pictures_; }
  ScalingPanel& scaling() const;

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

  void connectAll();
  bool showsOpenModel() const;
  /// The model whose shape is shown; none where nothing is open.
  std::optional<ModelConfig> model() const;
  /// Another model: chooses what there is to see.
  void takeModel();
  void computeShape();
  void takeShape(Shaped result);
  /// Labels of the positions that the stack reads; none of outlines.
  QStringList tokens() const;
  void takeSnapshot();
  void showShape();
  void showValues();
  void showChoice();
  void start();
  Stack stack() const;

  ModelDocument& document_;
  LatestJob job_{this};
  std::optional<ModelShape> shape_;
  std::optional<ModelConfig> draft_;  ///< with a scaling of the user's
  bool chosen_side_ = false;          ///< by the user, for this model

  Panel* panel_;
  Segmented* sides_;
  Segmented* stacks_;
  QComboBox* models_;
  ShapePictures* pictures_;
  ShapeInspector* inspector_;
};

}  // namespace tfm::ui
