// SPDX-License-Identifier: GPL-3.0-or-later
// What other screens see of this one: the chosen cell, and what if a head, or a cell, were
// different?
#include <QShortcut>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/change_menu.h"

namespace tfm::ui {
void AttentionView::addChanges() {
  auto* off = new QShortcut(Qt::Key_O, this);
  off->setWhatsThis(tr("Switch the shown head off, or on again"));
  connect(off, &QShortcut::activated, this, &AttentionView::toggleShownHead);
  connect(&document_.interventions(), &Interventions::changed, this, &AttentionView::markChanges);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &AttentionView::markChanges);
  connect(grid_, &CellGrid::menuRequested, this, [this](int item, const QPoint& place) {
    const auto map = grid_->mapOf(item);
    if (maps_.empty() || !map || !maps_.has(*map)) return;
    showMenu(partOf(*map), map->head < 0 ? tr("Switch this block off") : tr("Switch this head off"),
             0.0, place);
  });
  connect(cells_, &CellGrid::menuRequested, this, [this](int item, const QPoint& place) {
    if (maps_.empty() || item < 0 || item >= cells_->itemCount()) return;
    const int cols = cells_->map().cols;
    const Cell cell{item / cols, item % cols};
    if (cells_->map().isMasked(cell.row, cell.col)) return;
    showMenu(partOf(cell), tr("Switch this cell off"),
             double(maps_.values({map_})[std::size_t(item)]), place);
  });
}

void AttentionView::showMenu(const std::string& target, const QString& off, double value,
                             const QPoint& place) {
  if (target.empty()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addChangeActions(*menu, document_, target, off, value);
  menu->popup(place);
}

void AttentionView::markChanges() {
  const Interventions& changes = document_.interventions();
  std::vector<MapId> off;
  for (int group = 0; group < int(maps_.groups().size()); ++group)
    for (int layer = 0; layer < int(maps_.groups()[std::size_t(group)].layers.size()); ++layer)
      for (int head = 0; head < maps_.groups()[std::size_t(group)].heads(layer); ++head)
        if (changes.isOff(partOf(MapId{group, layer, head})) ||
            changes.isOff(partOf(MapId{group, layer, -1})))
          off.push_back({group, layer, head});
  grid_->setOff(std::move(off));
}

std::string AttentionView::partOf(const MapId& map) const {
  const AttentionGroup& group = maps_.group(map);
  if (map.layer < 0 || map.layer >= int(group.layers.size())) return {};
  const std::string& path = group.layers[std::size_t(map.layer)].path;
  return map.head < 0 ? path : path + ".head." + std::to_string(map.head);
}

std::string AttentionView::partOf(const Cell& cell) const {
  const AttentionGroup& group = maps_.group(map_);
  if (map_.layer < 0 || map_.head < 0 || tools_->rollout()) return {};
  const std::string& path = group.layers[std::size_t(map_.layer)].path;
  return path + ".probabilities[" + std::to_string(map_.head) + ", " + std::to_string(cell.row) +
         ", " + std::to_string(cell.col) + "]";
}

void AttentionView::toggleShownHead() {
  if (maps_.empty()) return;
  if (const std::string target = partOf(map_); !target.empty())
    document_.interventions().toggle(target);
}

void AttentionView::choose() {
  if (!maps_.has(map_) || map_.layer < 0 || map_.head < 0) return;
  const observe::AttentionSite& site = maps_.group(map_).layers[std::size_t(map_.layer)];
  const Cell cell = cells_->lockedCell().value_or(Cell{-1, -1});
  document_.selection().choose(ChosenCell{site.path, map_.head, cell.row, cell.col});
}

void AttentionView::followChoice() {
  if (!isVisible()) return;
  if (const ReadToken* token = document_.selection().token()) return followToken(*token);
  const ChosenCell* chosen = document_.selection().cell();
  if (document_.selection().isEmpty() && cells_->lockedCell()) lock(map_, std::nullopt);
  if (chosen == nullptr) return;
  for (std::size_t group = 0; group < maps_.groups().size(); ++group) {
    const auto& layers = maps_.groups()[group].layers;
    const auto found = std::ranges::find(layers, chosen->attention, &observe::AttentionSite::path);
    if (found == layers.end()) continue;
    const MapId map{int(group), int(found - layers.begin()), chosen->head};
    const auto cell =
        chosen->isHead() ? std::nullopt : std::optional(Cell{chosen->query, chosen->key});
    if (map != map_ || cells_->lockedCell() != cell) lock(map, cell);
    return;
  }
}

void AttentionView::followToken(const ReadToken& token) {
  if (!maps_.has(map_) || map_.layer < 0 || map_.head < 0) return;
  const observe::AttentionSite& site = maps_.group(map_).layers[std::size_t(map_.layer)];
  const bool encoder = token.stack == Stack::Encoder;
  const bool looks = (site.kind == observe::AttentionKind::EncoderSelf) == encoder;
  const bool is_looked_at = encoder && site.kind == observe::AttentionKind::Cross;
  const auto& held = looks ? site.queries : site.keys;
  if (!(looks || is_looked_at) || !held) return;
  const auto holds = [&](const std::vector<std::int64_t>& positions) {
    return std::ranges::count(positions, token.position) > 0;
  };
  const auto found = std::ranges::find_if(*held, holds);  // pooled, it is one of several
  if (found == held->end()) return;
  const auto side = looks ? Token::Side::Looking : Token::Side::LookedAt;
  lock(map_, cellOf({side, int(found - held->begin())}));
}

}  // namespace tfm::ui
