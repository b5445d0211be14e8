// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_words.h"

#include <algorithm>
#include <array>

namespace tfm::ui {
namespace {

using expand::Break;
using expand::Change;
using expand::HiddenMethod;
using expand::Kind;
using expand::LayerMethod;

/// The size, or "5–9" if layers differ; layers: "1 + 1".
QString sizeText(Kind kind, const ModelConfig& c) {
  expand::Growth all;
  all.kind = kind;
  const std::vector<std::int64_t> sizes = expand::chosenSizes(c, all);
  if (sizes.empty()) return {};
  if (kind == Kind::Layers) {
    QStringList counts;
    for (const std::int64_t count : sizes) counts << QString::number(count);
    return counts.join(QStringLiteral(" + "));
  }
  return QString::fromStdString(expand::sizesText(sizes));
}

/// Why a wider residual stream changes nothing.
QString hiddenReason(HiddenMethod method) {
  switch (method) {
    case HiddenMethod::Duplicate:
      return GrowthWords::tr(
          "Every number of the residual stream is duplicated; its readers split their weights "
          "among the copies.");
    case HiddenMethod::Average:
      return GrowthWords::tr(
          "New numbers of the stream are the mean of the old ones, so that the mean in each norm "
          "stays the same; gains are rescaled, and the norms output zero for the new numbers.");
    case HiddenMethod::Mask:
      return GrowthWords::tr(
          "New weights may be anything: the norms ignore the new numbers of the stream. The mask "
          "then opens step by step, and only then do outputs change.");
    default:
      return GrowthWords::tr(
          "New numbers of the stream start at zero; the weights that read them may be anything, "
          "and norms are rescaled for the new width.");
  }
}

/// What learns first in a wider stream.
QString hiddenLearns(HiddenMethod method) {
  switch (method) {
    case HiddenMethod::Duplicate:
      return GrowthWords::tr(
          "At the next step every entry receives a gradient; the unequal shares of the readers let "
          "the copies diverge.");
    case HiddenMethod::Mask:
      return GrowthWords::tr(
          "At the next step hardly anything new receives a gradient, since the norms block it; the "
          "embeddings' new columns do if something reads them before a norm. The rest follows as "
          "the mask opens.");
    default:
      return GrowthWords::tr(
          "At the next step what writes into the stream receives a gradient; what reads the new "
          "numbers follows once they are no longer zero.");
  }
}

}  // namespace

QString GrowthWords::name(Kind kind) {
  static constexpr std::array kNames{QT_TR_NOOP("Feed-forward width"), QT_TR_NOOP("Heads"),
                                     QT_TR_NOOP("Value size"),         QT_TR_NOOP("Key size"),
                                     QT_TR_NOOP("Hidden width"),       QT_TR_NOOP("Layers")};
  return tr(kNames.at(std::size_t(kind)));
}

QString GrowthWords::what(Kind kind) {
  static constexpr std::array kWhat{
      QT_TR_NOOP("more units in between"),      QT_TR_NOOP("more attention patterns"),
      QT_TR_NOOP("every head carries more"),    QT_TR_NOOP("finer query-key matching"),
      QT_TR_NOOP("wider stream, every matrix"), QT_TR_NOOP("one more block, anywhere")};
  return tr(kWhat.at(std::size_t(kind)));
}

QString GrowthWords::sizes(Kind kind, const ModelConfig& before, const ModelConfig& after) {
  const QString old = sizeText(kind, before), grown = sizeText(kind, after);
  return old == grown ? old : old + QStringLiteral(" → ") + grown;
}

QString GrowthWords::reason(const Change& change) {
  if (change.growth.broken != Break::None)
    return tr("Broken on purpose: %1. The outputs change.").arg(broken(change.growth.broken));
  if (!change.exact) return tr("Not exact: %1.").arg(QString::fromStdString(change.inexact));
  const Kind kind = change.growth.kind;
  if (kind == Kind::Hidden) return hiddenReason(change.growth.hidden_method);
  if (kind == Kind::Layers)
    return change.growth.layer_method == LayerMethod::Gate
               ? tr("The new layer is behind a closed gate (zero), so its input passes unchanged.")
               : tr("The new layer computes, but adds zeros to the stream.");
  static constexpr std::array kReasons{
      QT_TR_NOOP("New units read (free weights) but do not write yet (zero weights), so no output "
                 "changes."),
      QT_TR_NOOP("New heads attend and mix (free weights), but their columns of the output map are "
                 "zero."),
      QT_TR_NOOP("The heads that grow mix more numbers (free weights) that the output map "
                 "multiplies by zero."),
      QT_TR_NOOP("New query numbers meet zero keys; old keys are scaled up, because scores are "
                 "divided by a larger root.")};
  return tr(kReasons.at(std::size_t(kind)));
}

QString GrowthWords::learnsFirst(const Change& change) {
  const Kind kind = change.growth.kind;
  if (kind == Kind::Hidden) return hiddenLearns(change.growth.hidden_method);
  if (kind == Kind::Layers)
    return change.growth.layer_method == LayerMethod::Gate
               ? tr("At the next step only the gate receives a gradient; the layer behind it "
                    "follows once the gate is open a little.")
               : tr("At the next step only the maps that write zeros receive a gradient; the rest "
                    "of the layer follows.");
  static constexpr std::array kLearns{
      QT_TR_NOOP("At the next step only the zero columns of W₂ receive a gradient; the new rows of "
                 "W₁ follow one step later."),
      QT_TR_NOOP("At the next step only the zero columns of the output map receive a gradient; the "
                 "new heads' queries, keys and values follow."),
      QT_TR_NOOP("At the next step only the zero columns of the output map receive a gradient; the "
                 "new rows of the value map follow."),
      QT_TR_NOOP("At the next step only the zero rows of the key map receive a gradient; the new "
                 "rows of the query map follow.")};
  return tr(kLearns.at(std::size_t(kind)));
}

QString GrowthWords::firstSteps() {
  return tr(
      "New entries start with small steps and catch up with their neighbours, so that Adam does "
      "not disturb a trained model. The larger model takes larger steps at the same rate: if its "
      "loss rises, lower the rate.");
}

QString GrowthWords::broken(Break broken) {
  static constexpr std::array kBroken{
      QT_TR_NOOP("Nothing is broken"),
      QT_TR_NOOP("random numbers where zeros must be"),
      QT_TR_NOOP("keys are not rescaled"),
      QT_TR_NOOP("norm gains are not rescaled"),
      QT_TR_NOOP("the norms' ε is not rescaled"),
      QT_TR_NOOP("zeros under LayerNorm, which subtracts the mean"),
      QT_TR_NOOP("the sinusoid is computed for the new width"),
      QT_TR_NOOP("the embedding scale is computed for the new width")};
  return tr(kBroken.at(std::size_t(broken)));
}

QString GrowthWords::grown(std::span<const Change> changes) {
  const bool exact = std::ranges::all_of(changes, &Change::exact);
  return (exact ? tr("Grown: %1") : tr("Grown, not exactly: %1")).arg(steps(changes));
}

QString GrowthWords::steps(std::span<const Change> changes) {
  QStringList steps;
  for (const Change& change : changes)
    steps << name(change.growth.kind) + QLatin1Char(' ') +
                 sizes(change.growth.kind, change.before, change.after);
  return steps.join(QStringLiteral(", "));
}

QString GrowthWords::page() {
  return tr(
      "### Growing without forgetting\n\nChoose what to enlarge. New entries appear on the model's "
      "own matrices: some may be anything, some must be zero, and some old ones are rescaled; "
      "together they leave every output unchanged. *Prove* runs the old and the new model on "
      "held-out examples, once in float, where rounding is visible, and once in double, which "
      "shows that it is only rounding. *Apply* grows the model, and training continues. *Break it* "
      "violates one rule.\n\nSource: Gesmundo and Maile, *Composable function-preserving "
      "expansions for transformer architectures*, 2023.");
}

}  // namespace tfm::ui
