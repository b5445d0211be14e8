// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/index_label.h"
#include "ui/figure/number_text.h"
#include "ui/views/attention/attention_cell.h"

namespace tfm::ui {

using observe::AttentionKind;

namespace {

QString share(float value) { return fixedNumber(value, 2); }

}  // namespace

QString AttentionWords::groupName(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::EncoderSelf:
      return tr("encoder self");
    case AttentionKind::DecoderSelf:
      return tr("decoder self");
    case AttentionKind::Cross:
      return tr("cross");
  }
  return {};
}

QString AttentionWords::groupName(const AttentionGroup& group, bool divided) {
  const QString name = groupName(group.kind);
  if (!divided) return name;
  const int first = group.layerNumber(0), last = group.layerNumber(int(group.layers.size()) - 1);
  return (first == last ? tr("%1 · layer %2").arg(name).arg(first)
                        : tr("%1 · layers %2–%3").arg(name).arg(first).arg(last)) +
         QStringLiteral(" · %1 × %2").arg(group.rows).arg(group.cols);
}

QString AttentionWords::rowTitle(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::EncoderSelf:
      return tr("at (encoder)");
    case AttentionKind::DecoderSelf:
      return tr("position (decoder)");
    case AttentionKind::Cross:
      return tr("writes (decoder)");
  }
  return {};
}

QString AttentionWords::columnTitle(AttentionKind kind) {
  return kind == AttentionKind::DecoderSelf ? tr("reads (decoder)") : tr("reads (encoder)");
}

QString AttentionWords::rowVerb(AttentionKind kind) {
  return kind == AttentionKind::Cross ? tr("writes") : tr("at");
}

QString AttentionWords::title(const AttentionGroup& group, const AttentionChoice& choice) {
  QString who;
  switch (group.kind) {
    case AttentionKind::EncoderSelf:
      who = tr("Encoder looks at itself");
      break;
    case AttentionKind::DecoderSelf:
      who = tr("Decoder looks at itself");
      break;
    case AttentionKind::Cross:
      who = tr("Decoder looks at encoder");
      break;
  }
  // A mean over one layer of several is that layer's.
  const bool alone = group.numbered && group.layers.size() == 1;
  const int layer = alone ? 0 : choice.map.layer;
  const int head = choice.map.head;
  const int number = layer < 0 ? 0 : group.layerNumber(layer);
  QString which;
  if (choice.rollout)
    which = group.layers.size() == 1 ? tr("rollout")
                                     : tr("rollout over layers %1 to %2")
                                           .arg(group.layerNumber(0))
                                           .arg(group.layerNumber(int(group.layers.size()) - 1));
  else if (layer < 0 && head < 0)
    which = tr("mean over all heads");
  else if (layer < 0)
    which = tr("head %1, mean over layers").arg(head + 1);
  else if (head < 0)
    which = group.numbered ? tr("layer %1, mean over heads").arg(number) : tr("mean over heads");
  else
    which = group.numbered ? tr("layer %1, head %2").arg(number).arg(head + 1)
                           : tr("head %1").arg(head + 1);
  return tr("%1 · %2").arg(who, which);
}

QString AttentionWords::scaling(int key_size) {
  return key_size > 0 ? tr("÷ √%1").arg(key_size) : tr("÷ √k");
}

QString AttentionWords::stageName(const AttentionChoice& choice, int key_size) {
  if (choice.rollout) return tr("rollout");
  switch (choice.stage) {
    case AttentionStage::Score:
      return tr("score: query · key");
    case AttentionStage::Scaled:
      return tr("score %1").arg(scaling(key_size));
    case AttentionStage::Masked:
      return tr("score %1 + mask").arg(scaling(key_size));
    case AttentionStage::Softmax:
      return tr("attention: softmax over the row");
  }
  return {};
}

QString AttentionWords::sentence(const AttentionGroup& group, const AttentionChoice& choice,
                                 const TaskWords& words) {
  const QString scale = scaling(group.keySize(choice.map.layer));
  if (choice.rollout)
    return tr(
        "The maps of all layers multiplied, each as (mean over heads + identity) ÷ 2: what "
        "reaches a row through the whole stack. Rows sum to 1.");
  switch (choice.stage) {
    case AttentionStage::Score:
      return tr(
          "Each cell is query · key: how well what the row looks for matches what the column "
          "offers. Blue is above zero, orange below.");
    case AttentionStage::Scaled:
      return tr("The scores %1, the square root of the key size, so that they do not grow with it.")
          .arg(scale);
    case AttentionStage::Masked:
      return group.masked.empty() ? tr("The input of the softmax. No cell is masked here: every "
                                       "row may read every column.")
             : group.layers.front().shape.window > 0
                 ? tr("The input of the softmax. Hatched cells are masked: a row must read only "
                      "the last %n position(s), up to its own.",
                      nullptr, int(group.layers.front().shape.window))
             : group.layers.front().shape.causal
                 ? tr("The input of the softmax. Hatched cells are masked: a row "
                      "must not read what comes after it.")
                 : tr("The input of the softmax. Hatched cells are masked: no row "
                      "reads the pads that make all texts equally long.");
    case AttentionStage::Softmax:
      break;
  }
  if (group.kind != AttentionKind::Cross && group.rows != group.cols)
    return tr("Pooled: each of the %1 rows holds two neighbours as one and reads all %2 positions "
              "from before the pooling. Rows sum to 1.")
        .arg(group.rows)
        .arg(group.cols);
  switch (group.kind) {
    case AttentionKind::EncoderSelf:
      return tr("Each row is a %1 of the input; its bright cells are the %2 it reads. Rows sum to "
                "1.")
          .arg(words.token, words.tokens);
    case AttentionKind::DecoderSelf:
      return tr("Each row is a %1 the decoder has so far; its bright cells are those it reads. "
                "Hatched cells come later and are masked. Rows sum to 1.")
          .arg(words.token);
    case AttentionKind::Cross:
      return tr("Each row is a %1 being written; its bright cells are the %2 it reads. Rows sum to "
                "1.")
          .arg(words.token, words.tokens);
  }
  return {};
}

QString AttentionWords::batchSentence() {
  return tr(
      "Each row is a text, each cell a token with its number in the vocabulary. Grey cells are "
      "pads, which no query reads.");
}

bool AttentionWords::areTexts(const AttentionMaps& maps, const AttentionMaps& other) {
  return maps.text() != other.text() && maps.text() > 0 && other.text() > 0;
}

QString AttentionWords::nameBeside(const AttentionMaps& maps, const AttentionMaps& other) {
  return areTexts(maps, other) ? tr("text %1").arg(maps.text()) : tr("step %1").arg(maps.step());
}

QString AttentionWords::whereIn(const AttentionMaps& maps, const AttentionMaps& other) {
  return areTexts(maps, other) ? tr("in text %1").arg(maps.text())
                               : tr("at step %1").arg(maps.step());
}

QString AttentionWords::difference(const AttentionMaps& maps, const AttentionMaps& minus) {
  return tr("%1 − %2").arg(nameBeside(maps, minus), nameBeside(minus, maps));
}

QString AttentionWords::whyMasked(const AttentionGroup& group, const Cell& cell) {
  if (!group.isHidden(cell.row, cell.col))
    return tr("not read: column %1 is a pad").arg(cell.col + 1);
  return (cell.col > cell.row ? tr("not read: column %1 comes after row %2")
                              : tr("not read: column %1 is too far before row %2"))
      .arg(cell.col + 1)
      .arg(cell.row + 1);
}

QString AttentionWords::differenceSentence(const AttentionMaps& maps, const AttentionMaps& minus,
                                           std::int64_t answered) {
  if (areTexts(maps, minus))
    return tr("Text %1 “%2” minus text %3 “%4”: blue cells are read more in text %1, orange ones "
              "less. Labels name both tokens, that of text %1 first.")
        .arg(maps.text())
        .arg(QString::fromStdString(maps.probe().question))
        .arg(minus.text())
        .arg(QString::fromStdString(minus.probe().question));
  QString text = tr("From step %2 to step %1: blue cells increased, orange ones decreased.")
                     .arg(maps.step())
                     .arg(minus.step());
  const train::ProbeInput& probe = maps.probe();
  if (!probe.written_labels.empty()) {
    const QString answer = QString::fromStdString(probe.answer);
    text +=
        QLatin1Char(' ') +
        (probe.read == train::ReadAnswer::Right
             ? tr("Both read the right answer “%1”, whatever they would write (teacher forcing).")
                   .arg(answer)
             : tr("The right answer is not known: both read “%1”, that of step %2.")
                   .arg(answer)
                   .arg(answered));
  }
  const auto all = [](const AttentionMaps& moment) {
    std::int64_t heads = 0;
    for (const observe::AttentionSite& site : moment.snapshot().sites) heads += site.shape.heads;
    return heads;
  };
  std::int64_t shared = 0;
  for (const AttentionGroup& group : maps.groups())
    for (int layer = 0; layer < int(group.layers.size()); ++layer) shared += group.heads(layer);
  if (all(maps) != shared || all(minus) != shared)
    text += QLatin1Char(' ') +
            tr("Only the %1 heads of both are shown: step %2 has %3, step %4 has %5.")
                .arg(shared)
                .arg(maps.step())
                .arg(all(maps))
                .arg(minus.step())
                .arg(all(minus));
  return text;
}

QString AttentionWords::nothingShared(const AttentionMaps& maps, const AttentionMaps& minus) {
  const auto layers = [](const AttentionMaps& moment) { return moment.snapshot().sites.size(); };
  if (layers(maps) != layers(minus))
    return tr("No difference: step %1 has %2 attentions, step %3 has %4, and it is not known "
              "which correspond. Choose A or B to see its maps.")
        .arg(maps.step())
        .arg(layers(maps))
        .arg(minus.step())
        .arg(layers(minus));
  return tr("No difference: the rows or columns at step %1 stand for other tokens than at step "
            "%2. Choose A or B to see its maps.")
      .arg(maps.step())
      .arg(minus.step());
}

QString AttentionWords::notComparable(const AttentionMaps& pinned) {
  return tr("No difference: the maps at step %1 have other rows, columns or heads")
      .arg(pinned.step());
}

QString AttentionWords::label(const QStringList& labels, int index) {
  return labels.isEmpty() ? tr("position %1").arg(labelOf(index)) : labels[index];
}

QString AttentionWords::explain(const AttentionGroup& group, const AttentionChoice& choice,
                                const std::vector<float>& softmax, const Cell& cell) {
  QStringList sentences;
  const auto at = [&](int col) { return softmax[std::size_t(cell.row) * group.cols + col]; };
  for (int col = 0; col < group.cols; ++col)
    if (std::isnan(at(col))) return tr("This row contains NaN values.");
  std::vector<int> order(static_cast<std::size_t>(group.cols));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return at(a) > at(b); });
  const auto column = [&](int col) {
    return tr("“%1” (%2)").arg(label(group.col_labels, col), share(at(col)));
  };
  const QString row = label(group.row_labels, cell.row);
  sentences << (at(order.front()) >= 0.5F || order.size() < 2
                    ? (choice.rollout ? tr("Most of what reaches row “%1” comes from %2.")
                                      : tr("Row “%1” reads mostly %2."))
                          .arg(row, column(order[0]))
                    : tr("Row “%1” spreads: most goes to %2 and %3.")
                          .arg(row, column(order[0]), column(order[1])));
  if (group.isHidden(cell.row, group.cols - 1)) sentences << tr("What comes after it is masked.");
  if (group.isHidden(cell.row, 0)) sentences << tr("So is what comes before its window.");

  std::map<int, int> offsets;  // distance of the brightest cell from the row's own position
  for (int r = 0; r < group.rows; ++r) ++offsets[strongestColumn(group, softmax, r) - r];
  for (const int offset : {0, -1, 1}) {
    const auto found = offsets.find(offset);
    if (found == offsets.end() || 2 * found->second <= group.rows || group.rows < 3) continue;
    const QString where = offset == 0  ? tr("at its own position")
                          : offset < 0 ? tr("one position before its own")
                                       : tr("one position after its own");
    sentences << tr("In %1 of %2 rows the brightest cell is %3.")
                     .arg(found->second)
                     .arg(group.rows)
                     .arg(where);
  }
  if (!choice.rollout && choice.map.layer >= 0 && choice.map.head >= 0) {
    const int heads = group.heads(choice.map.layer);
    if (heads > 1)
      sentences
          << tr("The %1 heads of this layer work in parallel, each with its own queries and keys.")
                 .arg(heads);
  }
  return sentences.join(' ');
}

QString AttentionWords::explainDifference(const AttentionGroup& group,
                                          const std::vector<float>& softmax, int row,
                                          const QString& minus) {
  const auto first = softmax.begin() + std::ptrdiff_t(row) * group.cols;
  const auto last = first + group.cols;
  if (std::any_of(first, last, [](float x) { return std::isnan(x); }))
    return tr("This row contains NaN values.");
  const auto [least, most] = std::minmax_element(first, last);
  const QString name = label(group.row_labels, row);
  constexpr float kNothing = 0.005F;  // rounds to 0.00
  if (*least > -kNothing && *most < kNothing)
    return tr("Row “%1” reads as it did %2.").arg(name, minus);
  const auto column = [&](auto at) {
    return tr("“%1” (%2)")
        .arg(label(group.col_labels, int(at - first)),
             (*at > 0.0F ? QStringLiteral("+") : QString()) + share(*at));
  };
  const QString than = tr("than %1").arg(minus);
  if (*least > -kNothing) return tr("Row “%1” reads more of %2 %3.").arg(name, column(most), than);
  if (*most < kNothing) return tr("Row “%1” reads less of %2 %3.").arg(name, column(least), than);
  return tr("Row “%1” reads more of %2 and less of %3 %4.")
      .arg(name, column(most), column(least), than);
}

QString AttentionWords::page() {
  return tr(
      "**What it shows.** On the left, every head of every layer as a small map; on the right, one "
      "of them large. A row is a position that looks; a column is a position that is looked at. "
      "Hover a small map to preview it, click to lock it, press Esc to unlock it. Maps called "
      "*mean* are the mean over heads or layers.\n\n"
      "**How it is computed.** Each position has a *query*, each position that can be read has a "
      "*key*. The **score** is query · key, the sum of their products. It is divided by the square "
      "root of the key size (**÷ √k**). Where a row must not look, −∞ is added (**masked**). The "
      "**softmax** turns a row into shares that sum to 1.\n\n"
      "**Rollout** (Abnar and Zuidema 2020) multiplies the maps of a stack, each as (mean over "
      "heads + identity) ÷ 2, to show what reaches a row through all layers. Rows and columns must "
      "be the same positions, so there is none for cross-attention.\n\n"
      "**Difference** shows what changed between the moment pinned as A and what is shown; the "
      "controls below the loss compare two pinned moments, the later minus the earlier one. Both "
      "models then read the same answer, the right one if it is known (teacher forcing), so that "
      "rows match. Means are over the heads that both have.\n\n"
      "**Several texts.** *Add a text* lets the model read more than one, in one batch. Shorter "
      "ones are padded; pads are hatched, since no query reads them. Their maps stand side by side "
      "or, if the texts are equally long, are subtracted.\n\n"
      "**What to try.** Pin a step early in training, continue training, then switch Difference "
      "on. Type another text. Click a cell and see on the right how it is computed. Shift-click "
      "several rows to see what they read on average.\n\n"
      "**What if?** Press O, or right-click a small map, to switch that head off and see how the "
      "answer changes; right-click a cell to set it to another number. The other cells of its row "
      "stay as they are. *What if* on the left lists what is in force.\n\n"
      "Keys: S score, K ÷ √k, M masked, X softmax, L map or lines, B batch, R rollout, P pin, D "
      "difference, "
      "O head off, arrows move, Return locks, Esc unlocks.");
}

std::vector<ExplainedPart> AttentionWords::parts(QWidget& grid, QWidget& map, QWidget& question,
                                                 QWidget& tools, QWidget& inspector) {
  return {
      {&grid, tr("All heads"),
       tr("Every head of every layer as a small map. Hover one to preview it, click to lock it.")},
      {&map, tr("The large map"),
       tr("Each row attends to the columns: the brighter a cell, the more that row takes from "
          "that column.")},
      {&question, tr("Say something"), tr("The text whose attention is shown. Type your own.")},
      {&tools, tr("Stages"),
       tr("The stages from query · key to shares, as a map or as lines, and the difference from a "
          "pinned step.")},
      {&inspector, tr("Cell"), tr("How a cell is computed, and what its row reads.")}};
}

}  // namespace tfm::ui
