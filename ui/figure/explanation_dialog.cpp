// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/explanation_dialog.h"

#include <QScreen>
#include <QVBoxLayout>

#include "ui/figure/explanation_pane.h"
#include "ui/style/style.h"

namespace tfm::ui {

ExplanationDialog::ExplanationDialog(const Style& style, const Explanation& page, QWidget* parent)
    : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(page.title);
  auto* pane = new ExplanationPane(style);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(pane);
  connect(pane, &ExplanationPane::closed, this, &QDialog::reject);
  pane->explain(page);
  resize(style.px(380), style.px(480));
  // Without room on either side, the window manager places it.
  const QRect explained = page.host->window()->frameGeometry();
  const QRect screen = page.host->screen()->availableGeometry();
  if (screen.right() - explained.right() >= width())
    move(explained.right() + 1, explained.top());
  else if (explained.left() - screen.left() >= width())
    move(explained.left() - width(), explained.top());
}

}  // namespace tfm::ui
