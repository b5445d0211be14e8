// SPDX-License-Identifier: GPL-3.0-or-later
// Which maps are shown: of which moment, and of which texts.
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/heatmap/lines_view.h"
#include "ui/views/attention/attention_inspector.h"
#include "ui/views/attention/attention_pictures.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/attention/batch_view.h"
#include "ui/views/question_field.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {

void AttentionView::forget() {
  takePin();
  showNothing(tr("Attention"), tr("Which positions look at which inside the model."));
}

void AttentionView::showNothing(const QString& title, const QString& sentence) {
  maps_ = {};
  minus_.reset();
  second_.reset();
  cell_.reset();
  rows_.clear();
  map_ = {};
  grid_->setGroups({});
  for (HeatMapView* map : {cells_, second_cells_}) map->setMap({});
  for (LinesView* lines : {lines_, second_lines_}) lines->setMap({});
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
    // Not the difference's own numbers: a product of differences is meaningless.
    const AttentionMaps of_later(snapshot->minuend), of_earlier(snapshot->subtrahend);
    AttentionMaps next = of_later.sharedWith(of_earlier);
    if (next.empty())
      return showNothing(tr("Attention · %1").arg(AttentionWords::difference(of_later, of_earlier)),
                         snapshot->problem.empty()
                             ? AttentionWords::nothingShared(of_later, of_earlier)
                             : QString::fromStdString(snapshot->problem));
    second_.reset();
    maps_ = std::move(next);
    minus_ = of_earlier.sharedWith(of_later);
    setGrid(false);
    return refresh();
  }
  takeBeside();
  takeTexts(snapshot);
}

void AttentionView::takeTexts(const std::shared_ptr<const train::Snapshot>& snapshot) {
  const Observing& observing = document_.observing();
  const AskedTexts& texts = observing.texts();
  const auto mapsOf = [&](int text) {
    const train::ProbeInput* input = observing.inputOf(text);
    return input == nullptr ? AttentionMaps()
                            : AttentionMaps(snapshot, *input, texts.all.size() > 1 ? text + 1 : 0);
  };
  const auto pair = question_->shown() == TextsShown::One ? std::nullopt : pairOf(texts);
  if (pair) {
    AttentionMaps first = mapsOf(pair->first), second = mapsOf(pair->second);
    const bool both = !first.empty() && !second.empty();
    if (both && question_->shown() == TextsShown::Beside) {
      const bool same = !minus_ && first.sameLayout(maps_);
      minus_.reset();
      maps_ = std::move(first);
      second_ = std::move(second);
      setGrid(same);
      return refresh();
    }
    AttentionMaps later = second.comparedWith(first, true);
    if (both && !later.empty() && observing.noComparison(*pair).isEmpty()) {
      second_.reset();
      minus_ = first.comparedWith(second, false);
      maps_ = std::move(later);
      setGrid(false);
      return refresh();
    }
  }
  AttentionMaps next = mapsOf(texts.shown);
  if (next.empty()) next = AttentionMaps(snapshot);
  if (next.empty()) return;  // the question cannot be read; keep showing the last one
  const bool same = !minus_ && next.sameLayout(maps_);
  minus_.reset();
  second_.reset();
  maps_ = std::move(next);
  setGrid(same);
  refresh();
}

void AttentionView::takeBeside() {
  const auto& snapshot = document_.observing().snapshot();
  pinned_.reset();
  if (snapshot && snapshot->beside) pinned_.emplace(snapshot->beside);
}

void AttentionView::takePin() {
  takeBeside();
  tools_->setPinned(document_.isOpen() ? document_.moments().pinnedStep(Pin::A) : std::nullopt);
  updateNeed();
  refresh();
}

void AttentionView::setGrid(bool same_layout) {
  const auto& groups = maps_.groups();
  if (same_layout) {
    for (int i = 0; i < int(groups.size()); ++i) grid_->setValues(i, maps_.allProbabilities(i));
    return;
  }
  SmallMaps small = smallMaps(maps_, minus_ ? &*minus_ : nullptr);
  grid_->setGroups(std::move(small.groups), small.scale,
                   minus_ ? tr("All heads, %1").arg(AttentionWords::difference(maps_, *minus_))
                          : tr("All heads"));
  updateSizes();
  if (!maps_.has(map_)) map_ = firstMap(maps_);
}

void AttentionView::showBatch() {
  const Observing& observing = document_.observing();
  std::vector<const train::ProbeInput*> texts;
  for (int text = 0; text < observing.texts().all.size(); ++text)
    if (const train::ProbeInput* input = observing.inputOf(text)) texts.push_back(input);
  const bool causal = std::ranges::any_of(maps_.snapshot().sites, [](const auto& site) {
    return site.kind == observe::AttentionKind::DecoderSelf && site.shape.causal;
  });
  batch_->setTables(batchTables(texts, causal));
  panel_->setTitle(batch_->figureTitle());
}

const AttentionMaps& AttentionView::touchedMaps() const {
  return at_second_ && second_ ? *second_ : maps_;
}

const HeatMapView& AttentionView::touchedCells() const {
  return at_second_ && second_ ? *second_cells_ : *cells_;
}

const LinesView& AttentionView::touchedLines() const {
  return at_second_ && second_ ? *second_lines_ : *lines_;
}

}  // namespace tfm::ui
