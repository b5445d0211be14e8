// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_words.h"

namespace tfm::ui {

QString ElasticWords::sentence(bool nested, const data::Task& task) {
  if (!nested)
    return tr("The first units of each feed-forward as a model of their own: drag the width.");
  const QString what =
      tr("One model that contains smaller ones: drag the width and see what each still knows.");
  if (!task.hasHeldOutExamples())
    return what + QLatin1Char(' ') +
           tr("These facts follow no rule: they can only be remembered, and every unit remembers a "
              "few.");
  if (task.name() == "sentiment")
    return what + QLatin1Char(' ') +
           tr("A few rules decide what a review says, and the narrowest has room for them.");
  return what;
}

QString ElasticWords::noModel(const ModelState* state) {
  const QString why = tr("A difference is no model and answers nothing.");
  return state == nullptr ? why
                          : why + QLatin1Char(' ') + tr("Shown here: step %L1.").arg(state->step);
}

QString ElasticWords::plain(bool trained) {
  const QString now =
      trained ? tr("This model was trained only as a whole, so its smaller parts are untrained: "
                   "you can drag them, but they answer badly.")
              : tr("This model has not been trained yet, and would be trained only as a whole: you "
                   "can drag its smaller parts, but none of them knows anything.");
  return now + ' ' +
         tr("Trained as MatFormer, the first units also learn to answer without the others, and "
            "one model contains several.");
}

QString ElasticWords::hint(bool space) {
  return space ? tr("Drag to turn; what the chosen submodel does not read fades.")
               : tr("Point at a cell to read it; drag the blue edge.");
}

QString ElasticWords::page() {
  return tr(
      "In **MatFormer** (Devvrit et al., NeurIPS 2024) the feed-forward of every layer is nested: "
      "its first units are a smaller feed-forward, and everything else of the model is shared. "
      "The usual four widths are an eighth, a quarter, half and all of the units: **S, M, L, XL**."
      "\n\n"
      "- **Sampled**, the published method: each training step draws one width and trains it.\n"
      "- **Joint**, the first version of the paper (arXiv 2310.07707v1), as DynaBERT: each step "
      "adds up the losses of all widths.\n"
      "- **Mix'n'Match**: each layer may take a width of its own, also one that was never trained. "
      "The **budget** button uses the paper's heuristic: widths that do not fall with depth, at "
      "most two neighbouring granularities.\n\n"
      "**Speculative decoding**, for models that write: the smallest one proposes tokens, the "
      "whole model checks several in one pass and keeps those it would have written itself "
      "(Leviathan et al. 2023). The text is that of the whole model; time is saved where a pass of "
      "the smallest one costs much less.\n\n"
      "In the matrices a column is one unit: above what it reads (linear1), below what it writes "
      "(linear2). Frames are the granularities; what is outside of the chosen width fades.\n\n"
      "**Accuracy** is the share of held-out examples (of facts: of those it learnt, as no rule "
      "leads to others) that are answered right, for a text that "
      "of its characters, with Wilson's interval at 95 % (which takes answers for independent; the "
      "characters of one text are not quite). **Same as whole** (agreement) is the share of "
      "positions at which the "
      "most likely answer "
      "is that of the whole model, **KL** how far the whole distribution is from it. **Table** "
      "lists them for every point of the plot; a row that is clicked is chosen. Milliseconds "
      "are measured here and depend on what else this computer does. While training goes on, "
      "fewer examples are measured, again and again.");
}

QString ElasticWords::scatterPage() {
  return tr(
      "Each mark is a model: how many held-out examples it answers right, against what it costs in "
      "**parameters**, **operations** or measured **time**. Better is higher and further left.\n\n"
      "- **Filled**: granularities that were trained. **Hollow**: Mix'n'Match, a width for each "
      "layer that was never trained as such. **Crosses**: the same sizes trained separately, drawn "
      "beside their granularity.\n"
      "- The **Pareto line** is the best accuracy for at most that cost: what lies below it costs "
      "as much as something better.\n"
      "- **Bars** are Wilson's interval at 95 %, from the number of answers. Where they overlap, a "
      "difference may be chance. With several seeds the pale band is their deviation.\n\n"
      "Point at a mark to read it, click it to load its widths; a second click frees it. The axis "
      "need not start at 0, and says so; **From 0** lets it.");
}

QString ElasticWords::curvesPage() {
  return tr(
      "One curve for each granularity, one point for each **evaluation** on held-out examples: do "
      "the small ones follow the whole model, or does one fall behind while another still "
      "learns?\n\n"
      "The **bar** at the end is Wilson's interval at 95 % of the whole model's accuracy: curves "
      "that are closer than it may differ by chance. The axis need not start at 0, and says so; "
      "**From 0** lets it.");
}

}  // namespace tfm::ui
