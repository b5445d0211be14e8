// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/scaling_panel.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/views/shape/model_shape.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kMostMaps = 64;
constexpr double kLeastWidth = 0.5, kMostWidth = 16.0;

}  // namespace

ScalingPanel::ScalingPanel(const Style& style, QWidget* parent)
    : QWidget(parent),
      chart_(new ScalingChart(style)),
      least_(numberBox(style, tr("Grouped maps of the first block"), 2, kMostMaps, 4)),
      most_(numberBox(style, tr("Grouped maps of the last block"), 2, kMostMaps, 8)),
      width_(
          realBox(style, tr("Width of the first block, in hidden sizes"), kLeastWidth, kMostWidth)),
      parameters_(new NamedNumber(style, tr("parameters"))),
      flops_(new NamedNumber(style, tr("operations"))),
      depth_(new NamedNumber(style, tr("depth"))),
      problem_(wrappedLabel("bad")),
      start_(pushButton(tr("Train this"),
                        tr("Starts a new run of this model with the open task; Ctrl+Z brings back "
                           "the present one"),
                        "primary")) {
  width_->setSingleStep(0.25);
  depth_->setToolTip(
      tr("Layers one after the other: the grouped maps of each block and four more"));
  flops_->setToolTip(tr("Floating-point operations of a forward pass of one text of this length"));
  problem_->hide();

  auto* form = new QFormLayout;
  form->addRow(tr("N min"), least_);
  form->addRow(tr("N max"), most_);
  form->addRow(tr("w min"), width_);
  setLayout(columnOf({chart_, form, rowOf({parameters_, flops_, depth_}), problem_, start_}));

  connect(chart_, &ScalingChart::dragged, this, [this](ScalingEnd end, double value) {
    DelightScaling scaling = scaling_;
    if (end == ScalingEnd::Width)
      scaling.width = std::clamp(value, kLeastWidth, kMostWidth);
    else
      (end == ScalingEnd::Least ? scaling.least : scaling.most) =
          std::clamp<std::int64_t>(std::int64_t(value), 2, kMostMaps);
    // An end pushes the other along rather than passing it.
    if (end == ScalingEnd::Least) scaling.most = std::max(scaling.most, scaling.least);
    if (end == ScalingEnd::Most) scaling.least = std::min(scaling.least, scaling.most);
    choose(scaling);
  });
  connect(least_, &QSpinBox::valueChanged, this, [this](int value) {
    choose({value, std::max<std::int64_t>(scaling_.most, value), scaling_.width});
  });
  connect(most_, &QSpinBox::valueChanged, this, [this](int value) {
    choose({std::min<std::int64_t>(scaling_.least, value), value, scaling_.width});
  });
  connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
    choose({scaling_.least, scaling_.most, value});
  });
  connect(start_, &QPushButton::clicked, this, &ScalingPanel::startRequested);
}

void ScalingPanel::showScaling(const DelightScaling& scaling) {
  scaling_ = scaling;
  const QSignalBlocker quiet[]{QSignalBlocker(least_), QSignalBlocker(most_),
                               QSignalBlocker(width_)};
  least_->setValue(int(scaling.least));
  most_->setValue(int(scaling.most));
  width_->setValue(scaling.width);
  std::vector<DextraScale> scales =
      blockwiseScaling(scaling.least, scaling.most, scaling.width, blocks_);
  std::int64_t depth = 0;
  for (const DextraScale& scale : scales) depth += scale.depth + 4;
  depth_->setText(QString::number(depth));
  chart_->setScales(std::move(scales));
}

void ScalingPanel::choose(DelightScaling scaling) {
  showScaling(scaling);
  emit scalingChanged();
}

void ScalingPanel::setModel(const std::optional<ModelConfig>& model) {
  const auto scaling = model ? delightScaling(*model) : std::nullopt;
  setVisible(scaling.has_value());
  if (!scaling) return;
  blocks_ = std::int64_t(std::max(model->encoder_layers.size(), model->decoder_layers.size()));
  showScaling(*scaling);
}

void ScalingPanel::setCost(const ModelShape* shape) {
  parameters_->setText(shape ? QString::number(shape->parameters) : tr("…"));
  flops_->setText(shape ? shortNumber(double(shape->flops)) : tr("…"));
}

void ScalingPanel::setProblem(const QString& problem) {
  setOrHide(*problem_, problem);
  start_->setEnabled(problem.isEmpty());
}

QString ScalingPanel::parameters() const { return parameters_->text(); }

}  // namespace tfm::ui
