// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/what_if_dialog.h"

#include <QDialogButtonBox>

#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/experiment/what_if_panel.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

WhatIfDialog::WhatIfDialog(const Style& style, ModelDocument& document, QWidget* parent)
    : QDialog(parent), panel_(new WhatIfPanel(style, document)) {
  constexpr double kLeastWidth = 320, kHeight = 420;
  setWindowTitle(tr("What if?"));
  auto* zone = new SideZone(style, kLeastWidth);
  zone->addSection(tr("Active changes"), {panel_},
                   tr("Answers, attention and all other pictures of a run show their effect. "
                      "Training, its measurements, growth, elastic sizes and exported weights "
                      "ignore them."));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &WhatIfDialog::reject);
  addParts(new QVBoxLayout(this), {{zone, 1}, buttons});
  resize(style.px(kLeastWidth + 80), style.px(kHeight));
}

}  // namespace tfm::ui
