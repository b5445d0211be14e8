// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/figure/explanation.h"
#include "ui/forward.h"

namespace tfm::ui {

/// Numbers the parts of a view as in its explanation. An overlay on top of the window that follows
/// the parts and is transparent to the mouse.
class PartMarks : public QWidget {
  Q_OBJECT

 public:
  /// Becomes a child of `window`, which contains the parts.
  PartMarks(const Style& style, QWidget& window, const std::vector<ExplainedPart>& parts);

  /// The places of the numbers; empty for a part that is not visible.
  std::vector<QRect> marks() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  std::vector<QPointer<QWidget>> parts_;
  std::vector<QRect> painted_;
};

}  // namespace tfm::ui
