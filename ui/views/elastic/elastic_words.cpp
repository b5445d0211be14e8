// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_words.h"

namespace tfm::ui {

QString ElasticWords::sentence(bool nested, const std::string& task, bool holds_out) {
  if (!nested)
    return tr("The first units of each feed-forward as a model of their own: drag the width.");
  const QString what =
      tr("One model that contains smaller ones: drag the width to see what each still knows.");
  if (!holds_out)
    return what + QLatin1Char(' ') +
           tr("These facts follow no rule: they must be memorised, and every unit memorises a "
              "few.");
  if (task == "sentiment")
    return what + QLatin1Char(' ') +
           tr("A few rules decide about a review, and even the narrowest model can hold them.");
  return what;
}

QString ElasticWords::noModel(const ModelState* state) {
  const QString why = tr("A difference is not a model and gives no answers.");
  return state == nullptr ? why
                          : why + QLatin1Char(' ') + tr("Shown instead: step %1.").arg(state->step);
}

QString ElasticWords::plain(bool trained) {
  const QString now = trained
                          ? tr("This model was trained only as a whole. You can try its smaller "
                               "parts, but they answer badly.")
                          : tr("This model is untrained, and would be trained only as a whole. You "
                               "can try its smaller parts, but none of them knows anything.");
  return now + ' ' +
         tr("Trained as MatFormer, the first units also learn to work without the others, so that "
            "one model contains several.");
}

QString ElasticWords::hint(bool space) {
  return space ? tr("Drag to turn; what the chosen submodel does not use is faded.")
               : tr("Hover a cell to read it; drag the blue edge.");
}

QString ElasticWords::page() {
  return tr(
      "In **MatFormer** (Devvrit et al., NeurIPS 2024) the feed-forward of every layer is nested: "
      "its first units are a smaller feed-forward, and the rest of the model is shared. The usual "
      "four widths are an eighth, a quarter, half and all of the units: **S, M, L, XL**.\n\n"
      "- **Sampled**, the published method: each training step draws one width and trains it.\n"
      "- **Joint**, the paper's first version (arXiv 2310.07707v1), like DynaBERT: each step adds "
      "up the losses of all widths.\n"
      "- **Mix'n'Match**: each layer may have a different width, even one that was never trained. "
      "The **budget** button uses the paper's heuristic: widths that do not decrease with depth, "
      "from at most two adjacent granularities.\n\n"
      "**Speculative decoding**, for language models: the smallest one proposes tokens, the whole "
      "model checks several in one pass and keeps those it would have written itself (Leviathan et "
      "al. 2023). The text is the whole model's; it saves time if a pass of the smallest one is "
      "much cheaper.\n\n"
      "In the matrices, a column is one unit: above, what it reads (linear1); below, what it "
      "writes (linear2). Frames are the granularities; what is outside the chosen width is "
      "faded.\n\n"
      "**Accuracy** is the share of held-out examples answered right (for facts: of the training "
      "examples, since no rule predicts others; for texts: of characters), with Wilson's interval "
      "at 95 %, which assumes independent answers. **Same as whole** (agreement) is the share of "
      "positions where the most likely answer is the whole model's, **KL** the distance between "
      "the whole distributions. **Table** lists them for every point of the plot; click a row to "
      "choose it. Milliseconds are measured and depend on what else this computer does. During "
      "training, fewer examples are measured, repeatedly.");
}

QString ElasticWords::scatterPage() {
  return tr(
      "Each mark is a model: its held-out accuracy against its cost in **parameters**, "
      "**operations** or measured **time**. Higher and further left is better.\n\n"
      "- **Filled**: trained granularities. **Hollow**: Mix'n'Match, a combination of widths that "
      "was never trained as such. **Crosses**: the same sizes trained separately, next to their "
      "granularity.\n"
      "- The **Pareto line** is the best accuracy up to each cost: for anything below it, "
      "something better costs no more.\n"
      "- **Bars** are Wilson's interval at 95 %, from the number of answers. If they overlap, a "
      "difference may be chance. With several seeds, the pale band is the standard deviation.\n\n"
      "Hover a mark to read it, click it to load its widths; a second click deselects it. If the "
      "axis does not start at 0, it says so; **From 0** changes that.");
}

QString ElasticWords::curvesPage() {
  return tr(
      "One curve for each granularity, one point for each **evaluation** on held-out examples: do "
      "the small ones keep up with the whole model, or does one fall behind?\n\n"
      "The **bar** at the end is Wilson's interval at 95 % of the whole model's accuracy: curves "
      "closer than this may differ by chance. If the axis does not start at 0, it says so; **From "
      "0** changes that.");
}

}  // namespace tfm::ui
