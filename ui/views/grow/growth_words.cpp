// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_words.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

using expand::Break;
using expand::Change;
using expand::HiddenMethod;
using expand::Kind;
using expand::LayerMethod;

/// The size, or "5–9" where layers differ; layers: "1 + 1".
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

QString number(double value) { return QString::number(value, 'g', 5); }

/// What a formula says of the sizes before growth, which may differ.
struct OldSizes {
  std::int64_t least = 0, most = 0;

  explicit OldSizes(const Change& change) {
    const std::vector<std::int64_t> sizes = expand::chosenSizes(change.before, change.growth);
    if (sizes.empty()) return;
    least = std::ranges::min(sizes);
    most = std::ranges::max(sizes);
  }
  bool differ() const { return least != most; }
  QString text() const { return QString::fromStdString(expand::sizesText({least, most})); }
  /// What is new of `size`.
  QString added(std::int64_t size) const {
    return QString::fromStdString(expand::sizesText({size - most, size - least}));
  }
};

QString headsFormula(const OldSizes& old, std::int64_t size) {
  if (old.differ())
    return GrowthWords::tr(
               "Σ<sub>e ≤ E</sub> head<sub>e</sub> W<sub>O,e</sub> + Σ<sub>e = E + 1…%1</sub> "
               "<i>head<sub>e</sub></i> · <u>0</u><br>E = %2")
        .arg(size)
        .arg(old.text());
  return GrowthWords::tr("Σ<sub>e ≤ %1</sub> head<sub>e</sub> W<sub>O,e</sub> + %2 · <u>0</u>")
      .arg(old.most)
      .arg(size == old.most + 1 ? QStringLiteral("<i>head<sub>%1</sub></i>").arg(size)
                                : QStringLiteral("Σ<sub>e = %1…%2</sub> <i>head<sub>e</sub></i>")
                                      .arg(old.most + 1)
                                      .arg(size));
}

QString keyFormula(const OldSizes& old, std::int64_t size) {
  const auto factor = [size](std::int64_t before) {
    return number(std::sqrt(double(size) / double(std::max<std::int64_t>(1, before))));
  };
  const QString factors =
      old.differ() ? factor(old.most) + QStringLiteral("–") + factor(old.least) : factor(old.most);
  const QString k = old.differ() ? QStringLiteral("k") : old.text();
  return GrowthWords::tr(
             "[q <i>q′</i>] · [c k, <u>0</u>] ∕ √%2 = q · k ∕ √%1<br>"
             "c = √(%2∕%1) = %3")
             .arg(k)
             .arg(size)
             .arg(factors) +
         (old.differ() ? GrowthWords::tr("<br>k = %1").arg(old.text()) : QString());
}

QString fraction(std::int64_t above, std::int64_t below) {
  return QStringLiteral("%1∕%2").arg(above).arg(below);
}

/// "a, b, c", or "a, … c" where there are more than three; `at` makes each from its number, from 1.
template <class Part>
QString listed(std::int64_t count, const QString& between, Part at) {
  QStringList parts;
  for (std::int64_t i = 1; i <= std::min<std::int64_t>(count, 3); ++i) parts << at(i);
  if (count > 3) parts = {at(1), QStringLiteral("… ") + at(count)};
  return parts.join(between);
}

QString duplicateFormula(std::int64_t copies) {
  const QString comma = QStringLiteral(", ");
  const auto share = [](std::int64_t i) { return QStringLiteral("a<sub>%1</sub>").arg(i); };
  const auto same = [](const char* text) {
    return [text](std::int64_t) { return QLatin1String(text); };
  };
  return GrowthWords::tr(
             "x̂ = [%1]<br>norm(x̂) = [%2]<br>readers: W → [%3],<br>%4 = 1, a different split "
             "for each number of x")
      .arg(listed(copies, comma, same("x")), listed(copies, comma, same("norm(x)")),
           listed(copies, comma, [&](std::int64_t i) { return share(i) + QLatin1Char('W'); }),
           listed(copies, QStringLiteral(" + "), share));
}

QString hiddenFormula(const Change& change) {
  const std::int64_t h = change.before.hidden, grown = change.after.hidden;
  const std::int64_t copies = grown / h;
  const QString gain = GrowthWords::tr("gain: ĝ = √(%1) g = %2 g<br>ε̂ = %1 ε");
  switch (change.growth.hidden_method) {
    case HiddenMethod::Duplicate:
      return duplicateFormula(copies);
    case HiddenMethod::Average:
      return GrowthWords::tr("x̂ = [x, … x, x̄, … x̄], %1 × x and %2 × x̄<br>")
                 .arg(copies)
                 .arg(grown - copies * h) +
             gain.arg(fraction(copies * h, grown),
                      number(std::sqrt(double(copies * h) / double(grown))));
    case HiddenMethod::Mask:
      return GrowthWords::tr(
                 "norm counts the first %1 of %2 components;<br>the others with weight "
                 "w = 0 … 1 over %3 steps")
          .arg(h)
          .arg(grown)
          .arg(change.after.mask_steps);
    case HiddenMethod::Centre:
      return GrowthWords::tr("writers: W → W − mean(W)<br>x̂ = [x, <u>0</u>], mean(x̂) = 0<br>") +
             gain.arg(fraction(h, grown), number(std::sqrt(double(h) / double(grown))));
    default:
      return GrowthWords::tr("x̂ = [x, <u>0</u>]<br>mean(x̂²) = %1 mean(x²)<br>")
                 .arg(fraction(h, grown)) +
             gain.arg(fraction(h, grown), number(std::sqrt(double(h) / double(grown))));
  }
}

QString layerFormula(const Change& change) {
  switch (change.growth.layer_method) {
    case LayerMethod::Gate:
      return GrowthWords::tr("y = x + g · (layer(x) − x)<br>g = <u>0</u>, so y = x");
    case LayerMethod::HandOver:
      return GrowthWords::tr(
          "norm<sub>g,β</sub>(norm<sub>1,0</sub>(x)) ≈ norm<sub>g,β</sub>(x)<br>"
          "W<sub>O</sub> = W₂ = <u>0</u>");
    default:
      return GrowthWords::tr(
          "x + attention(norm x) · <u>0</u> = x<br>x + ff(norm x) · <u>0</u> = x");
  }
}

/// Who described the method that is used.
QString origin(const Change& change) {
  const HiddenMethod hidden = change.growth.hidden_method;
  const LayerMethod layer = change.growth.layer_method;
  if (change.growth.kind == Kind::Hidden) {
    if (hidden == HiddenMethod::Duplicate || hidden == HiddenMethod::Average)
      return GrowthWords::tr("LEMON: Wang et al. 2024, Lossless model expansion.");
    if (hidden == HiddenMethod::Mask)
      return GrowthWords::tr("MSG: Yao et al. 2024, Masked structural growth.");
    if (hidden == HiddenMethod::Centre)
      return GrowthWords::tr(
          "Gesmundo and Maile 2023, section 3.5, after the writers are centred, which LayerNorm "
          "does not notice.");
  }
  if (change.growth.kind == Kind::Layers && layer == LayerMethod::Gate)
    return GrowthWords::tr("Gesmundo and Maile 2023, section 3.6, with a gate for the zero maps.");
  if (change.growth.kind == Kind::Layers && layer == LayerMethod::HandOver)
    return GrowthWords::tr(
        "Gesmundo and Maile 2023, section 3.6, changed for norms after the sum.");
  static constexpr const char* kSections[] = {"3.1", "3.2", "3.3", "3.4", "3.5", "3.6"};
  return GrowthWords::tr("Gesmundo and Maile 2023, section %1.")
      .arg(QLatin1String(kSections[int(change.growth.kind)]));
}

/// Why a wider stream changes nothing.
QString hiddenReason(HiddenMethod method) {
  switch (method) {
    case HiddenMethod::Duplicate:
      return GrowthWords::tr(
          "Every number of the stream is there several times; whatever reads it splits its weight "
          "among the copies.");
    case HiddenMethod::Average:
      return GrowthWords::tr(
          "New numbers of the stream are the mean of the old ones, so that no norm's mean moves; "
          "gains are rescaled, and the norms give zero for the new numbers.");
    case HiddenMethod::Mask:
      return GrowthWords::tr(
          "New weights may be anything: the norms neither count nor pass on the new numbers of the "
          "stream. The mask then opens step by step, and only then do outputs begin to move.");
    default:
      return GrowthWords::tr(
          "New numbers of the stream start as zero; whatever reads them may be anything, and norms "
          "are rescaled for the new width.");
  }
}

/// What learns first of a wider stream.
QString hiddenLearns(HiddenMethod method) {
  switch (method) {
    case HiddenMethod::Duplicate:
      return GrowthWords::tr(
          "At the next step every entry receives a gradient; the unequal shares of their readers "
          "let the copies become different.");
    case HiddenMethod::Mask:
      return GrowthWords::tr(
          "At the next step hardly anything new receives a gradient, as the norms pass none of it "
          "on; the embeddings' new columns do where something reads them before a norm. The rest "
          "follows as the mask opens.");
    default:
      return GrowthWords::tr(
          "At the next step what writes into the stream receives a gradient; what reads the new "
          "numbers follows once they are no longer zero.");
  }
}

}  // namespace

QString GrowthWords::name(Kind kind) {
  switch (kind) {
    case Kind::FeedForward:
      return tr("Feed-forward width");
    case Kind::Heads:
      return tr("Heads");
    case Kind::ValueSize:
      return tr("Value size");
    case Kind::KeySize:
      return tr("Key size");
    case Kind::Hidden:
      return tr("Hidden width");
    case Kind::Layers:
      return tr("Layers");
  }
  return {};
}

QString GrowthWords::what(Kind kind) {
  switch (kind) {
    case Kind::FeedForward:
      return tr("more units between W₁ and W₂");
    case Kind::Heads:
      return tr("one more way of looking");
    case Kind::ValueSize:
      return tr("every head carries more");
    case Kind::KeySize:
      return tr("queries and keys match finer");
    case Kind::Hidden:
      return tr("a wider stream, every matrix");
    case Kind::Layers:
      return tr("one more block, anywhere");
  }
  return {};
}

QString GrowthWords::sizes(Kind kind, const ModelConfig& before, const ModelConfig& after) {
  const QString old = sizeText(kind, before), grown = sizeText(kind, after);
  return old == grown ? old : old + QStringLiteral(" → ") + grown;
}

QString GrowthWords::reason(const Change& change) {
  if (change.growth.broken != Break::None)
    return tr("Broken on purpose: %1. The outputs change.").arg(broken(change.growth.broken));
  if (!change.exact) return tr("Not exact: %1.").arg(QString::fromStdString(change.inexact));
  switch (change.growth.kind) {
    case Kind::FeedForward:
      return tr(
          "New units listen (free weights) but do not speak yet (zero weights), so every "
          "output stays what it was.");
    case Kind::Heads:
      return tr(
          "New heads look and mix (free weights), but their columns of the output map are "
          "zero.");
    case Kind::ValueSize:
      return tr(
          "Each head mixes more numbers (free weights) that the output map multiplies by "
          "zero.");
    case Kind::KeySize:
      return tr(
          "New query numbers meet zero keys; old keys are enlarged, because the scores are "
          "divided by a larger root.");
    case Kind::Hidden:
      return hiddenReason(change.growth.hidden_method);
    case Kind::Layers:
      return change.growth.layer_method == LayerMethod::Gate
                 ? tr("The new layer stands behind a gate that is closed (zero): what goes in "
                      "comes "
                      "out.")
                 : tr("The new layer computes, but writes zeros into the stream.");
  }
  return {};
}

QString GrowthWords::formula(const Change& change) {
  const std::int64_t size = change.growth.size;
  const OldSizes old(change);
  switch (change.growth.kind) {
    case Kind::FeedForward:
      return tr("y = act(x [W₁ <i>W₁′</i>] + [b₁ <i>b₁′</i>]) · [W₂ ; <u>0</u>] + b₂<br>"
                "%1 old units + %2 new ones × <u>0</u>")
          .arg(old.text(), old.added(size));
    case Kind::Heads:
      return headsFormula(old, size);
    case Kind::ValueSize:
      return tr("[p V, p <i>V′</i>] · [W<sub>O</sub> ; <u>0</u>] = p V W<sub>O</sub><br>each head: "
                "%1 + %2 numbers")
          .arg(old.text(), old.added(size));
    case Kind::KeySize:
      return keyFormula(old, size);
    case Kind::Hidden:
      return hiddenFormula(change);
    case Kind::Layers:
      return layerFormula(change);
  }
  return {};
}

QString GrowthWords::source(const Change& change) {
  QString text = origin(change);
  const QString shown = formula(change);
  if (shown.contains(QLatin1String("<i>"))) text += tr(" <i>Slanted</i>: new and free.");
  if (shown.contains(QLatin1String("<u>"))) text += tr(" <u>Underlined</u>: new and zero.");
  return text;
}

QString GrowthWords::learnsFirst(const Change& change) {
  switch (change.growth.kind) {
    case Kind::FeedForward:
      return tr(
          "At the next step only the zero columns of W₂ receive a gradient; the new rows of "
          "W₁ follow one step later.");
    case Kind::Heads:
      return tr(
          "At the next step only the zero columns of the output map receive a gradient; the "
          "new heads' queries, keys and values follow.");
    case Kind::ValueSize:
      return tr(
          "At the next step only the zero columns of the output map receive a gradient; the "
          "new rows of the value map follow.");
    case Kind::KeySize:
      return tr(
          "At the next step only the zero rows of the key map receive a gradient; the new "
          "rows of the query map follow.");
    case Kind::Hidden:
      return hiddenLearns(change.growth.hidden_method);
    case Kind::Layers:
      return change.growth.layer_method == LayerMethod::Gate
                 ? tr("At the next step only the gate receives a gradient; the layer behind it "
                      "follows once the gate is open a little.")
                 : tr("At the next step only the maps that write zeros receive a gradient; the "
                      "rest "
                      "of the layer follows.");
  }
  return {};
}

QString GrowthWords::firstSteps() {
  return tr(
      "New entries begin with short steps and catch up with their neighbours, so that Adam does "
      "not shake a trained model. The larger model moves further at the same rate: if its loss "
      "rises, lower the rate.");
}

QString GrowthWords::broken(Break broken) {
  switch (broken) {
    case Break::None:
      return tr("Nothing is broken");
    case Break::RandomInsteadOfZero:
      return tr("random numbers where zeros must be");
    case Break::NoKeyRescale:
      return tr("keys are not rescaled");
    case Break::NoGainRescale:
      return tr("norm gains are not rescaled");
    case Break::NoEpsRescale:
      return tr("the norms' ε is not rescaled");
    case Break::ZeroPadUnderLayerNorm:
      return tr("zeros under LayerNorm, which subtracts the mean");
    case Break::SinusoidRecomputed:
      return tr("the sinusoid is computed for the new width");
    case Break::EmbeddingScaleRecomputed:
      return tr("the embedding scale is computed for the new width");
  }
  return {};
}

QString GrowthWords::grown(const std::vector<Change>& changes) {
  const bool exact = std::ranges::all_of(changes, &Change::exact);
  return (exact ? tr("Grown: %1") : tr("Grown, not exactly: %1")).arg(steps(changes));
}

QString GrowthWords::steps(const std::vector<Change>& changes) {
  QStringList steps;
  for (const Change& change : changes)
    steps << name(change.growth.kind) + QLatin1Char(' ') +
                 sizes(change.growth.kind, change.before, change.after);
  return steps.join(QStringLiteral(", "));
}

QString GrowthWords::page() {
  return tr(
      "### Growing without forgetting\n\nChoose what is to become larger. New entries appear on "
      "the "
      "model's own matrices: some may hold anything, some must be zero, and some old ones are "
      "rescaled; together they leave every output as it was. *Prove* runs the old and the new "
      "model "
      "on held-out examples, once in float, where rounding shows, and once in double, where it "
      "shows "
      "that it was rounding. *Apply* grows the model, and training goes on. *Break it* leaves one "
      "rule out.\n\nSource: Gesmundo and Maile, *Composable function-preserving expansions for "
      "transformer architectures*, 2023.");
}

}  // namespace tfm::ui
