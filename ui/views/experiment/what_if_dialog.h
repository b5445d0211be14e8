// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"

namespace tfm::ui {

/// The list of interventions in a separate window, for screens without the experiment. Not modal.
class WhatIfDialog : public QDialog {
  Q_OBJECT

 public:
  WhatIfDialog(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

  WhatIfPanel& panel() const { return *panel_; }

 private:
  WhatIfPanel* panel_;
};

}  // namespace tfm::ui
