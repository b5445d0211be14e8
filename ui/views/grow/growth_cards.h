// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/expand/growth.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The six expansions to choose from, each with a pictogram and its sizes.
class GrowthCards : public SideZone {
  Q_OBJECT

 public:
  explicit GrowthCards(const Style& style, QWidget* parent = nullptr);

  /// Shows the present and the planned sizes of the model.
  void showSizes(const ModelConfig& before, const ModelConfig& after);
  void setSelected(std::optional<expand::Kind> kind);
  QAbstractButton* card(expand::Kind kind) const { return cards_[std::size_t(kind)].button; }

 signals:
  void chosen(tfm::expand::Kind kind);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Card {
    QAbstractButton* button = nullptr;
    QLabel* sizes = nullptr;
    QBoxLayout* head = nullptr;  ///< of name and sizes
  };
  Card makeCard(const Style& style, expand::Kind kind);
  /// Places long sizes below the name, where they are not cut.
  void placeSizes();

  const Style& style_;
  std::vector<Card> cards_;  ///< in the order of Kind
};

}  // namespace tfm::ui
