// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <memory>

#include "ui/figure/figure.h"
#include "ui/heatmap/accessible_cells.h"
#include "ui/heatmap/color_scale.h"
#include "ui/heatmap/hatch.h"
#include "ui/heatmap/heat_grid_layout.h"
#include "ui/heatmap/hover_lock.h"

namespace tfm::ui {

class Style;
struct Legend;

/// All maps of a model, small, layers by heads, to choose one from. Hovering previews a map, a
/// click locks it, a second click or Esc frees it; arrow keys walk, Return locks.
class HeatGrid : public QAbstractScrollArea, public Figure, public CellSource {
  Q_OBJECT

 public:
  explicit HeatGrid(const Style& style, QWidget* parent = nullptr);

  /// Shows other groups, all on one colour scale. The lock stays if there still is such a map.
  void setGroups(std::vector<HeatGroup> groups, const ColorScale& scale = {},
                 const QString& name = {});
  /// New values for a group, as HeatGroup::values: the cheap way for every training step.
  void setValues(int group, std::span<const float> values);

  const std::vector<MapStack>& groups() const { return groups_; }
  /// The values of a map or of a mean.
  std::span<const float> map(const MapId& id) const;
  /// "encoder self, layer 1, head 3", counted from 1, with the means named as such.
  QString mapText(const MapId& id) const;

  const std::optional<MapId>& lockedMap() const { return lock_.locked(); }
  /// The locked map, else the hovered one.
  const std::optional<MapId>& shownMap() const { return lock_.shown(); }
  /// Locks a map and scrolls to it, or frees with no map, without a signal.
  void showLock(const std::optional<MapId>& id);
  /// Says which map is shown large while none is hovered or locked: it is framed, arrow keys walk
  /// from it, and it stays in sight.
  void setCurrent(const MapId& id);
  /// Where a map is drawn now, in the viewport's coordinates.
  QRectF mapRect(const MapId& id) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// The width at which no map has to be scrolled to sideways.
  int wholeWidth() const;

  QString figureTitle() const override { return name_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

  QString accessibleTitle() const override { return name_; }
  int accessibleCount() const override { return static_cast<int>(layout_.places.size()); }
  QString accessibleText(int index) const override { return mapText(layout_.places[index].id); }
  QRect accessibleArea(int index) const override;
  int accessibleCurrent() const override;
  bool accessibleSelected(int index) const override;

 signals:
  /// Another map is previewed; group -1 when none is. Silent while a map is locked.
  void mapHovered(const tfm::ui::MapId& id);
  void mapLocked(const tfm::ui::MapId& id);
  void mapFreed();

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void refreshImages();
  QPointF scrolled() const;
  void hover(const std::optional<MapId>& id);
  void click(const MapId& id);
  bool freeLock();
  void walk(const Cell& step);
  void scrollTo(const MapId& id);
  void keepCurrentInSight();
  /// The locked map, else the hovered one, else the current one.
  const MapPlace* place() const;
  Legend legend() const;

  const Style& style_;
  QString name_;
  ColorScale scale_;
  std::vector<MapStack> groups_;
  HeatGridLayout layout_;
  std::vector<QImage> images_;       ///< per group, all its maps below each other
  std::vector<MaskOverlay> masked_;  ///< per group
  HoverLock<MapId> lock_;
  std::optional<MapId> current_;
};

}  // namespace tfm::ui
