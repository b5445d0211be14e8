// SPDX-License-Identifier: GPL-3.0-or-later
// What other screens see of this one: the chosen cell, and what if a head, or a cell, were
// different?
#include <QCursor>
#include <QMenu>
#include <QShortcut>
#include <algorithm>

#include "ui/document/model_document.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/attention/attention_view.h"

namespace tfm::ui {
namespace {

using observe::Intervention;

Intervention changeOf(const std::string& target, Intervention::Kind kind, double number = 0.0) {
  Intervention change;
  change.target = target;
  change.kind = kind;
  change.number = number;
  return change;
}

/// The item that a context menu is for: under the pointer or, if a key asked for it, the current
/// one.
int itemFor(const CellGrid& grid, const QPoint& place) {
  constexpr int kNear = 4;  // pixels
  const QPoint pointer = grid.viewport()->mapFromGlobal(QCursor::pos());
  const int under = (pointer - place).manhattanLength() <= kNear ? grid.itemUnder(place) : -1;
  return under >= 0 ? under : grid.currentItem();
}

}  // namespace

void AttentionView::addChanges() {
  auto* off = new QShortcut(Qt::Key_O, this);
  off->setWhatsThis(tr("Switch the shown head off, or on again"));
  connect(off, &QShortcut::activated, this, &AttentionView::toggleShownHead);
  connect(&document_.interventions(), &Interventions::changed, this, &AttentionView::markChanges);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &AttentionView::markChanges);
  grid_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(grid_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    const auto map = grid_->mapOf(itemFor(*grid_, place));
    if (!maps_.empty() && map && maps_.has(*map))
      showPartMenu(*map, grid_->viewport()->mapToGlobal(place));
  });
  cells_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(cells_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
    const int item = itemFor(*cells_, place);
    if (maps_.empty() || item < 0 || item >= cells_->itemCount()) return;
    const int cols = cells_->map().cols;
    showCellMenu({item / cols, item % cols}, cells_->viewport()->mapToGlobal(place));
  });
}

void AttentionView::markChanges() {
  const Interventions& changes = document_.interventions();
  const auto is_off = [&](const std::string& target) {
    return changes.find(changeOf(target, Intervention::Kind::Set)).has_value();
  };
  std::vector<MapId> off;
  for (int group = 0; group < int(maps_.groups().size()); ++group)
    for (int layer = 0; layer < int(maps_.groups()[std::size_t(group)].layers.size()); ++layer)
      for (int head = 0; head < maps_.groups()[std::size_t(group)].heads(layer); ++head)
        if (is_off(partOf(MapId{group, layer, head})) || is_off(partOf(MapId{group, layer, -1})))
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

void AttentionView::showPartMenu(const MapId& map, const QPoint& place) {
  const std::string target = partOf(map);
  if (target.empty()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  Interventions& changes = document_.interventions();
  const Intervention off = changeOf(target, Intervention::Kind::Set);
  QAction* switched =
      menu->addAction(map.head < 0 ? tr("Switch this block off") : tr("Switch this head off"), this,
                      [&changes, target] { changes.toggle(target); });
  switched->setCheckable(true);
  switched->setChecked(changes.find(off).has_value());
  if (document_.task() != nullptr)
    menu->addAction(tr("Set it to its mean"), this, [&changes, target] {
      changes.putInForce(changeOf(target, Intervention::Kind::Mean));
    });
  menu->addAction(tr("Multiply it by..."), this, [&changes, target] {
    changes.propose(changeOf(target, Intervention::Kind::Scale, 0.5));
  });
  menu->addAction(tr("As for another text..."), this, [&changes, target] {
    changes.propose(changeOf(target, Intervention::Kind::Patch));
  });
  menu->popup(place);
}

void AttentionView::showCellMenu(const Cell& cell, const QPoint& place) {
  const std::string target = partOf(cell);
  if (target.empty() || cells_->map().isMasked(cell.row, cell.col)) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  Interventions& changes = document_.interventions();
  QAction* switched = menu->addAction(tr("Switch this cell off"), this,
                                      [&changes, target] { changes.toggle(target); });
  switched->setCheckable(true);
  switched->setChecked(changes.find(changeOf(target, Intervention::Kind::Set)).has_value());
  const double value =
      double(maps_.values({map_})[std::size_t(cell.row * cells_->map().cols + cell.col)]);
  menu->addAction(tr("Set it to..."), this, [&changes, target, value] {
    changes.propose(changeOf(target, Intervention::Kind::Set, value));
  });
  menu->popup(place);
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
