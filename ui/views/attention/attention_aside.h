// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/heatmap/cell_places.h"
#include "ui/style/forward.h"
#include "ui/views/attention/attention_maps.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// A cell of the large map in large type, for beside the map where there is no inspector.
class AttentionAside : public QWidget {
  Q_OBJECT

 public:
  explicit AttentionAside(const Style& style);

  /// `number`: the cell's value as a text; `difference`: it is one of two moments; `brief`: a
  /// product is shown without its terms.
  void setCell(const AttentionMaps& maps, const AttentionChoice& choice, const Cell& cell,
               const QString& number, bool difference, bool brief);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  /// Shows the product where there is one and room for all of it.
  void showProduct();

  const Style& style_;
  QLabel* number_;
  QLabel* words_;
  BarList* product_;
  bool has_product_ = false;
};

}  // namespace tfm::ui
