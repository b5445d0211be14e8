// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/model_numbers.h"

#include <QCoreApplication>

#include "core/expand/growth.h"

namespace tfm::ui {
namespace {

struct ModelText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ModelNumbers)
};

QString layersText(const ModelConfig& model) {
  QStringList stacks;
  for (const auto* layers : {&model.encoder_layers, &model.decoder_layers})
    if (!layers->empty()) stacks += QString::number(layers->size());
  return stacks.join(" + ");
}

QString architectureName(Architecture architecture) {
  const QString names[] = {ModelText::tr("attention"), ModelText::tr("encoder"),
                           ModelText::tr("decoder"), ModelText::tr("encoder–decoder")};
  return names[int(architecture)];
}

QString positionsName(Positions positions) {
  const QString names[] = {ModelText::tr("none"),       ModelText::tr("learned"),
                           ModelText::tr("sinusoidal"), ModelText::tr("relative"),
                           ModelText::tr("rotary"),     ModelText::tr("buckets")};
  return names[int(positions)];
}

QString activationName(Activation activation) {
  const QString names[] = {ModelText::tr("ReLU"), ModelText::tr("GELU"), ModelText::tr("GELU"),
                           ModelText::tr("SiLU")};
  return names[int(activation)];
}

}  // namespace

QString architectureText(const ModelConfig& model) {
  return ModelText::tr("%1 · %2 layers")
      .arg(architectureName(model.architecture), layersText(model));
}

std::vector<ModelNumber> modelNumbers(const ModelConfig& model) {
  const auto sizes = [&](expand::Kind kind) {
    expand::Growth all;
    all.kind = kind;
    return QString::fromStdString(expand::sizesText(expand::chosenSizes(model, all)));
  };
  using enum expand::Kind;
  const QString placement =
      model.norm_placement == NormPlacement::Pre ? ModelText::tr("pre") : ModelText::tr("post");
  const QString norm =
      model.norm == NormKind::LayerNorm ? ModelText::tr("LayerNorm") : ModelText::tr("RMS");
  return {
      {ModelText::tr("Layers"), layersText(model)},
      {ModelText::tr("Hidden"), QString::number(model.hidden)},
      {ModelText::tr("Heads"), sizes(Heads)},
      {ModelText::tr("Key, value size"),
       ModelText::tr("%1, %2").arg(sizes(KeySize), sizes(ValueSize))},
      {ModelText::tr("Feed-forward"),
       ModelText::tr("%1 · %2").arg(sizes(FeedForward), activationName(model.activation))},
      {ModelText::tr("Norm"), ModelText::tr("%1 · %2").arg(placement, norm)},
      {ModelText::tr("Positions"), positionsName(model.positions)},
  };
}

}  // namespace tfm::ui
