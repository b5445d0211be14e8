// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_maps.h"

#include <algorithm>
#include <cmath>

#include "core/backend/op_arguments.h"
#include "core/base/check.h"
#include "core/observe/rollout.h"
#include "ui/document/asked_texts.h"

namespace tfm::ui {
namespace {

using observe::AttentionKind;
using observe::AttentionSite;

constexpr const char* kTensors[] = {"query", "key", "scores", "masked_scores", "probabilities"};

QStringList toList(const std::vector<std::string>& labels) {
  QStringList list;
  for (const std::string& label : labels) list << QString::fromStdString(label);
  return list;
}

bool holdTheSame(const std::shared_ptr<const observe::Held>& a,
                 const std::shared_ptr<const observe::Held>& b) {
  return a == b || (a && b && *a == *b);
}

/// Whether the maps of both have the same rows and columns, and the same mask.
bool sameMaps(const AttentionSite& a, const AttentionSite& b) {
  return a.kind == b.kind && a.shape.queries == b.shape.queries && a.shape.keys == b.shape.keys &&
         a.shape.window == b.shape.window && holdTheSame(a.queries, b.queries) &&
         holdTheSame(a.keys, b.keys);
}

/// Whether a key is a pad, for a map's cells: the engine lowers their scores by a constant, by
/// which no other number differs from its score.
bool isPad(float score, float masked, float scale) {
  return double(masked) - double(score) * double(scale) < kPadScore / 2;
}

/// The engine's own factor in its own precision, so that the stages match bit by bit.
float scalingOf(const AttentionSite& site) {
  return float(1.0 / std::sqrt(double(site.shape.key_size)));
}

/// Which cells the mask hides, and which are of pads; empty: none. Read off the numbers, so
/// that pooled pads are found as well.
std::vector<std::uint8_t> maskOf(const observe::Observations& observed, const AttentionSite& site) {
  const observe::Observed& scores = observed.at(site.path + ".scores");
  const observe::Observed& masked = observed.at(site.path + ".masked_scores");
  const std::int64_t rows = site.shape.queries, cols = site.shape.keys;
  if (scores.values.size() < std::size_t(rows * cols)) return {};
  std::vector<std::uint8_t> mask;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) {
      mask.push_back(site.shape.hides(row, col) ||
                     isPad(scores.at(row, col), masked.at(row, col), scalingOf(site)));
    }
  return std::ranges::find(mask, 1) == mask.end() ? std::vector<std::uint8_t>{} : mask;
}

AttentionGroup makeGroup(const train::ProbeInput& probe, const observe::Observations& observed,
                         const AttentionSite& site) {
  AttentionGroup group;
  group.kind = site.kind;
  group.rows = int(site.shape.queries);
  group.cols = int(site.shape.keys);
  group.row_labels = toList(train::queryLabels(probe, site));
  group.col_labels = toList(train::keyLabels(probe, site));
  group.masked = maskOf(observed, site);
  return group;
}

bool complete(const train::Snapshot& snapshot, const observe::Observations& observed) {
  for (const AttentionSite& site : snapshot.sites)
    for (const char* name : kTensors)
      if (!observed.contains(site.path + "." + name)) return false;
  return true;
}

void add(std::vector<float>& sum, const std::vector<float>& values, float weight) {
  if (sum.empty()) sum.assign(values.size(), 0.0F);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * values[i];
}

}  // namespace

const char* const AttentionMaps::kWanted =
    "*attention.scores,*attention.masked_scores,*attention.probabilities,*attention.query,"
    "*attention.key";

int AttentionGroup::maxHeads() const {
  int most = 0;
  for (int layer = 0; layer < int(layers.size()); ++layer) most = std::max(most, heads(layer));
  return most;
}

int AttentionGroup::keySize(int layer) const {
  const auto size = [this](int l) { return int(layers[std::size_t(l)].shape.key_size); };
  if (layer >= 0) return size(layer);
  for (int l = 1; l < int(layers.size()); ++l)
    if (size(l) != size(0)) return 0;
  return size(0);
}

bool AttentionGroup::sameShape(const AttentionGroup& other) const {
  return kind == other.kind && layers.size() == other.layers.size() &&
         layers.front().layer == other.layers.front().layer && rows == other.rows &&
         cols == other.cols && masked == other.masked;
}

bool AttentionGroup::sameCells(const AttentionGroup& other) const {
  return sameShape(other) && row_labels == other.row_labels && col_labels == other.col_labels;
}

bool AttentionGroup::comparable(const AttentionGroup& other) const {
  if (!sameCells(other)) return false;
  for (int layer = 0; layer < int(layers.size()); ++layer)
    if (heads(layer) != other.heads(layer)) return false;
  return true;
}

AttentionMaps::AttentionMaps(std::shared_ptr<const train::Snapshot> snapshot)
    : AttentionMaps(snapshot, snapshot->probe, 0) {}

AttentionMaps::AttentionMaps(std::shared_ptr<const train::Snapshot> snapshot,
                             const train::ProbeInput& probe, int text)
    : snapshot_(std::move(snapshot)), probe_(&probe), observed_(&snapshot_->observed), text_(text) {
  for (const train::SeenText& other : snapshot_->others)
    if (&other.probe == probe_) observed_ = &other.observed;
  if (!complete(*snapshot_, *observed_)) return;
  // As in the model's plan: stack by stack, and the blocks of a layer in the order of execution.
  std::vector<AttentionKind> kinds;
  for (const AttentionSite& site : snapshot_->sites)
    if (std::ranges::find(kinds, site.kind) == kinds.end()) kinds.push_back(site.kind);
  for (const AttentionKind kind : kinds) {
    const auto layers = std::ranges::count(snapshot_->sites, kind, &AttentionSite::kind);
    for (const AttentionSite& site : snapshot_->sites) {
      if (site.kind != kind) continue;
      if (groups_.empty() || !sameMaps(groups_.back().layers.back(), site)) {
        groups_.push_back(makeGroup(*probe_, *observed_, site));
        groups_.back().numbered = layers > 1;
      }
      groups_.back().layers.push_back(site);
    }
  }
}

void AttentionMaps::leaveRoomLike(const AttentionMaps& earlier) {
  // The question is what the encoder reads; without one, rows are the text that was typed.
  const auto asked = [](const AttentionMaps& maps) {
    const auto found =
        std::ranges::find(maps.groups_, observe::AttentionKind::EncoderSelf, &AttentionGroup::kind);
    return found == maps.groups_.end() ? QStringList() : found->row_labels;
  };
  if (asked(*this).isEmpty() || asked(*this) != asked(earlier)) return;
  if (groups_.size() != earlier.groups_.size()) return;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    AttentionGroup& group = groups_[i];
    const AttentionGroup& before = earlier.groups_[i];
    if (group.kind != before.kind) continue;
    group.most_rows = std::max({group.rows, before.rows, before.most_rows});
    group.most_cols = std::max({group.cols, before.cols, before.most_cols});
  }
}

bool AttentionMaps::has(const MapId& id) const {
  if (id.group < 0 || id.group >= int(groups_.size())) return false;
  const AttentionGroup& g = group(id);
  if (id.layer < 0) return id.head < g.maxHeads();
  return id.layer < int(g.layers.size()) && id.head < g.heads(id.layer);
}

MapId AttentionMaps::shownAs(const MapId& id) const {
  const AttentionGroup& g = group(id);
  const bool one_layer = g.layers.size() == 1;
  const bool one_head = g.maxHeads() == 1;
  MapId shown = id;
  if (one_layer) shown.layer = id.head < 0 && !one_head ? -1 : 0;
  if (one_head) shown.head = id.layer < 0 && !one_layer ? -1 : 0;
  return shown;
}

bool AttentionMaps::sameLayout(const AttentionMaps& other) const {
  return std::equal(
      groups_.begin(), groups_.end(), other.groups_.begin(), other.groups_.end(),
      [](const AttentionGroup& a, const AttentionGroup& b) { return a.comparable(b); });
}

AttentionMaps AttentionMaps::sharedWith(const AttentionMaps& other) const {
  AttentionMaps shared = *this;
  shared.groups_.clear();
  for (const AttentionGroup& group : groups_) {
    const auto theirs = std::ranges::find_if(
        other.groups_, [&](const AttentionGroup& g) { return g.sameCells(group); });
    if (theirs == other.groups_.end()) continue;
    AttentionGroup& kept = shared.groups_.emplace_back(group);
    for (std::size_t layer = 0; layer < kept.layers.size(); ++layer) {
      std::int64_t& heads = kept.layers[layer].shape.heads;
      heads = std::min(heads, theirs->layers[layer].shape.heads);
    }
  }
  return shared;
}

AttentionMaps AttentionMaps::comparedWith(const AttentionMaps& other, bool is_minuend) const {
  AttentionMaps compared = *this;
  compared.groups_.clear();
  for (std::size_t i = 0; i < std::min(groups_.size(), other.groups_.size()); ++i) {
    const AttentionGroup& theirs = other.groups_[i];
    if (!groups_[i].sameShape(theirs)) continue;
    AttentionGroup& group = compared.groups_.emplace_back(groups_[i]);
    const AttentionGroup& minuend = is_minuend ? groups_[i] : theirs;
    const AttentionGroup& subtrahend = is_minuend ? theirs : groups_[i];
    group.row_labels = labelsOfBoth(minuend.row_labels, subtrahend.row_labels);
    group.col_labels = labelsOfBoth(minuend.col_labels, subtrahend.col_labels);
  }
  return compared;
}

const observe::Observed& AttentionMaps::tensor(const AttentionSite& site, const char* name) const {
  return observed_->at(site.path + "." + name);
}

std::vector<float> AttentionMaps::headValues(const AttentionGroup& group, int layer, int head,
                                             AttentionStage stage) const {
  const AttentionSite& site = group.layers[std::size_t(layer)];
  const char* const name = stage == AttentionStage::Softmax  ? "probabilities"
                           : stage == AttentionStage::Masked ? "masked_scores"
                                                             : "scores";
  const observe::Observed& all = tensor(site, name);
  const std::size_t cells = std::size_t(group.rows) * std::size_t(group.cols);
  const auto first = all.values.begin() + std::ptrdiff_t(std::size_t(head) * cells);
  std::vector<float> values(first, first + std::ptrdiff_t(cells));
  if (stage == AttentionStage::Scaled) {
    for (float& value : values) value *= scalingOf(site);
  }
  if (stage == AttentionStage::Masked)
    for (std::size_t i = 0; i < group.masked.size(); ++i)
      if (group.masked[i]) values[i] = 0.0F;
  return values;
}

std::vector<float> AttentionMaps::rollout(const AttentionGroup& group) const {
  std::vector<observe::Observed> maps;
  for (const AttentionSite& site : group.layers)
    maps.push_back(observe::headMap(site, tensor(site, "probabilities"), -1));
  return observe::rollout(maps).values;
}

std::vector<float> AttentionMaps::values(const AttentionChoice& choice) const {
  check(has(choice.map), "the model has the map");
  const AttentionGroup& g = group(choice.map);
  if (choice.rollout) return rollout(g);
  // Every head has the same weight in a mean.
  std::vector<float> sum;
  std::vector<std::pair<int, int>> heads;
  for (int layer = 0; layer < int(g.layers.size()); ++layer)
    for (int head = 0; head < g.heads(layer); ++head)
      if ((choice.map.layer < 0 || choice.map.layer == layer) &&
          (choice.map.head < 0 || choice.map.head == head))
        heads.emplace_back(layer, head);
  if (heads.size() == 1)
    return headValues(g, heads.front().first, heads.front().second, choice.stage);
  for (const auto& [layer, head] : heads)
    add(sum, headValues(g, layer, head, choice.stage), 1.0F / float(heads.size()));
  return sum;
}

std::vector<float> AttentionMaps::allProbabilities(int group) const {
  const AttentionGroup& g = groups_[std::size_t(group)];
  const std::int64_t cells = std::int64_t(g.rows) * g.cols;
  std::vector<float> all;
  for (const AttentionSite& site : g.layers) {
    const std::vector<float>& values = tensor(site, "probabilities").values;
    all.insert(all.end(), values.begin(), values.begin() + site.shape.heads * cells);
  }
  return all;
}

}  // namespace tfm::ui
