// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string>

#include "ui/document/forward.h"
#include "ui/heatmap/forward.h"
#include "ui/views/attention/attention_content.h"
#include "ui/views/forward.h"

namespace tfm::ui {

/// What if a head, or a cell, of Attention were different: the menus of the small maps and of the
/// large one, the key that switches the shown head off, and the marks of those that are off.
class AttentionChanges : public QObject {
  Q_OBJECT

 public:
  /// `content` and `map`: what is shown. All must outlive this.
  AttentionChanges(ModelDocument& document, HeatGrid& grid, HeatMapView& cells,
                   const AttentionTools& tools, const AttentionContent& content, const MapId& map,
                   QWidget* parent);

  /// Adds a menu with what can become of the shown head, as on a right click.
  void addTo(QMenu& menu);
  /// Marks the heads that are switched off among the small maps.
  void mark();

 private:
  /// What can become of a part; `value`: its number.
  void showMenu(const std::string& target, const QString& off, double value, const QPoint& place);

  ModelDocument& document_;
  HeatGrid& grid_;
  const AttentionContent& content_;
  const MapId& map_;
  QWidget* window_;  ///< that menus belong to
};

}  // namespace tfm::ui
