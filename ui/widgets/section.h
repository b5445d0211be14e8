// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A group in a side zone: a heading in small capitals, a sentence, and its widgets.
class Section : public QWidget {
  Q_OBJECT

 public:
  /// The sentence may be empty.
  Section(const Style& style, const QString& label, const QString& sentence = {},
          QWidget* parent = nullptr);

  /// Adds a widget at the bottom; takes ownership.
  void add(QWidget* part);
  /// Adds a corner menu for exporting `figure`, which is not owned.
  void setFigure(const Figure* figure, const QString& explanation = {});

 private:
  QLabel* label_;
  CornerMenu* menu_;
  QVBoxLayout* column_;
};

}  // namespace tfm::ui
