// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/figure/explanation.h"
#include "ui/forward.h"

namespace tfm::ui {

/// Shows the explanation of a view without an ExplanationHost, such as one in a dialog, in a window
/// of its own beside the view's if the screen has room. Esc closes it.
class ExplanationDialog : public QDialog {
  Q_OBJECT

 public:
  ExplanationDialog(const Style& style, const Explanation& page, QWidget* parent);
};

}  // namespace tfm::ui
