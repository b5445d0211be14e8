// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <span>

#include "core/expand/change.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The planned expansions in the order of application. Rows can be dragged; Delete removes the
/// selected one. A pressed row is selected on release, since the effects of a selection must not
/// move the list during a drag.
class GrowthChain : public QListWidget {
  Q_OBJECT

 public:
  explicit GrowthChain(const Style& style, QWidget* parent = nullptr);

  /// `problem_at`: the index of the impossible growth; -1: none.
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
  /// Selects a row without a signal.
  void mark(int row);

  const Style& style_;
  bool filling_ = false;
  int selected_ = -1;  ///< as known to the plan's owner
  int held_ = -1;      ///< the row under the pressed mouse button
};

}  // namespace tfm::ui
