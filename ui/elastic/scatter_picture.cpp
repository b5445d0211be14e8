// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/scatter_picture.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/elastic/scatter_painter.h"
#include "ui/elastic/score_card.h"
#include "ui/elastic/score_columns.h"
#include "ui/elastic/score_words.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kItem = 16;

/// The index of a mark among the new ones; -1 if it is gone.
int placeAmong(const std::vector<ElasticMark>& marks, const std::vector<ElasticMark>& before,
               int place) {
  if (place < 0) return -1;
  const ElasticMark& mark = before[std::size_t(place)];
  const auto found = std::ranges::find_if(marks, [&](const ElasticMark& one) {
    return one.kind == mark.kind && one.submodel == mark.submodel;
  });
  return found == marks.end() ? -1 : int(found - marks.begin());
}

}  // namespace

ScatterPicture::ScatterPicture(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  connect(this, &FigureWidget::hovered, this, qOverload<>(&QWidget::update));
}

QSize ScatterPicture::minimumSizeHint() const { return {style_.px(280), style_.px(200)}; }

void ScatterPicture::setHeldOut(bool held_out) {
  if (held_out == scene_.held_out) return;
  ScatterScene scene = scene_;
  scene.held_out = held_out;
  present(std::move(scene));
}

void ScatterPicture::setMarks(std::vector<ElasticMark> marks) {
  ScatterScene scene = scene_;
  scene.names = granularityNames(marks);
  scene.marks = std::move(marks);
  present(std::move(scene));
}

void ScatterPicture::setCostAxis(CostAxis axis) {
  ScatterScene scene = scene_;
  scene.axis = axis;
  present(std::move(scene));
}

void ScatterPicture::setFromZero(bool from_zero) {
  ScatterScene scene = scene_;
  scene.from_zero = from_zero;
  present(std::move(scene));
}

void ScatterPicture::setChosen(const std::optional<Submodel>& submodel) {
  scene_.chosen = submodel;
  update();
}

void ScatterPicture::present(ScatterScene scene) {
  // The arrow keys go from left to right.
  std::stable_sort(scene.marks.begin(), scene.marks.end(),
                   [&](const ElasticMark& a, const ElasticMark& b) {
                     return costOf(a, scene.axis) < costOf(b, scene.axis);
                   });
  scene.front = frontOf(scene.marks, scene.axis);
  const ScatterScene before = std::exchange(scene_, std::move(scene));
  layout_.reset();
  contentChanged(placeAmong(scene_.marks, before.marks, current()),
                 placeAmong(scene_.marks, before.marks, itemUnderPointer()));
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
  // The card shows the same at once.
  if (event->type() == QEvent::ToolTip) return true;
  return FigureWidget::event(event);
}

void ScatterPicture::mousePressEvent(QMouseEvent* event) {
  const int before = current();
  const bool again =
      event->button() == Qt::LeftButton && before >= 0 && itemAt(event->position()) == before;
  FigureWidget::mousePressEvent(event);
  if (again) setCurrent(-1);
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
