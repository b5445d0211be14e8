// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The columns of a new run: task, data and model. If there is no room for three, as on a
/// projector, data and model share the second one.
class RunColumns : public QWidget {
  Q_OBJECT

 public:
  explicit RunColumns(const Style& style, QWidget* parent = nullptr);

  SideZone& task() { return *task_; }
  SideZone& data() { return *data_; }
  SideZone& model() { return *model_; }
  /// Which of data and model is shown; hidden if both are.
  Segmented& choice() { return *choice_; }

  /// The size of two columns; the third can always be hidden.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  int widthOf(int columns) const;

  const Style& style_;
  SideZone *task_, *data_, *model_;
  Segmented* choice_;
};

}  // namespace tfm::ui
