// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/figure/explanation.h"

namespace tfm::ui {

class Style;

/// The page of a view that stands in no ExplanationHost, such as one in a dialog: in a window of
/// its own, beside that of the view where the screen has room. Closes with Esc.
class ExplanationDialog : public QDialog {
  Q_OBJECT

 public:
  ExplanationDialog(const Style& style, const Explanation& page, QWidget* parent);
};

}  // namespace tfm::ui
