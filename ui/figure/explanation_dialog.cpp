// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/explanation_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/style/style.h"

namespace tfm::ui {

ExplanationDialog::ExplanationDialog(const Style& style, const QString& title,
                                     const QString& markdown, QWidget* parent)
    : QDialog(parent) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  auto* heading = new QLabel(title);
  setRole(*heading, "title");
  heading->setWordWrap(true);
  auto* text = new QTextBrowser;
  text->setFont(style.textFont(13));
  text->setMarkdown(markdown);
  text->setOpenExternalLinks(true);
  text->setAccessibleName(title);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(heading);
  layout->addWidget(text);
  layout->addWidget(buttons);
  resize(style.px(480), style.px(360));
}

}  // namespace tfm::ui
