// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/explanation_pane.h"

#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTextBlockFormat>
#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/figure/glossary.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// The visible part of a widget in the window, which need not be its ancestor.
QRect seenOf(const QWidget* part, const QWidget& window) {
  if (part == nullptr || !part->isVisible() || !window.isAncestorOf(part)) return {};
  QRect seen = part->rect();
  for (const QWidget* inside = part; inside != &window; inside = inside->parentWidget())
    seen = seen.translated(inside->pos()) & inside->parentWidget()->rect();
  return seen;
}

}  // namespace

PartMarks::PartMarks(const Style& style, QWidget& window, const std::vector<ExplainedPart>& parts,
                     Form form)
    : QWidget(&window), style_(style), form_(form) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  for (const ExplainedPart& part : parts) parts_.push_back(part.widget);
  window.installEventFilter(this);
  setGeometry(window.rect());
  raise();
}

std::vector<QRect> PartMarks::marks() const {
  const int side = style_.px(20);
  std::vector<QRect> marks;
  for (const QPointer<QWidget>& part : parts_) {
    QRect& place = marks.emplace_back();
    const QRect seen = seenOf(part, *parentWidget());
    if (seen.isEmpty()) continue;
    if (form_ != Form::Numbers) {
      place = seen.adjusted(-style_.px(2), -style_.px(2), style_.px(2), style_.px(2)) & rect();
      continue;
    }
    // Most of a number is beside its part, whose first word can be read.
    place = QRect(seen.topLeft() - QPoint(3 * side / 4, 3 * side / 4), QSize(side, side));
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, width() - side)));
    place.moveTop(std::clamp(place.top(), 0, std::max(0, height() - side)));
    // If parts start at the same place, the later number goes beside the first.
    for (std::size_t i = 0; i + 1 < marks.size(); ++i)
      if (marks[i].intersects(place)) place.moveLeft(marks[i].right() + 2);
  }
  return marks;
}

bool PartMarks::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  // Moving, hiding or scrolling a part repaints the window.
  if (event->type() == QEvent::UpdateRequest && marks() != painted_) {
    raise();
    update();
  }
  return false;
}

void PartMarks::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Palette& palette = style_.palette();
  painter.setFont(style_.textFont(12, QFont::Bold));
  int number = 0;
  painted_ = marks();
  if (form_ == Form::Outlines) {
    const double line = style_.px(2);
    painter.setPen(QPen(palette.accent, line));
    for (const QRect& place : painted_)
      if (!place.isEmpty())
        painter.drawRoundedRect(QRectF(place).adjusted(line / 2, line / 2, -line / 2, -line / 2),
                                style_.px(7), style_.px(7));
    return;
  }
  if (form_ == Form::Crosses) {
    painter.setPen(QPen(palette.muted, style_.px(2)));
    for (const QRect& place : painted_)
      if (!place.isEmpty()) painter.drawLine(place.bottomLeft(), place.topRight());
    return;
  }
  for (const QRect& place : painted_) {
    ++number;
    if (place.isEmpty()) continue;
    painter.setPen(QPen(palette.ground, style_.px(1.5)));
    painter.setBrush(palette.accent);
    painter.drawEllipse(place);
    painter.setPen(readableOn(palette.accent));
    painter.drawText(place, Qt::AlignCenter, QString::number(number));
  }
}

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
  text_->setOpenLinks(false);
  text_->setFrameShape(QFrame::NoFrame);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(close_, 0, Qt::AlignTop);
  column_->addLayout(head);
  column_->addWidget(text_, 1);
  connect(close_, &QToolButton::clicked, this, &ExplanationPane::dismiss);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
    if (link.isRelative())
      emit manualRequested(link.toString());
    else
      QDesktopServices::openUrl(link);
  });
  style_.follow(this, [this] { updateSizes(); });
}

ExplanationPane::~ExplanationPane() { clear(); }

void ExplanationPane::explain(const ExplanationPage& page) {
  clear();
  page_ = page;
  // Only what is on the screen has a number.
  std::erase_if(page_.parts, [&](const ExplainedPart& part) {
    return page.host && (!part.widget || !part.widget->isVisibleTo(page.host->window()));
  });
  title_->setText(page.title);
  text_->setAccessibleName(page.title);
  write();
  if (page_.host && !page_.parts.empty()) {
    marks_ = new PartMarks(style_, *page_.host->window(), page_.parts);
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
    markdown += QStringLiteral("- **[%1](%2)**: %3\n")
                    .arg(QString(term.name).replace('<', "\\<"), placeOf(term), term.says);
  if (!page_.manual.isEmpty())
    markdown += "\n\n" + QStringLiteral("[%1](%2)\n").arg(tr("More in the manual"), page_.manual);
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
