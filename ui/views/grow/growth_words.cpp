// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_words.h"

#include <algorithm>
#include <array>

#include "core/expand/kinds.h"
#include "ui/views/grow/growth_kinds.h"

namespace tfm::ui {
namespace {

using expand::Break;
using expand::Change;
using expand::Kind;

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

}  // namespace

QString GrowthWords::name(Kind kind) { return tr(growthKind(kind).name); }

QString GrowthWords::what(Kind kind) { return tr(growthKind(kind).what); }

QString GrowthWords::sizes(Kind kind, const ModelConfig& before, const ModelConfig& after) {
  const QString old = sizeText(kind, before), grown = sizeText(kind, after);
  return old == grown ? old : old + QStringLiteral(" → ") + grown;
}

QString GrowthWords::reason(const Change& change) {
  if (change.growth.broken != Break::None)
    return tr("Broken on purpose: %1. The outputs change.").arg(broken(change.growth.broken));
  if (!change.exact) return tr("Not exact: %1.").arg(QString::fromStdString(change.inexact));
  return growthKind(change.growth.kind).reason(change);
}

QString GrowthWords::learnsFirst(const Change& change) {
  return growthKind(change.growth.kind).learns(change);
}

QString GrowthWords::formula(const Change& change) {
  return growthKind(change.growth.kind).formula(change);
}

QString GrowthWords::source(const Change& change) {
  QString text = growthKind(change.growth.kind).paper(change);
  if (text.isEmpty())
    text = tr("Gesmundo and Maile 2023, section %1.")
               .arg(QString::fromUtf8(expand::rowOf(change.growth.kind).section));
  const QString shown = formula(change);
  if (shown.contains(QLatin1String("<i>"))) text += tr(" <i>Slanted</i>: new and free.");
  if (shown.contains(QLatin1String("<u>"))) text += tr(" <u>Underlined</u>: new and zero.");
  return text;
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
      QT_TR_NOOP("random numbers instead of zeros"),
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
