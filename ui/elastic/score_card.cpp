// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_words.h"
#include "ui/plots/plot_look.h"

namespace tfm::ui {
namespace {

constexpr double kPad = 8, kRow = 17, kAway = 14, kGap = 16;

struct Line {
  QString name, value;
};

std::vector<Line> linesOf(const ElasticMark& mark) {
  std::vector<Line> lines;
  for (const ScoreColumn& column : std::span(scoreColumns()).subspan(2))
    lines.push_back({column.title, column.text(mark)});
  lines.push_back({QString(), seedsText(mark.seeds)});
  return lines;
}

}  // namespace

void paintScoreCard(QPainter& painter, const ElasticMark& mark, const QPointF& place,
                    const QRectF& area, const PlotLook& look) {
  std::vector<Line> lines = linesOf(mark);
  const auto fitting = std::size_t(std::max((area.height() - 2 * kPad) / kRow - 1, 0.0));
  lines.resize(std::min(lines.size(), fitting));
  const QFontMetricsF names(look.text), numbers(look.number), titles(look.strong);
  const QString title = markTitle(mark);
  double name = 0, value = 0;
  for (const Line& line : lines) {
    name = std::max(name, names.horizontalAdvance(line.name));
    value = std::max(value, numbers.horizontalAdvance(line.value));
  }
  const double inner = std::min(std::max(name + kGap + value, titles.horizontalAdvance(title)) + 2,
                                area.width() - 2 * kPad);
  QRectF card(0, 0, inner + 2 * kPad, kRow * double(lines.size() + 1) + 2 * kPad);
  // Below the mark, so that cheaper and better marks stay visible.
  card.moveTopLeft(place + QPointF(kAway, -kRow));
  if (card.right() > area.right()) card.moveRight(place.x() - kAway);
  card.moveLeft(std::clamp(card.left(), area.left(), area.right() - card.width()));
  card.moveTop(
      std::clamp(card.top(), area.top(), std::max(area.bottom() - card.height(), area.top())));

  painter.setPen(QPen(look.palette.line, 1));
  painter.setBrush(look.palette.raised);
  painter.drawRoundedRect(card, 7, 7);
  painter.setBrush(Qt::NoBrush);
  QRectF row(card.left() + kPad, card.top() + kPad, inner, kRow);
  painter.setFont(look.strong);
  painter.setPen(look.palette.text);
  painter.drawText(row, Qt::AlignVCenter, titles.elidedText(title, Qt::ElideRight, inner));
  for (const Line& line : lines) {
    row.translate(0, kRow);
    painter.setFont(look.text);
    painter.setPen(look.palette.muted);
    painter.drawText(row, Qt::AlignVCenter, line.name);
    painter.setFont(look.number);
    painter.setPen(look.palette.text);
    const double room =
        inner - (line.name.isEmpty() ? 0 : names.horizontalAdvance(line.name) + kPad);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                     numbers.elidedText(line.value, Qt::ElideRight, room));
  }
}

}  // namespace tfm::ui
