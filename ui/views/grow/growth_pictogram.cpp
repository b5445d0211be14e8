// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_pictogram.h"

#include <QPainter>
#include <vector>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kSide = 40;

/// Blocks in a square of 40.
struct Drawing {
  std::vector<QRectF> there;
  std::vector<QRectF> added;
};

Drawing drawingOf(expand::Kind kind) {
  switch (kind) {
    case expand::Kind::FeedForward:  // two maps with a wider middle
      return {{{4, 4, 12, 14}, {4, 22, 14, 12}}, {{17, 4, 8, 14}, {19, 22, 8, 12}}};
    case expand::Kind::Heads:  // one more block of rows
      return {{{8, 4, 24, 8}, {8, 13, 24, 8}}, {{8, 22, 24, 8}}};
    case expand::Kind::ValueSize:  // a stripe in every head, sideways
      return {{{6, 4, 18, 8}, {6, 15, 18, 8}, {6, 26, 18, 8}},
              {{25, 4, 8, 8}, {25, 15, 8, 8}, {25, 26, 8, 8}}};
    case expand::Kind::KeySize:  // a stripe in every head, below
      return {{{5, 4, 12, 18}, {22, 4, 12, 18}}, {{5, 23, 12, 9}, {22, 23, 12, 9}}};
    case expand::Kind::Hidden:  // both ways
      return {{{5, 5, 19, 19}}, {{25, 5, 9, 19}, {5, 25, 19, 9}}};
    case expand::Kind::Layers:
      return {{{6, 15, 28, 8}, {6, 26, 28, 8}}, {{6, 4, 28, 8}}};
  }
  return {};
}

}  // namespace

GrowthPictogram::GrowthPictogram(const Style& style, expand::Kind kind, QWidget* parent)
    : QWidget(parent), style_(style), kind_(kind) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  connect(&style, &Style::changed, this, &QWidget::updateGeometry);
}

QSize GrowthPictogram::sizeHint() const { return {style_.px(kSide), style_.px(kSide)}; }

void GrowthPictogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double unit = double(std::min(width(), height())) / kSide;
  painter.scale(unit, unit);
  const Palette& palette = style_.palette();
  const Drawing drawing = drawingOf(kind_);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.positive);
  for (const QRectF& block : drawing.there) painter.drawRoundedRect(block, 2, 2);
  QPen dashed(palette.accent, 1.4);
  dashed.setDashPattern({2.2, 1.8});
  painter.setPen(dashed);
  painter.setBrush(Qt::NoBrush);
  for (const QRectF& block : drawing.added)
    painter.drawRoundedRect(block.adjusted(0.7, 0.7, -0.7, -0.7), 2, 2);
}

}  // namespace tfm::ui
