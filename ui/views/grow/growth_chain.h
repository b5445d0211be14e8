// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <span>

#include "core/expand/change.h"

namespace tfm::ui {

class Style;

/// The planned expansions in the order in which they are applied. Rows can be dragged to another
/// place; Delete takes the selected one out.
class GrowthChain : public QListWidget {
  Q_OBJECT

 public:
  explicit GrowthChain(const Style& style, QWidget* parent = nullptr);

  /// `problem_at`: the growth that cannot be done; -1: all can.
  void showPlan(const expand::Plan& plan, std::span<const expand::Change> changes, int problem_at,
                int selected);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void selected(int growth);
  void moved(int from, int to);
  void removed(int growth);

 protected:
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  const Style& style_;
  bool filling_ = false;
};

}  // namespace tfm::ui
