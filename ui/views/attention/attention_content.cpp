// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_content.h"

#include <algorithm>

#include "ui/document/observing.h"
#include "ui/document/selection.h"
#include "ui/views/attention/attention_cell.h"
#include "ui/views/attention/attention_pictures.h"
#include "ui/views/attention/attention_words.h"

namespace tfm::ui {

MapId AttentionContent::mapOr(const MapId& map) const {
  return maps.has(map) ? map : firstMap(maps);
}

const AttentionMaps* AttentionContent::subtrahend(const MapId& map, bool less_pin) const {
  if (minus) return &*minus;
  const bool subtracts = less_pin && pinned && !second && pinned->has(map) &&
                         maps.group(map).comparable(pinned->group(map));
  if (!subtracts) return nullptr;
  return pinned->step() > maps.step() ? &maps : &*pinned;
}

const AttentionMaps& AttentionContent::minuend(const MapId& map, bool less_pin) const {
  return subtrahend(map, less_pin) == &maps ? *pinned : maps;
}

std::string AttentionContent::partOf(const MapId& map) const {
  const AttentionGroup& group = maps.group(map);
  if (map.layer < 0 || map.layer >= int(group.layers.size())) return {};
  const std::string& path = group.layers[std::size_t(map.layer)].path;
  return map.head < 0 ? path : path + ".head." + std::to_string(map.head);
}

std::string AttentionContent::partOf(const MapId& map, const Cell& cell) const {
  if (map.layer < 0 || map.head < 0) return {};
  const std::string& path = maps.group(map).layers[std::size_t(map.layer)].path;
  return path + ".probabilities[" + std::to_string(map.head) + ", " + std::to_string(cell.row) +
         ", " + std::to_string(cell.col) + "]";
}

std::optional<Cell> AttentionContent::cellOf(const MapId& map, const ReadToken& token,
                                             const AttentionChoice& choice) const {
  if (!maps.has(map) || map.layer < 0 || map.head < 0) return std::nullopt;
  const observe::AttentionSite& site = maps.group(map).layers[std::size_t(map.layer)];
  const bool encoder = token.stack == Stack::Encoder;
  const bool looks = (site.kind == observe::AttentionKind::EncoderSelf) == encoder;
  const bool is_looked_at = encoder && site.kind == observe::AttentionKind::Cross;
  const auto& held = looks ? site.queries : site.keys;
  if (!(looks || is_looked_at) || !held) return std::nullopt;
  const auto holds = [&](const std::vector<std::int64_t>& positions) {
    return std::ranges::count(positions, token.position) > 0;
  };
  const auto found = std::ranges::find_if(*held, holds);  // pooled, it is one of several
  if (found == held->end()) return std::nullopt;
  const auto side = looks ? Token::Side::Looking : Token::Side::LookedAt;
  return strongestCell(maps, choice, {side, int(found - held->begin())});
}

Cell strongestCell(const AttentionMaps& maps, const AttentionChoice& choice, const Token& token) {
  const AttentionGroup& group = maps.group(choice.map);
  const std::vector<float> values = maps.values(choice);
  return token.side == Token::Side::Looking
             ? Cell{token.index, strongestColumn(group, values, token.index)}
             : Cell{strongestRow(group, values, token.index), token.index};
}

std::optional<AttentionContent> contentOf(const std::shared_ptr<const train::Snapshot>& snapshot,
                                          const Observing& observing, TextsShown shown) {
  AttentionContent content;
  if (snapshot->is_difference) {
    // Not the difference's own numbers: a product of differences is meaningless.
    const AttentionMaps of_later(snapshot->minuend), of_earlier(snapshot->subtrahend);
    content.maps = of_later.sharedWith(of_earlier);
    if (!content.maps.empty()) {
      content.minus = of_earlier.sharedWith(of_later);
      return content;
    }
    content.title =
        AttentionWords::tr("Attention · %1").arg(AttentionWords::difference(of_later, of_earlier));
    content.why_empty = snapshot->problem.empty()
                            ? AttentionWords::nothingShared(of_later, of_earlier)
                            : QString::fromStdString(snapshot->problem);
    return content;
  }
  if (snapshot->beside) content.pinned.emplace(snapshot->beside);
  const AskedTexts& texts = observing.texts();
  const auto mapsOf = [&](int text) {
    const train::ProbeInput* input = observing.inputOf(text);
    return input == nullptr ? AttentionMaps()
                            : AttentionMaps(snapshot, *input, texts.all.size() > 1 ? text + 1 : 0);
  };
  if (const auto pair = shown == TextsShown::One ? std::nullopt : pairOf(texts)) {
    AttentionMaps first = mapsOf(pair->first), second = mapsOf(pair->second);
    const bool both = !first.empty() && !second.empty();
    if (both && shown == TextsShown::Beside) {
      content.maps = std::move(first);
      content.second = std::move(second);
      return content;
    }
    AttentionMaps later = second.comparedWith(first, true);
    if (both && !later.empty() && observing.noComparison(*pair).isEmpty()) {
      content.minus = first.comparedWith(second, false);
      content.maps = std::move(later);
      return content;
    }
  }
  content.maps = mapsOf(texts.shown);
  if (content.maps.empty()) content.maps = AttentionMaps(snapshot);
  return content.maps.empty() ? std::nullopt : std::optional(std::move(content));
}

report::Source sourceOf(const AttentionContent& content, const AttentionChoice& choice,
                        bool less_pin) {
  if (content.maps.empty()) return {};
  const train::Snapshot& snapshot = content.maps.snapshot();
  if (content.subtrahend(choice.map, less_pin) != nullptr && !snapshot.is_difference) return {};
  const bool softmax = choice.rollout || choice.stage == AttentionStage::Softmax;
  const std::string tensor = softmax                                 ? "probabilities"
                             : choice.stage == AttentionStage::Score ? "scores"
                                                                     : "masked_scores";
  report::Source source{"tensors", "*attention." + tensor};
  source.right_answer = content.maps.probe().read == train::ReadAnswer::Right;
  if (choice.map.layer < 0) return source;
  const AttentionGroup& group = content.maps.group(choice.map);
  source.shown = group.layers[std::size_t(choice.map.layer)].path + "." + tensor;
  if (choice.map.head >= 0)
    source.shown.append("[").append(std::to_string(choice.map.head)).append("]");
  return source;
}

}  // namespace tfm::ui
