// SPDX-License-Identifier: GPL-3.0-or-later
// Which maps are shown: of one moment, or the difference of two.
#include <algorithm>
#include <cmath>

#include "ui/document/model_document.h"
#include "ui/document/task_words.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/heatmap/lines_view.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/attention_words.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {
namespace {

void subtract(std::vector<float>& from, const std::vector<float>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
}

/// A common signed scale.
ColorScale scaleOf(const std::vector<HeatGroup>& groups) {
  float largest = 0.0F;
  for (const HeatGroup& group : groups)
    for (const float value : group.values) largest = std::max(largest, std::abs(value));
  return ColorScale::signedTo(niceLimit(double(largest)));
}

/// The initial head: of the cross-attention heads, the one closest to a diagonal, which is easiest
/// to understand.
int firstHead(const AttentionMaps& maps, int group, int layer) {
  const AttentionGroup& of = maps.groups()[std::size_t(group)];
  if (of.kind != observe::AttentionKind::Cross) return 0;
  int best = 0;
  float most = -1.0F;
  for (int head = 0; head < of.heads(layer); ++head) {
    const std::vector<float> values = maps.values({{group, layer, head}});
    float sum = 0.0F;
    for (int i = 0; i < std::min(of.rows, of.cols); ++i)
      sum += values[std::size_t(i * of.cols + i)];
    if (sum > most) {
      most = sum;
      best = head;
    }
  }
  return best;
}

}  // namespace

void AttentionView::forget() {
  takePin();
  showNothing(tr("Attention"), tr("Which positions look at which inside the model."));
}

void AttentionView::showNothing(const QString& title, const QString& sentence) {
  maps_ = {};
  minus_.reset();
  cell_.reset();
  rows_.clear();
  map_ = {};
  grid_->setGroups({});
  cells_->setMap({});
  lines_->setMap({});
  panel_->setTitle(title);
  panel_->setSentence(sentence);
  panel_->setFigure(nullptr);
  if (inspector_) inspector_->clear();
}

void AttentionView::takeSnapshot() {
  const auto& snapshot = document_.observing().snapshot();
  if (!isVisible() || !snapshot) return;
  tools_->setComparesPins(snapshot->is_difference);
  if (snapshot->is_difference) {
    const bool a_later = document_.moments().laterPin() == Pin::A;
    const auto later = document_.moments().pinnedSnapshot(a_later ? Pin::A : Pin::B);
    const auto earlier = document_.moments().pinnedSnapshot(a_later ? Pin::B : Pin::A);
    if (!later || !earlier) return;  // another snapshot follows
    // Not the difference's own numbers: a product of differences is meaningless.
    const AttentionMaps of_later(later), of_earlier(earlier);
    AttentionMaps next = of_later.sharedWith(of_earlier);
    if (next.empty())
      return showNothing(
          tr("Attention · %1").arg(AttentionWords::difference(later->step, earlier->step)),
          snapshot->problem.empty() ? AttentionWords::nothingShared(of_later, of_earlier)
                                    : QString::fromStdString(snapshot->problem));
    maps_ = std::move(next);
    minus_ = of_earlier.sharedWith(of_later);
    setGrid(false);
    return refresh();
  }
  AttentionMaps next(snapshot);
  if (next.empty()) return;  // the question cannot be read; keep showing the last one
  const bool same = !minus_ && next.sameLayout(maps_);
  minus_.reset();
  maps_ = std::move(next);
  setGrid(same);
  refresh();
}

void AttentionView::takePin() {
  const auto& look = document_.isOpen() ? document_.moments().pinnedSnapshot(Pin::A) : nullptr;
  pinned_.reset();
  if (look) pinned_.emplace(look);
  tools_->setPinned(document_.isOpen() ? document_.moments().pinnedStep(Pin::A) : std::nullopt);
  updateWants();
  refresh();
}

void AttentionView::setGrid(bool same_layout) {
  const auto& groups = maps_.groups();
  if (same_layout) {
    for (int i = 0; i < int(groups.size()); ++i) grid_->setValues(i, maps_.allProbabilities(i));
    return;
  }
  std::vector<HeatGroup> shown;
  for (int i = 0; i < int(groups.size()); ++i) {
    const AttentionGroup& group = groups[std::size_t(i)];
    const bool divided = std::ranges::count(groups, group.kind, &AttentionGroup::kind) > 1;
    HeatGroup one{AttentionWords::groupName(group, divided),
                  group.rows,
                  group.cols,
                  {},
                  maps_.allProbabilities(i),
                  group.masked,
                  group.layerNumber(0)};
    if (minus_) subtract(one.values, minus_->allProbabilities(i));
    for (int layer = 0; layer < int(group.layers.size()); ++layer)
      one.heads.push_back(group.heads(layer));
    shown.push_back(std::move(one));
  }
  const ColorScale scale = minus_ ? scaleOf(shown) : ColorScale::sequential();
  grid_->setGroups(
      std::move(shown), scale,
      minus_ ? tr("All heads, %1").arg(AttentionWords::difference(maps_.step(), minus_->step()))
             : tr("All heads"));
  updateSizes();
  // The last group is the most interesting: how the answer reads the question.
  if (maps_.has(map_)) return;
  const int group = int(groups.size()) - 1, layer = int(groups.back().layers.size()) - 1;
  map_ = {group, layer, firstHead(maps_, group, layer)};
}

AttentionChoice AttentionView::choice() const {
  const bool rolls = tools_->rollout();
  return {map_, rolls ? AttentionStage::Softmax : tools_->stage(), rolls};
}

const AttentionMaps* AttentionView::subtrahend() const {
  if (minus_) return &*minus_;
  const bool subtracts = pinned_ && tools_->difference() && pinned_->has(map_) &&
                         maps_.group(map_).comparable(pinned_->group(map_));
  if (!subtracts) return nullptr;
  return pinned_->step() > maps_.step() ? &maps_ : &*pinned_;
}

const AttentionMaps& AttentionView::minuend() const {
  return subtrahend() == &maps_ ? *pinned_ : maps_;
}

std::vector<float> AttentionView::shownValues(const AttentionChoice& choice) const {
  std::vector<float> values = minuend().values(choice);
  if (const AttentionMaps* minus = subtrahend()) subtract(values, minus->values(choice));
  return values;
}

HeatMap AttentionView::largeMap() const {
  const AttentionGroup& group = maps_.group(map_);
  const AttentionChoice chosen = choice();
  HeatMap map;
  map.rows = group.rows;
  map.cols = group.cols;
  map.values = shownValues(chosen);
  // The mask comes after the scaling: nothing is masked before it.
  if (chosen.stage >= AttentionStage::Masked) map.masked = group.masked;
  map.row_labels = group.row_labels;
  map.col_labels = group.col_labels;
  map.row_title = AttentionWords::rowTitle(group.kind);
  map.col_title = AttentionWords::columnTitle(group.kind);
  map.name = AttentionWords::title(group, chosen);
  if (const AttentionMaps* minus = subtrahend())
    map.name =
        tr("%1 · %2").arg(map.name, AttentionWords::difference(minuend().step(), minus->step()));
  if (subtrahend() || chosen.stage != AttentionStage::Softmax)
    map.scale = ColorScale::signedTo(niceLimit(map));
  return map;
}

void AttentionView::refresh() {
  if (maps_.empty()) return;
  refreshTools();
  grid_->setCurrent(map_);
  const HeatMap map = largeMap();
  panel_->setTitle(map.name);
  panel_->setSentence(sentence());
  panel_->setFigure(this);
  showLarge(map);
  refreshInspector();
}

QString AttentionView::sentence() const {
  if (isLow()) return {};
  if (const AttentionMaps* minus = subtrahend())
    return AttentionWords::differenceSentence(minuend(), *minus);
  return AttentionWords::sentence(maps_.group(map_), choice(), TaskWords::of(document_.codec()));
}

void AttentionView::refreshTools() {
  const AttentionGroup& group = maps_.group(map_);
  tools_->setKeySize(group.keySize(map_.layer));
  tools_->setNoRollout(group.hasRollout() ? QString()
                       : group.kind == observe::AttentionKind::Cross
                           ? tr("No rollout of cross-attention: rows and columns are different "
                                "positions")
                           : tr("No rollout: rows are pooled, columns are not"));
  if (!document_.isOpen() || !document_.moments().pinnedStep(Pin::A)) return;
  // Snapshots of both that read the same are on their way.
  const auto alike = [this] {
    const train::ProbeInput &here = maps_.snapshot().probe, &there = pinned_->snapshot().probe;
    return here.question == there.question && here.read == there.read;
  };
  const bool can = !pinned_ || !tools_->wantsDifference() || !alike() ||
                   (pinned_->has(map_) && group.comparable(pinned_->group(map_)));
  tools_->setNoDifference(can ? QString() : AttentionWords::notComparable(maps_, *pinned_));
}

void AttentionView::choose() {
  if (!maps_.has(map_) || map_.layer < 0 || map_.head < 0 || !cell_) return;
  const observe::AttentionSite& site = maps_.group(map_).layers[std::size_t(map_.layer)];
  document_.selection().choose(ChosenCell{site.path, map_.head, cell_->row, cell_->col});
}

void AttentionView::followChoice() {
  const auto& chosen = document_.selection().cell();
  if (!isVisible() || !chosen) return;
  for (std::size_t group = 0; group < maps_.groups().size(); ++group) {
    const auto& layers = maps_.groups()[group].layers;
    const auto found = std::ranges::find(layers, chosen->attention, &observe::AttentionSite::path);
    if (found == layers.end()) continue;
    const MapId map{int(group), int(found - layers.begin()), chosen->head};
    const Cell cell{chosen->query, chosen->key};
    if (map != map_ || cell_ != cell) lock(map, cell);
    return;
  }
}

}  // namespace tfm::ui
