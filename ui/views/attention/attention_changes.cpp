// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_changes.h"

#include <QMenu>
#include <QShortcut>

#include "ui/document/model_document.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_tools.h"
#include "ui/views/change_menu.h"

namespace tfm::ui {

AttentionChanges::AttentionChanges(ModelDocument& document, HeatGrid& grid, HeatMapView& cells,
                                   const AttentionTools& tools, const AttentionContent& content,
                                   const MapId& map, QWidget* parent)
    : QObject(parent),
      document_(document),
      grid_(grid),
      content_(content),
      map_(map),
      window_(parent) {
  auto* off = new QShortcut(Qt::Key_O, parent);
  off->setWhatsThis(tr("Switch the shown head off, or on again"));
  connect(off, &QShortcut::activated, this, [this, &map] {
    if (content_.maps.empty()) return;
    if (const std::string target = content_.partOf(map); !target.empty())
      document_.interventions().toggle(target);
  });
  connect(&document_.interventions(), &Interventions::changed, this, &AttentionChanges::mark);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &AttentionChanges::mark);
  connect(&grid_, &CellGrid::menuRequested, this, [this](int item, const QPoint& place) {
    const auto small = grid_.mapOf(item);
    if (content_.maps.empty() || !small || !content_.maps.has(*small)) return;
    showMenu(content_.partOf(*small),
             small->head < 0 ? tr("Switch this block off") : tr("Switch this head off"), 0.0,
             place);
  });
  connect(&cells, &CellGrid::menuRequested, this,
          [this, &cells, &tools, &map](int item, const QPoint& place) {
            if (content_.maps.empty() || tools.rollout() || item < 0 || item >= cells.itemCount())
              return;
            const int cols = cells.map().cols;
            const Cell cell{item / cols, item % cols};
            if (cells.map().isMasked(cell.row, cell.col)) return;
            showMenu(content_.partOf(map, cell), tr("Switch this cell off"),
                     double(content_.maps.values({map})[std::size_t(item)]), place);
          });
}

void AttentionChanges::addTo(QMenu& menu) {
  QMenu* change = menu.addMenu(tr("C&hange the shown head"));
  connect(change, &QMenu::aboutToShow, this, [this, change] {
    change->clear();
    const std::string target = content_.maps.empty() ? std::string() : content_.partOf(map_);
    if (!target.empty())
      addChangeActions(*change, document_, target,
                       map_.head < 0 ? tr("Switch this block off") : tr("Switch this head off"));
    if (change->isEmpty()) change->addAction(tr("Nothing is shown"))->setEnabled(false);
  });
}

void AttentionChanges::showMenu(const std::string& target, const QString& off, double value,
                                const QPoint& place) {
  if (target.empty()) return;
  auto* menu = new QMenu(window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addChangeActions(*menu, document_, target, off, value);
  menu->popup(place);
}

void AttentionChanges::mark() {
  const Interventions& changes = document_.interventions();
  const auto& groups = content_.maps.groups();
  std::vector<MapId> off;
  for (int group = 0; group < int(groups.size()); ++group)
    for (int layer = 0; layer < int(groups[std::size_t(group)].layers.size()); ++layer)
      for (int head = 0; head < groups[std::size_t(group)].heads(layer); ++head)
        if (changes.isOff(content_.partOf(MapId{group, layer, head})) ||
            changes.isOff(content_.partOf(MapId{group, layer, -1})))
          off.push_back({group, layer, head});
  grid_.setOff(std::move(off));
}

}  // namespace tfm::ui
