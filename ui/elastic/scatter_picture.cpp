// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/scatter_picture.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "ui/elastic/scatter_painter.h"
#include "ui/elastic/score_card.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_words.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kItem = 16;

}  // namespace

ScatterPicture::ScatterPicture(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(this, &FigureWidget::hovered, this, qOverload<>(&QWidget::update));
}

QSize ScatterPicture::minimumSizeHint() const { return {style_.px(280), style_.px(200)}; }

void ScatterPicture::setMarks(std::vector<ElasticMark> marks) {
  scene_.marks = std::move(marks);
  scene_.names = granularityNames(scene_.marks);
  sceneChanged();
}

void ScatterPicture::setCostAxis(CostAxis axis) {
  scene_.axis = axis;
  sceneChanged();
}

void ScatterPicture::setFromZero(bool from_zero) {
  scene_.from_zero = from_zero;
  sceneChanged();
}

void ScatterPicture::setChosen(const std::optional<Submodel>& submodel) {
  scene_.chosen = submodel;
  update();
}

void ScatterPicture::sceneChanged() {
  // The arrow keys walk from left to right.
  std::stable_sort(scene_.marks.begin(), scene_.marks.end(),
                   [this](const ElasticMark& a, const ElasticMark& b) {
                     return costOf(a, scene_.axis) < costOf(b, scene_.axis);
                   });
  scene_.front = frontOf(scene_.marks, scene_.axis);
  layout_.reset();
  contentChanged();
}

const ScatterLayout& ScatterPicture::layoutIn(const QRectF& area) const {
  if (!layout_ || layout_->first != area) layout_.emplace(area, layoutScatter(scene_, area));
  return layout_->second;
}

void ScatterPicture::paintFigure(QPainter& painter, const QRectF& area,
                                 const Palette& palette) const {
  const PlotLook look(palette);
  const ScatterLayout& layout = layoutIn(area);
  paintScatter(painter, scene_, layout, look);
  if (!scene_.marks.empty()) return;
  painter.setFont(look.text);
  painter.setPen(palette.muted);
  painter.drawText(layout.frame.rect, Qt::AlignCenter | Qt::TextWordWrap, nothingMeasuredText());
}

QRectF ScatterPicture::itemArea(int item, const QRectF& area) const {
  const QPointF& place = layoutIn(area).spots[std::size_t(item)].place;
  return {place.x() - kItem / 2, place.y() - kItem / 2, kItem, kItem};
}

QString ScatterPicture::itemText(int item) const {
  return markText(scene_.marks[std::size_t(item)]);
}

bool ScatterPicture::event(QEvent* event) {
  // The card is there at once and says the same.
  if (event->type() == QEvent::ToolTip) return true;
  return FigureWidget::event(event);
}

void ScatterPicture::paintEvent(QPaintEvent* event) {
  QPainter(this).fillRect(rect(), style_.palette().panel);
  FigureWidget::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(style_.scale(), style_.scale());
  const PlotLook look(style_.palette());
  const ScatterLayout& layout = layoutIn(area());
  paintChosen(painter, scene_, layout, look);
  const int item = itemUnderPointer() >= 0 ? itemUnderPointer() : current();
  if (item < 0) return;
  const auto place = std::size_t(item);
  paintScoreCard(painter, scene_.marks[place], layout.spots[place].place, area(), look);
}

}  // namespace tfm::ui
