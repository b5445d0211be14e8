// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/shape_words.h"

#include <algorithm>

#include "core/observe/held_positions.h"

namespace tfm::ui {
namespace {

QString listed(const std::vector<std::int64_t>& positions) {
  QStringList numbers;
  for (const std::int64_t position : positions) numbers << QString::number(position + 1);
  return numbers.join(QStringLiteral(", "));
}

}  // namespace

QString ShapeWords::shortStageName(const observe::StackStage& stage) {
  return stage.layer < 0 ? tr("input") : tr("layer %1").arg(stage.layer + 1);
}

QString ShapeWords::stageName(const observe::StackStage& stage) {
  const QString stack = stage.stack == Stack::Decoder ? tr("decoder") : tr("encoder");
  return QStringLiteral("%1 %2").arg(stack, shortStageName(stage));
}

QString ShapeWords::change(std::int64_t before, std::int64_t after) {
  if (after == before || after < 1 || before < 1) return {};
  const bool shorter = after < before;
  const std::int64_t times = shorter ? (before + after / 2) / after : (after + before - 1) / before;
  return (shorter ? tr("pool ÷ %1") : tr("repeat × %1")).arg(times);
}

QString ShapeWords::added(const observe::StackStage& stage) {
  return stage.layer < 0 ? tr("+ the input")
                         : tr("+ the states after layer %1").arg(stage.layer + 1);
}

QString ShapeWords::held(const QStringList& tokens, const Stages& stages, std::size_t stage,
                         std::int64_t position) {
  const QString place = tr("position %1").arg(position + 1);
  if (tokens.size() != int(stages.front().length)) return place;
  // At the whole length every position is a separate place, whatever it was repeated from.
  if (stages[stage].length == stages.front().length) return tokens[int(position)];
  std::vector<std::string> labels;
  for (const QString& token : tokens) labels.push_back(token.toStdString());
  const auto held = observe::heldLabels(labels, {observe::relatives(stages, stage, position, 0)});
  return held.empty() ? place : QString::fromStdString(held.front());
}

QString ShapeWords::made(const Stages& stages, std::size_t stage, std::int64_t position) {
  if (stage == 0) {
    std::size_t last = 0;
    for (std::size_t i = 1; i < stages.size(); ++i)
      if (stages[i].length < stages[last].length) last = i;
    return observe::relatives(stages, 0, position, last).empty()
               ? tr("Dropped where the sequence is truncated, so that its length stays a power of "
                    "two.")
               : tr("A position of the input.");
  }
  const auto& from = stages[stage].from[std::size_t(position)];
  const QString before = stageName(stages[stage - 1]);
  if (stages[stage].length > stages[stage - 1].length) {
    if (from.empty())
      return tr("After the last copy: contains only what %1 adds.")
          .arg(stages[stage].added < 0 ? tr("nothing")
                                       : stageName(stages[std::size_t(stages[stage].added)]));
    const auto copies = observe::relatives(stages, stage - 1, from.front(), stage);
    return tr("One of %1 copies of position %2 of %3.")
        .arg(copies.size())
        .arg(from.front() + 1)
        .arg(before);
  }
  if (from.size() > 1)
    return tr("Made of positions %1 of %2; holds %3 positions of the input.")
        .arg(listed(from), before)
        .arg(observe::relatives(stages, stage, position, 0).size());
  return tr("Made of position %1 of %2.").arg(listed(from), before);
}

QString ShapeWords::lengthSentence(const Stages& stages) {
  if (stages.empty()) return {};
  const auto [least, most] = std::ranges::minmax(stages, {}, &observe::StackStage::length);
  if (least.length == most.length)
    return tr("Every layer keeps the length: %1 positions in, %1 out. In a Funnel-Transformer, the "
              "band would narrow where positions are pooled in pairs.")
        .arg(most.length);
  if (stages.back().length == most.length)
    return tr("The sequence shrinks from %1 positions to %2 on its way, and is stretched again for "
              "answers at every position. Hover a position to see what it holds.")
        .arg(most.length)
        .arg(least.length);
  return tr("The sequence shrinks from %1 positions to %2 on its way: a layer at half the length "
            "costs half as much, or less. Hover a position to see what it holds.")
      .arg(most.length)
      .arg(least.length);
}

QString ShapeWords::widthSentence(const std::vector<StrandChain>& chains) {
  std::int64_t groups = 1;
  for (const StrandChain& chain : chains)
    for (const observe::PassedMap& map : chain.maps) groups = std::max(groups, map.groups);
  if (chains.empty())
    return tr(
        "This stack has only attention: its states have the same width everywhere. Feed-forward "
        "blocks widen them once, DeLighT blocks in several grouped maps.");
  if (groups == 1)
    return tr(
        "Each feed-forward widens the states and narrows them again, the same in every layer. "
        "DeLighT does so in many small maps, and deeper blocks are wider.");
  return tr(
      "Every block widens and narrows the states in grouped maps. Each strand is a group, which "
      "reads only its part; the shuffle mixes the groups. Hover a strand.");
}

QString ShapeWords::chainName(const StrandChain& chain) {
  const QString where = chain.layer < 0 ? tr("input") : tr("layer %1").arg(chain.layer + 1);
  const auto grouped = std::ranges::count_if(
      chain.maps, [](const observe::PassedMap& map) { return map.groups > 1; });
  return grouped == 0 ? where : tr("%1 · %2 grouped maps").arg(where).arg(grouped);
}

QString ShapeWords::widths(const StrandChain& chain) {
  QStringList numbers{QString::number(chain.maps.front().inputs)};
  for (const observe::PassedMap& map : chain.maps) numbers << QString::number(map.outputs);
  return numbers.join(QStringLiteral("→"));
}

QString ShapeWords::strand(const StrandChain& chain, std::size_t map, std::int64_t group) {
  const observe::PassedMap& m = chain.maps[map];
  const QString where = chain.layer < 0 ? tr("input") : tr("layer %1").arg(chain.layer + 1);
  QStringList text{tr("%1, map %2 of %3, group %4 of %5: reads %6 components, writes %7.")
                       .arg(where)
                       .arg(map + 1)
                       .arg(chain.maps.size())
                       .arg(group + 1)
                       .arg(m.groups)
                       .arg(m.inputs / m.groups)
                       .arg(m.outputs / m.groups)};
  if (m.groups > 1)
    text << tr("The map has %1 weights instead of %2.")
                .arg(QString::number(m.inputs * m.outputs / m.groups),
                     QString::number(m.inputs * m.outputs));
  if (m.joined > 0)
    text << tr("%1 of what it reads are its part of the projected input (mixer).")
                .arg(m.joined / m.groups);
  if (m.shuffled && m.groups > 1)
    text << tr("Then the features are shuffled: %1.").arg(shuffle(m.groups, m.outputs / m.groups));
  return text.join(' ');
}

QString ShapeWords::shuffle(std::int64_t groups, std::int64_t features) {
  // Two groups and two features show the rule; their numbers are the model's own.
  const std::int64_t g = std::min<std::int64_t>(groups, 3), f = std::min<std::int64_t>(features, 2);
  const auto name = [](std::int64_t group, std::int64_t feature) {
    return QStringLiteral("%1%2").arg(QChar(ushort('a' + group))).arg(feature + 1);
  };
  QStringList before, after;
  for (std::int64_t i = 0; i < g; ++i) {
    QStringList own;
    for (std::int64_t j = 0; j < f; ++j) own << name(i, j);
    before << own.join(' ') + (f < features ? QStringLiteral(" …") : QString());
  }
  for (std::int64_t j = 0; j < f; ++j) {
    QStringList own;
    for (std::int64_t i = 0; i < g; ++i) own << name(i, j);
    after << own.join(' ') + (g < groups ? QStringLiteral(" …") : QString());
  }
  return QStringLiteral("[%1%2] → [%3%4]")
      .arg(before.join(QStringLiteral(" | ")), g < groups ? QStringLiteral(" | …") : QString(),
           after.join(' '), f < features ? QStringLiteral(" …") : QString());
}

QString ShapeWords::asked(const std::vector<observe::AttentionSite>& sites,
                          const observe::StackStage& stage) {
  using observe::AttentionKind;
  const AttentionKind kind =
      stage.stack == Stack::Decoder ? AttentionKind::DecoderSelf : AttentionKind::EncoderSelf;
  for (const observe::AttentionSite& site : sites)
    if (site.kind == kind && site.layer == stage.layer)
      return tr(" Here, the layer's attention has %1 keys: a map of %2 × %1.")
          .arg(site.shape.keys)
          .arg(site.shape.queries);
  return {};
}

QString ShapeWords::page() {
  return tr(
      "**Length**: each plate is the output states of a layer, a position a row and a component a "
      "cell. Where a Funnel-Transformer pools, two neighbouring positions become one, which holds "
      "both; [CLS] stays alone. Its decoder repeats every position and adds the states from before "
      "the first pooling. Hover a position to see which it is made from and which it goes into; a "
      "click locks it, Esc unlocks it, the arrow keys move.\n\n"
      "**Width**: the maps that the states pass, each as its groups. A column is what lies between "
      "two maps, a component a row and a position a column. Crossing lines are the shuffle, the "
      "line below is the mixer, which hands the projected input to every later map.\n\n"
      "Another model's shape can be looked at without training it: where there are no tensors, "
      "there are outlines with their sizes.");
}

}  // namespace tfm::ui
