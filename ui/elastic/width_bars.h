// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/matformer/nesting.h"
#include "ui/elastic/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A vertical bar for the width of each layer.
class WidthBars : public QWidget {
  Q_OBJECT

 public:
  explicit WidthBars(const Style& style, QWidget* parent = nullptr);

  /// Bars for layers of these names and whole widths, with ticks at the granularities.
  void setModel(const QStringList& layers, const std::vector<std::int64_t>& full,
                const std::vector<matformer::Granularity>& granularities);
  /// Shows a choice without a signal; one width per layer.
  void showWidths(const std::vector<std::int64_t>& widths);
  const std::vector<std::int64_t>& widths() const { return widths_; }
  /// Highlights the shown layer.
  void setChosen(int layer);
  WidthSlider& bar(int layer) { return *bars_[std::size_t(layer)]; }
  int count() const { return int(bars_.size()); }

 signals:
  /// The user moved a bar; widths() has the new widths.
  void dragged();
  /// The user clicked or focused the bar of a layer.
  void layerTouched(int layer);

 private:
  void makeBars(int count);

  const Style& style_;
  QGridLayout* grid_;
  std::vector<WidthSlider*> bars_;
  std::vector<std::int64_t> widths_;
};

}  // namespace tfm::ui
