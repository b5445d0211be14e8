// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/figure/explanation.h"

namespace tfm::ui {

class Style;

/// Numbers over the parts of a view, the same as in its explanation. They stand above everything in
/// the window, follow the parts, and let the mouse through.
class PartMarks : public QWidget {
  Q_OBJECT

 public:
  /// Becomes a child of `window`, in which the parts are.
  PartMarks(const Style& style, QWidget& window, const std::vector<ExplainedPart>& parts);

  /// The places of the numbers; empty for a part that is not seen now.
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
