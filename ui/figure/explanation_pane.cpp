// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/explanation_pane.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/figure/glossary.h"
#include "ui/figure/part_marks.h"
#include "ui/style/style.h"

namespace tfm::ui {

ExplanationPane::ExplanationPane(const Style& style, QWidget* parent)
    : QFrame(parent),
      style_(style),
      column_(new QVBoxLayout(this)),
      title_(new QLabel),
      close_(new QToolButton),
      text_(new QTextBrowser) {
  setRole(*this, "panel");
  setRole(*title_, "strong");
  title_->setWordWrap(true);
  setRole(*close_, "flat");
  close_->setIcon(style_.icon("close"));
  close_->setToolTip(tr("Close the explanation (F1)"));
  close_->setAccessibleName(tr("Close the explanation"));
  close_->setFocusPolicy(Qt::TabFocus);
  text_->setOpenExternalLinks(true);
  text_->setFrameShape(QFrame::NoFrame);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(close_, 0, Qt::AlignTop);
  column_->addLayout(head);
  column_->addWidget(text_, 1);
  connect(close_, &QToolButton::clicked, this, &ExplanationPane::dismiss);
  style_.follow(this, [this] { updateSizes(); });
}

ExplanationPane::~ExplanationPane() { clear(); }

void ExplanationPane::explain(const Explanation& page) {
  clear();
  page_ = page;
  title_->setText(page.title);
  text_->setAccessibleName(page.title);
  write();
  if (page.host && !page.parts.empty()) {
    marks_ = new PartMarks(style_, *page.host->window(), page.parts);
    marks_->show();
  }
  show();
}

void ExplanationPane::clear() {
  delete marks_;
  page_ = {};
}

void ExplanationPane::dismiss() {
  clear();
  hide();
  emit closed();
}

QString ExplanationPane::text() const { return text_->toPlainText(); }

void ExplanationPane::write() {
  QString markdown;
  QString seen = page_.markdown;
  int number = 0;
  for (const ExplainedPart& part : page_.parts) {
    markdown += QStringLiteral("%1. **%2**: %3\n").arg(++number).arg(part.name, part.says);
    seen += '\n' + part.says;
  }
  if (number > 0) markdown += '\n';
  markdown += page_.markdown;
  if (page_.host) seen += '\n' + textsOn(*page_.host);
  const std::vector<GlossaryRow> terms = termsIn(seen);
  if (!terms.empty()) markdown += "\n\n**" + tr("Terms") + "**\n\n";
  for (const GlossaryRow& term : terms)
    markdown += QStringLiteral("- **%1**: %2\n")
                    .arg(QString(term.name).replace('<', "\\<"), QString(term.says));
  text_->setMarkdown(markdown);
  // QTextDocument sets Markdown without space between paragraphs.
  QTextCursor cursor(text_->document());
  do {
    QTextBlockFormat format = cursor.blockFormat();
    format.setBottomMargin(style_.px(6));
    cursor.setBlockFormat(format);
  } while (cursor.movePosition(QTextCursor::NextBlock));
}

QSize ExplanationPane::minimumSizeHint() const { return {style_.px(260), style_.px(120)}; }

void ExplanationPane::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    dismiss();
  else
    QFrame::keyPressEvent(event);
}

void ExplanationPane::updateSizes() {
  column_->setContentsMargins(style_.px(14), style_.px(12), style_.px(8), style_.px(8));
  close_->setIconSize(QSize(style_.px(16), style_.px(16)));
  text_->setFont(style_.textFont(13));
  if (!page_.markdown.isEmpty()) write();
  updateGeometry();
}

}  // namespace tfm::ui
