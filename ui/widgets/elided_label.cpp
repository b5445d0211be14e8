// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kMinWidth = 16;  // in average characters

}  // namespace

ElidedLabel::ElidedLabel(const char* role, int most_lines, QWidget* parent)
    : QLabel(parent), most_lines_(most_lines) {
  setWordWrap(true);  // so that layouts ask for the height
  setRole(*this, role);
}

void ElidedLabel::setMarks(std::vector<int> places, const QColor& colour) {
  marks_ = std::move(places);
  mark_ = colour;
  update();
}

QSize ElidedLabel::minimumSizeHint() const {
  ensurePolished();
  return {kMinWidth * fontMetrics().averageCharWidth(), fontMetrics().lineSpacing()};
}

int ElidedLabel::heightForWidth(int width) const {
  const QMargins margins = contentsMargins();
  const auto lines = linesOf(width - margins.left() - margins.right()).texts.size();
  return int(std::max<qsizetype>(1, lines)) * fontMetrics().lineSpacing() + margins.top() +
         margins.bottom();
}

ElidedLabel::Lines ElidedLabel::linesOf(int width) const {
  const QString all = text().simplified();
  QTextLayout layout(all, font());
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  Lines lines;
  while (!lines.cut) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    const int begin = line.textStart(), end = begin + line.textLength();
    lines.begins.push_back(begin);
    lines.cut = lines.texts.size() + 1 == most_lines_ && end < all.size();
    lines.texts << (lines.cut ? fontMetrics().elidedText(all.mid(begin), Qt::ElideRight, width)
                              : all.mid(begin, line.textLength()));
  }
  layout.endLayout();
  return lines;
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !isElided()) return QLabel::event(event);
  // Only rich text wraps in a tooltip.
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     QStringLiteral("<p>%1</p>").arg(text().toHtmlEscaped()), this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const int line_height = fontMetrics().lineSpacing();
  const Lines lines = linesOf(contentsRect().width());
  const int count = int(lines.texts.size());
  QRect line = contentsRect();
  line.setTop(line.top() + std::max(0, (line.height() - count * line_height) / 2));
  line.setHeight(line_height);
  for (int i = 0; i < count; ++i, line.translate(0, line_height)) {
    const QString& text = lines.texts[i];
    style()->drawItemText(&painter, line, Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(),
                          text, foregroundRole());
    for (const int mark : marks_) {
      const int place = mark - lines.begins[std::size_t(i)];
      if (place < 0 || place >= text.size()) continue;
      const int from = fontMetrics().horizontalAdvance(text.left(place));
      const int to = fontMetrics().horizontalAdvance(text.left(place + 1));
      painter.fillRect(line.left() + from, line.bottom() - 1, to - from, 2, mark_);
    }
  }
}

}  // namespace tfm::ui
