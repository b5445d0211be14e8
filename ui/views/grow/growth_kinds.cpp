// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "ui/views/grow/growth_words.h"

namespace tfm::ui {
namespace {

using expand::Change;
using expand::Growth;
using expand::HiddenMethod;
using expand::LayerMethod;

QString number(double value) { return QString::number(value, 'g', 5); }

/// The sizes before growth, which may differ between layers.
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
  /// The number of new units in `size`.
  QString added(std::int64_t size) const {
    return QString::fromStdString(expand::sizesText({size - most, size - least}));
  }
};

QString headsFormula(const Change& change) {
  const OldSizes old(change);
  const std::int64_t size = change.growth.size;
  if (old.differ())
    return GrowthWords::tr(
               "Σ<sub>e ≤ E</sub> W<sub>O,e</sub> head<sub>e</sub> + Σ<sub>e = E + 1…%1</sub> "
               "<u>0</u> · <i>head<sub>e</sub></i><br>E = %2")
        .arg(size)
        .arg(old.text());
  return GrowthWords::tr("Σ<sub>e ≤ %1</sub> W<sub>O,e</sub> head<sub>e</sub> + %2")
      .arg(old.most)
      .arg(size == old.most + 1
               ? QStringLiteral("<u>0</u> · <i>head<sub>%1</sub></i>").arg(size)
               : QStringLiteral("Σ<sub>e = %1…%2</sub> <u>0</u> · <i>head<sub>e</sub></i>")
                     .arg(old.most + 1)
                     .arg(size));
}

/// "each head", or the chosen ones, counted from 1 as the form does.
QString headsText(const std::vector<std::int64_t>& heads) {
  if (heads.empty()) return GrowthWords::tr("each head");
  QStringList numbers;
  for (const std::int64_t head : heads) numbers << QString::number(head + 1);
  return (heads.size() == 1 ? GrowthWords::tr("head %1") : GrowthWords::tr("heads %1, each"))
      .arg(numbers.join(QStringLiteral(", ")));
}

QString keyFormula(const Change& change) {
  const OldSizes old(change);
  const std::int64_t size = change.growth.size;
  const auto factor = [size](std::int64_t before) {
    return number(std::sqrt(double(size) / double(std::max<std::int64_t>(1, before))));
  };
  const QString factors =
      old.differ() ? factor(old.most) + QStringLiteral("–") + factor(old.least) : factor(old.most);
  const QString k = old.differ() ? QStringLiteral("k") : old.text();
  return GrowthWords::tr("[q <i>q′</i>] · [c k, <u>0</u>] ∕ √%2 = q · k ∕ √%1<br>c = √(%2∕%1) = %3")
             .arg(k)
             .arg(size)
             .arg(factors) +
         (old.differ() ? GrowthWords::tr("<br>k = %1").arg(old.text()) : QString()) +
         GrowthWords::tr("<br>%1: %2 + %3 numbers")
             .arg(headsText(change.growth.heads), old.text(), old.added(size));
}

QString fraction(std::int64_t above, std::int64_t below) {
  return QStringLiteral("%1∕%2").arg(above).arg(below);
}

/// "a, b, c", or "a, … c" if there are more than three parts; at(i) is part i, counted from 1.
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

QString layersFormula(const Change& change) {
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

QString unitsFormula(const Change& change) {
  const OldSizes old(change);
  // As stored and drawn: rows are outputs.
  return GrowthWords::tr(
             "u = act([W₁ ; <i>W₁′</i>] x + [b₁ ; <i>b₁′</i>])<br>y = [W₂ <u>0</u>] u + b₂<br>"
             "%1 old units + %2 new ones × <u>0</u><br>a unit: a row of W₁, a column of W₂")
      .arg(old.text(), old.added(change.growth.size));
}

QString valuesFormula(const Change& change) {
  const OldSizes old(change);
  return GrowthWords::tr(
             "[W<sub>O</sub> <u>0</u>] · [v ; <i>v′</i>] = W<sub>O</sub> v<br>%1: "
             "%2 + %3 numbers")
      .arg(headsText(change.growth.heads), old.text(), old.added(change.growth.size));
}

/// Why a wider residual stream changes nothing.
QString hiddenReason(const Change& change) {
  switch (change.growth.hidden_method) {
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
QString hiddenLearns(const Change& change) {
  switch (change.growth.hidden_method) {
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

QString layersReason(const Change& change) {
  return change.growth.layer_method == LayerMethod::Gate
             ? GrowthWords::tr(
                   "The new layer is behind a closed gate (zero), so its input passes unchanged.")
             : GrowthWords::tr("The new layer computes, but adds zeros to the stream.");
}

QString layersLearn(const Change& change) {
  return change.growth.layer_method == LayerMethod::Gate
             ? GrowthWords::tr(
                   "At the next step only the gate receives a gradient; the layer behind it "
                   "follows once the gate is open a little.")
             : GrowthWords::tr(
                   "At the next step only the maps that write zeros receive a gradient; the rest "
                   "of the layer follows.");
}

QString noPaper(const Change&) { return {}; }

QString hiddenPaper(const Change& change) {
  const HiddenMethod method = change.growth.hidden_method;
  if (method == HiddenMethod::Duplicate || method == HiddenMethod::Average)
    return GrowthWords::tr("LEMON: Wang et al. 2024, Lossless model expansion.");
  if (method == HiddenMethod::Mask)
    return GrowthWords::tr("MSG: Yao et al. 2024, Masked structural growth.");
  if (method == HiddenMethod::Centre)
    return GrowthWords::tr(
        "Gesmundo and Maile 2023, section 3.5, after centring the writers, to which LayerNorm is "
        "invariant.");
  return {};
}

QString layersPaper(const Change& change) {
  if (change.growth.layer_method == LayerMethod::Gate)
    return GrowthWords::tr("Gesmundo and Maile 2023, section 3.6, with a gate for the zero maps.");
  if (change.growth.layer_method == LayerMethod::HandOver)
    return GrowthWords::tr("Gesmundo and Maile 2023, section 3.6, adapted to post-norm.");
  return {};
}

constexpr std::int64_t kMaxTried = 64;

bool isExact(const Growth& growth, const ModelConfig& model) {
  try {
    return expand::outlineGrowth(model, growth).exact;
  } catch (const Error&) {
    return false;
  }
}

std::int64_t largest(const Growth& growth, const ModelConfig& model) {
  const std::vector<std::int64_t> sizes = expand::chosenSizes(model, growth);
  return sizes.empty() ? 1 : std::ranges::max(sizes);
}

/// About 1.5 times as large; the next size that is exact.
void suggestHalfMore(Growth& growth, const ModelConfig& model) {
  const std::int64_t size = largest(growth, model);
  growth.size = size + std::max<std::int64_t>(2, size / 2);
  for (std::int64_t more = 0; more <= std::max(kMaxTried, size) && !isExact(growth, model); ++more)
    ++growth.size;
}

void suggestOneHead(Growth& growth, const ModelConfig& model) {
  growth.size = largest(growth, model) + 1;
}

void suggestOneLayer(Growth& growth, const ModelConfig& model) {
  const bool decoder = model.hasDecoder();
  if (model.hasEncoder() && decoder) growth.stacks = expand::Stacks::Decoder;
  growth.size = std::ssize(decoder ? model.decoder_layers : model.encoder_layers) + 1;
  growth.unshare = model.share_layers;
}

}  // namespace

const GrowthKind& growthKind(expand::Kind kind) {
  static const std::array<GrowthKind, 6> kRows{{
      {QT_TRANSLATE_NOOP("GrowthWords", "Feed-forward width"),
       QT_TRANSLATE_NOOP("GrowthWords", "more units in between"),
       // Two maps with a wider middle.
       {{4, 4, 12, 14}, {4, 22, 14, 12}},
       {{17, 4, 8, 14}, {19, 22, 8, 12}},
       [](const Change&) {
         return GrowthWords::tr(
             "New units read (free weights) but do not write yet (zero weights), so no output "
             "changes.");
       },
       [](const Change&) {
         return GrowthWords::tr(
             "At the next step only the zero columns of W₂ receive a gradient; the new rows of W₁ "
             "follow one step later.");
       },
       unitsFormula,
       noPaper,
       suggestHalfMore},
      {QT_TRANSLATE_NOOP("GrowthWords", "Heads"),
       QT_TRANSLATE_NOOP("GrowthWords", "more attention patterns"),
       // One more block of rows.
       {{8, 4, 24, 8}, {8, 13, 24, 8}},
       {{8, 22, 24, 8}},
       [](const Change&) {
         return GrowthWords::tr(
             "New heads attend and mix (free weights), but their columns of the output map are "
             "zero.");
       },
       [](const Change&) {
         return GrowthWords::tr(
             "At the next step only the zero columns of the output map receive a gradient; the "
             "new heads' queries, keys and values follow.");
       },
       headsFormula,
       noPaper,
       suggestOneHead},
      {QT_TRANSLATE_NOOP("GrowthWords", "Value size"),
       QT_TRANSLATE_NOOP("GrowthWords", "every head carries more"),
       // A stripe in every head, sideways.
       {{6, 4, 18, 8}, {6, 15, 18, 8}, {6, 26, 18, 8}},
       {{25, 4, 8, 8}, {25, 15, 8, 8}, {25, 26, 8, 8}},
       [](const Change&) {
         return GrowthWords::tr(
             "The heads that grow mix more numbers (free weights) that the output map multiplies "
             "by zero.");
       },
       [](const Change&) {
         return GrowthWords::tr(
             "At the next step only the zero columns of the output map receive a gradient; the "
             "new rows of the value map follow.");
       },
       valuesFormula,
       noPaper,
       suggestHalfMore},
      {QT_TRANSLATE_NOOP("GrowthWords", "Key size"),
       QT_TRANSLATE_NOOP("GrowthWords", "finer query-key matching"),
       // A stripe in every head, below.
       {{5, 4, 12, 18}, {22, 4, 12, 18}},
       {{5, 23, 12, 9}, {22, 23, 12, 9}},
       [](const Change&) {
         return GrowthWords::tr(
             "New query numbers meet zero keys; old keys are scaled up, because scores are "
             "divided by a larger root.");
       },
       [](const Change&) {
         return GrowthWords::tr(
             "At the next step only the zero rows of the key map receive a gradient; the new rows "
             "of the query map follow.");
       },
       keyFormula,
       noPaper,
       suggestHalfMore},
      {QT_TRANSLATE_NOOP("GrowthWords", "Hidden width"),
       QT_TRANSLATE_NOOP("GrowthWords", "wider stream, every matrix"),
       // Both ways.
       {{5, 5, 19, 19}},
       {{25, 5, 9, 19}, {5, 25, 19, 9}},
       hiddenReason,
       hiddenLearns,
       hiddenFormula,
       hiddenPaper,
       suggestHalfMore},
      {QT_TRANSLATE_NOOP("GrowthWords", "Layers"),
       QT_TRANSLATE_NOOP("GrowthWords", "one more block, anywhere"),
       {{6, 15, 28, 8}, {6, 26, 28, 8}},
       {{6, 4, 28, 8}},
       layersReason,
       layersLearn,
       layersFormula,
       layersPaper,
       suggestOneLayer},
  }};
  return kRows[std::size_t(kind)];
}

Growth suggestedGrowth(expand::Kind kind, const ModelConfig& model) {
  Growth growth;
  growth.kind = kind;
  growthKind(kind).suggest(growth, model);
  return growth;
}

}  // namespace tfm::ui
