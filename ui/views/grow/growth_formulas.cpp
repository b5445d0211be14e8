// SPDX-License-Identifier: GPL-3.0-or-later
// The expansions as formulas, and their sources.
#include <algorithm>
#include <cmath>

#include "ui/views/grow/growth_words.h"

namespace tfm::ui {
namespace {

using expand::Change;
using expand::HiddenMethod;
using expand::Kind;
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

QString headsFormula(const OldSizes& old, std::int64_t size) {
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

QString keyFormula(const Change& change, const OldSizes& old) {
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

/// The source of the method.
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
          "Gesmundo and Maile 2023, section 3.5, after centring the writers, to which LayerNorm is "
          "invariant.");
  }
  if (change.growth.kind == Kind::Layers && layer == LayerMethod::Gate)
    return GrowthWords::tr("Gesmundo and Maile 2023, section 3.6, with a gate for the zero maps.");
  if (change.growth.kind == Kind::Layers && layer == LayerMethod::HandOver)
    return GrowthWords::tr("Gesmundo and Maile 2023, section 3.6, adapted to post-norm.");
  static constexpr const char* kSections[] = {"3.1", "3.2", "3.3", "3.4", "3.5", "3.6"};
  return GrowthWords::tr("Gesmundo and Maile 2023, section %1.")
      .arg(QLatin1String(kSections[int(change.growth.kind)]));
}

}  // namespace

QString GrowthWords::formula(const Change& change) {
  const std::int64_t size = change.growth.size;
  const OldSizes old(change);
  switch (change.growth.kind) {
    case Kind::FeedForward:
      // As stored and drawn: rows are outputs.
      return tr("u = act([W₁ ; <i>W₁′</i>] x + [b₁ ; <i>b₁′</i>])<br>y = [W₂ <u>0</u>] u + b₂<br>"
                "%1 old units + %2 new ones × <u>0</u><br>a unit: a row of W₁, a column of W₂")
          .arg(old.text(), old.added(size));
    case Kind::Heads:
      return headsFormula(old, size);
    case Kind::ValueSize:
      return tr("[W<sub>O</sub> <u>0</u>] · [v ; <i>v′</i>] = W<sub>O</sub> v<br>%1: "
                "%2 + %3 numbers")
          .arg(headsText(change.growth.heads), old.text(), old.added(size));
    case Kind::KeySize:
      return keyFormula(change, old);
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

}  // namespace tfm::ui
