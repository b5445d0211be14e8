// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/color_scale.h"
#include "ui/heatmap/forward.h"
#include "ui/heatmap/hatch.h"
#include "ui/heatmap/heat_grid_layout.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Small maps of all layers and heads to choose from; the items are the maps.
class HeatGrid : public CellGrid {
  Q_OBJECT

 public:
  explicit HeatGrid(const Style& style, QWidget* parent = nullptr);

  /// Shows other groups, all on one colour scale. The lock stays if the map still exists.
  void setGroups(std::vector<HeatGroup> groups, const ColorScale& scale = {},
                 const QString& name = {});
  /// Updates the values of a group, as HeatGroup::values; cheap enough for every training step.
  void setValues(int group, std::span<const float> values);

  const std::vector<MapStack>& groups() const { return groups_; }
  /// The values of a map or mean.
  std::span<const float> map(const MapId& id) const;
  /// "encoder self, layer 1, head 3", counted from 1; means are named as such.
  QString mapText(const MapId& id) const;
  /// The map of an item; none for -1.
  std::optional<MapId> mapOf(int item) const;

  std::optional<MapId> lockedMap() const { return mapOf(lockedItem()); }
  /// The locked map, else the hovered one.
  std::optional<MapId> shownMap() const { return mapOf(shownItem()); }
  /// Locks a map and scrolls to it, or unlocks with nullopt, without a signal.
  void showLock(const std::optional<MapId>& id);
  /// Sets the map that is shown large while none is hovered or locked: it is framed, kept visible,
  /// and the start for arrow keys.
  void setCurrent(const MapId& id);
  /// Marks the maps of heads that are switched off.
  void setOff(std::vector<MapId> maps);
  const std::vector<MapId>& off() const { return off_; }
  /// The rectangle of a map in viewport coordinates.
  QRectF mapRect(const MapId& id) const;

  int itemCount() const override { return int(layout_.places.size()); }
  QString itemText(int item) const override { return mapText(*mapOf(item)); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {style().px(160), style().px(120)}; }
  /// The width at which no horizontal scrolling is needed.
  int wholeWidth() const;

  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  QRectF itemArea(int item) const override { return framed(layout_, item); }
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  int restItem() const override { return current_ ? layout_.find(*current_) : -1; }
  void layOut() override;
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;

 private:
  void paintOff(QPainter& painter, const HeatGridLayout& layout, const Palette& palette) const;
  CellPlaces cellsOf(const MapPlace& place) const;
  /// A map's rectangle including its frame.
  QRectF framed(const HeatGridLayout& layout, int item) const;
  void keepCurrentInSight();
  Legend legend() const;

  ColorScale scale_;
  std::vector<MapStack> groups_;
  HeatGridLayout layout_;
  std::vector<MaskOverlay> masked_;  ///< per group
  std::optional<MapId> current_;
  std::vector<MapId> off_;
};

}  // namespace tfm::ui
