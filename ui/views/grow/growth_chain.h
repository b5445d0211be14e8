// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <span>

#include "core/expand/change.h"

namespace tfm::ui {

class Style;

/// The planned expansions in the order in which they are applied. Rows can be dragged to another
/// place; Delete takes the selected one out. A row pressed by the mouse is selected when it is let
/// go: what a selection changes beside the list must not move the list under a drag.
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
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void startDrag(Qt::DropActions actions) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// Without a signal.
  void mark(int row);

  const Style& style_;
  bool filling_ = false;
  int selected_ = -1;  ///< as the plan's owner knows it
  int held_ = -1;      ///< the row under the pressed mouse button
};

}  // namespace tfm::ui
