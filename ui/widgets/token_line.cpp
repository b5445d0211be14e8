// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/token_line.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLegendGap = 8;
constexpr double kLegend = 16;
constexpr double kNatural = 560;  // width on paper

/// Heights and margins at scale 1.
struct Sizes {
  double box, line, gap, padding;
};

Sizes sizesOf(TokenLine::Look look) {
  // Prose has no gaps, so that a word of several tokens reads as one.
  switch (look) {
    case TokenLine::Look::Boxes:
      return {22, 25, 2, 4};
    case TokenLine::Look::Prose:
      return {27, 31, 0, 0.5};
    case TokenLine::Look::Answer:
      return {48, 56, 2, 3};
  }
  return {};
}

QFont fontOf(TokenLine::Look look) {
  switch (look) {
    case TokenLine::Look::Boxes:
      return Style::numberFace(13);
    case TokenLine::Look::Prose:
      return Style::textFace(18);
    case TokenLine::Look::Answer:
      return Style::textFace(32);
  }
  return {};
}

QString visible(const QString& text) {
  return QString(text)
      .replace(' ', QChar(0x00b7))
      .replace('\n', QChar(0x21b5))
      .replace('\t', QChar(0x21e5));
}

bool isGiven(const ShadedToken& token) { return std::isnan(token.probability); }

bool endsWord(const QString& text) { return !text.isEmpty() && text.back().isSpace(); }

}  // namespace

TokenLine::TokenLine(const Style& style, Look look, QWidget* parent)
    : FigureWidget(style, parent), look_(look), font_(fontOf(look)) {
  // Not Fixed, which would cut text that is higher than on paper because the zone is narrower.
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TokenLine::setLook(Look look) {
  if (look == look_) return;
  look_ = look;
  font_ = fontOf(look);
  advances_.clear();
  boxesWidth_ = -1;
  contentChanged();
}

void TokenLine::setTokens(std::vector<ShadedToken> tokens) {
  tokens_ = std::move(tokens);
  boxesWidth_ = -1;
  contentChanged();
}

QString TokenLine::shown(const ShadedToken& token) const {
  if (look_ == Look::Boxes) return visible(token.text);
  // A line break is still a token that can be hovered.
  return QString(token.text).replace('\n', isGiven(token) ? ' ' : QChar(0x21b5)).replace('\t', ' ');
}

double TokenLine::advance(const QString& text) const {
  const auto known = advances_.constFind(text);
  if (known != advances_.cend()) return *known;
  return *advances_.insert(text, QFontMetricsF(font_).horizontalAdvance(text));
}

const std::vector<QRectF>& TokenLine::boxes(double width) const {
  if (width == boxesWidth_) return boxes_;
  const Sizes sizes = sizesOf(look_);
  boxes_.clear();
  QPointF corner;
  std::size_t word = 0;  // start of the current word
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const ShadedToken& token = tokens_[i];
    const double wanted = advance(shown(token)) + 2 * sizes.padding;
    const double needed = std::min(wanted, std::max(width, sizes.box));
    // The space after a word may extend beyond the end of a line of prose.
    const double spaces = look_ != Look::Boxes && endsWord(token.text) ? advance(" ") : 0;
    if (corner.x() > 0 && corner.x() + needed - spaces > width) {
      corner.ry() += sizes.line;
      const double begin = word < i ? boxes_[word].left() : 0;
      if (begin > 0) {  // move the whole word to the next line
        for (std::size_t j = word; j < i; ++j) boxes_[j].translate(-begin, sizes.line);
        corner.rx() -= begin;
      } else {  // the word is alone on its line
        corner.setX(0);
        word = i;
      }
    }
    boxes_.emplace_back(corner, QSizeF(needed, sizes.box));
    corner.rx() += needed + sizes.gap;
    if (token.text.endsWith('\n')) corner = {0, corner.y() + sizes.line};
    if (endsWord(token.text)) word = i + 1;
  }
  boxesWidth_ = width;
  return boxes_;
}

double TokenLine::textHeight(double width) const {
  return tokens_.empty() ? sizesOf(look_).box : boxes(width).back().bottom();
}

QSizeF TokenLine::figureSize() const {
  return {kNatural, textHeight(kNatural) + kLegendGap + kLegend};
}

QSize TokenLine::minimumSizeHint() const {
  return {style_.px(160), style_.px(sizesOf(look_).box + (legend_ ? kLegend : 0))};
}

int TokenLine::heightForWidth(int width) const {
  const double inside = width / style_.scale() - 2 * kFrame;
  const double legend = legend_ ? kLegendGap + kLegend : 0.0;
  const double height = textHeight(inside) + legend + 2 * kFrame;
  return int(std::ceil(height * style_.scale()));
}

void TokenLine::setLegendShown(bool shown) {
  legend_ = shown;
  updateGeometry();
  update();
}

void TokenLine::paintEvent(QPaintEvent* event) {
  // Of a long text in a scroll area, only the visible part is painted.
  const QRectF seen = event->rect();
  exposed_ = {seen.topLeft() / style_.scale(), seen.size() / style_.scale()};
  FigureWidget::paintEvent(event);
  exposed_ = {};
}

void TokenLine::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const QFontMetricsF metrics(font_);
  const double corner = look_ == Look::Boxes ? 3 : 0;
  painter.setFont(font_);
  for (int i = 0; i < itemCount(); ++i) {
    const ShadedToken& token = tokens_[std::size_t(i)];
    const QRectF box = itemArea(i, area);
    if (!exposed_.isNull() && !exposed_.intersects(box)) continue;
    const QColor fill = isGiven(token) ? QColor(Qt::transparent) : cividis(token.probability);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, corner, corner);
    painter.setPen(isGiven(token) ? palette.text : readableOn(fill));
    painter.drawText(box, Qt::AlignCenter,
                     metrics.elidedText(shown(token), Qt::ElideRight, box.width()));
  }

  if (!legend_ && !exposed_.isNull()) return;
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
    table.rows.push_back(
        {token.text, isGiven(token) ? QString() : fullPrecision(token.probability)});
  return table;
}

QRectF TokenLine::itemArea(int item, const QRectF& area) const {
  return boxes(area.width())[std::size_t(item)].translated(area.topLeft());
}

QString TokenLine::itemText(int item) const {
  const ShadedToken& token = tokens_[std::size_t(item)];
  if (isGiven(token)) return tr("“%1”, typed by you").arg(visible(token.text));
  return tr("“%1”, probability %2")
      .arg(visible(token.text), QString::number(token.probability, 'g', 4));
}

}  // namespace tfm::ui
