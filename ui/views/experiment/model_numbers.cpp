// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/model_numbers.h"

#include <QCoreApplication>

#include "core/expand/growth.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ModelNumbers)
};

QString layersText(const ModelConfig& model) {
  QStringList stacks;
  for (const auto* layers : {&model.encoder_layers, &model.decoder_layers})
    if (!layers->empty()) stacks += QString::number(layers->size());
  return stacks.join(" + ");
}

QString architectureName(Architecture architecture) {
  switch (architecture) {
    case Architecture::Attention:
      return Text::tr("attention");
    case Architecture::Encoder:
      return Text::tr("encoder");
    case Architecture::Decoder:
      return Text::tr("decoder");
    case Architecture::EncoderDecoder:
      return Text::tr("encoder–decoder");
  }
  return {};
}

QString positionsName(Positions positions) {
  switch (positions) {
    case Positions::None:
      return Text::tr("none");
    case Positions::Learned:
      return Text::tr("learned");
    case Positions::Sinusoidal:
      return Text::tr("sinusoidal");
    case Positions::Relative:
      return Text::tr("relative");
  }
  return {};
}

QString activationName(Activation activation) {
  return activation == Activation::Relu ? Text::tr("ReLU") : Text::tr("GELU");
}

}  // namespace

QString architectureText(const ModelConfig& model) {
  return Text::tr("%1 · %2 layers").arg(architectureName(model.architecture), layersText(model));
}

std::vector<ModelNumber> modelNumbers(const ModelConfig& model) {
  const auto sizes = [&](expand::Kind kind) {
    expand::Growth all;
    all.kind = kind;
    return QString::fromStdString(expand::sizesText(expand::chosenSizes(model, all)));
  };
  using enum expand::Kind;
  const QString placement =
      model.norm_placement == NormPlacement::Pre ? Text::tr("pre") : Text::tr("post");
  const QString norm = model.norm == NormKind::LayerNorm ? Text::tr("LayerNorm") : Text::tr("RMS");
  return {
      {Text::tr("Layers"), layersText(model)},
      {Text::tr("Hidden"), QString::number(model.hidden)},
      {Text::tr("Heads"), sizes(Heads)},
      {Text::tr("Key, value size"), Text::tr("%1, %2").arg(sizes(KeySize), sizes(ValueSize))},
      {Text::tr("Feed-forward"),
       Text::tr("%1 · %2").arg(sizes(FeedForward), activationName(model.activation))},
      {Text::tr("Norm"), Text::tr("%1 · %2").arg(placement, norm)},
      {Text::tr("Positions"), positionsName(model.positions)},
  };
}

}  // namespace tfm::ui
