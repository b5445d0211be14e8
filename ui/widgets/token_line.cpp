// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/token_line.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kBox = 22;
constexpr double kLine = 25;
constexpr double kGap = 2;
constexpr double kPadding = 4;
constexpr double kLegendGap = 8;
constexpr double kLegend = 16;
constexpr double kNatural = 560;  // width on paper

QFont tokenFont() { return Style::numberFace(13); }

QString visible(const QString& text) {
  return QString(text)
      .replace(' ', QChar(0x00b7))
      .replace('\n', QChar(0x21b5))
      .replace('\t', QChar(0x21e5));
}

}  // namespace

TokenLine::TokenLine(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TokenLine::setTokens(std::vector<ShadedToken> tokens) {
  tokens_ = std::move(tokens);
  boxesWidth_ = -1;
  contentChanged();
}

const std::vector<QRectF>& TokenLine::boxes(double width) const {
  if (width == boxesWidth_) return boxes_;
  const QFontMetricsF metrics(tokenFont());
  boxes_.clear();
  QPointF corner;
  for (const ShadedToken& token : tokens_) {
    const double wanted = metrics.horizontalAdvance(visible(token.text)) + 2 * kPadding;
    const double needed = std::min(wanted, std::max(width, kBox));
    if (corner.x() > 0 && corner.x() + needed > width) corner = {0, corner.y() + kLine};
    boxes_.emplace_back(corner, QSizeF(needed, kBox));
    corner.rx() += needed + kGap;
    if (token.text.endsWith('\n')) corner = {0, corner.y() + kLine};
  }
  boxesWidth_ = width;
  return boxes_;
}

double TokenLine::textHeight(double width) const {
  return tokens_.empty() ? kBox : boxes(width).back().bottom();
}

QSizeF TokenLine::figureSize() const {
  return {kNatural, textHeight(kNatural) + kLegendGap + kLegend};
}

QSize TokenLine::minimumSizeHint() const { return {style_.px(160), style_.px(kBox + kLegend)}; }

int TokenLine::heightForWidth(int width) const {
  const double inside = width / style_.scale() - 2 * kFrame;
  const double height = textHeight(inside) + kLegendGap + kLegend + 2 * kFrame;
  return static_cast<int>(std::ceil(height * style_.scale()));
}

void TokenLine::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QFont font = tokenFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  for (int i = 0; i < itemCount(); ++i) {
    const ShadedToken& token = tokens_[static_cast<std::size_t>(i)];
    const QRectF box = itemArea(i, area);
    const QColor fill = cividis(token.probability);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(readableOn(fill));
    painter.drawText(box, Qt::AlignCenter,
                     metrics.elidedText(visible(token.text), Qt::ElideRight, box.width()));
  }

  const double top = area.top() + textHeight(area.width()) + kLegendGap;
  const QFont small = Style::textFace(11);
  const auto draw = [&](double left, const QString& text) {
    const QRectF box(left, top, QFontMetricsF(small).horizontalAdvance(text) + 1, kLegend);
    painter.setPen(palette.muted);
    painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, text);
    return box.right();
  };
  painter.setFont(small);
  const double left = draw(area.left(), tr("probability") + "  0") + 6;
  const QRectF bar(left, top + 4, 120, kLegend - 8);
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, cividis(i / 16.0));
  painter.setPen(QPen(palette.line, 1));
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 2, 2);
  draw(bar.right() + 6, "1");
}

DataTable TokenLine::figureData() const {
  DataTable table{{tr("token"), tr("probability")}, {}};
  for (const ShadedToken& token : tokens_)
    table.rows.push_back({token.text, fullPrecision(token.probability)});
  return table;
}

QRectF TokenLine::itemArea(int item, const QRectF& area) const {
  return boxes(area.width())[static_cast<std::size_t>(item)].translated(area.topLeft());
}

QString TokenLine::itemText(int item) const {
  const ShadedToken& token = tokens_[static_cast<std::size_t>(item)];
  return tr("“%1”, probability %2")
      .arg(visible(token.text), QLocale().toString(token.probability, 'g', 4));
}

}  // namespace tfm::ui
