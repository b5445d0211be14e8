// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/width_slider.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kThick = 10.0;        // of the track
constexpr double kBarEnd = 9.0;        // room for the handle beyond a vertical track's ends
constexpr double kBarSnap = 5.0;       // pixels around a tick
constexpr double kNamesBeside = 44.0;  // a vertical bar this wide has names at its ticks

}  // namespace

WidthSlider::WidthSlider(const Style& style, Qt::Orientation orientation, QWidget* parent)
    : QAbstractSlider(parent), style_(style) {
  setOrientation(orientation);
  setFocusPolicy(Qt::StrongFocus);
  setRange(1, 1);
  setSizePolicy(orientation == Qt::Horizontal
                    ? QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed)
                    : QSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred));
  connect(&style, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
  connect(this, &QAbstractSlider::actionTriggered, this, &WidthSlider::act);
}

void WidthSlider::setScale(int full, std::vector<WidthTick> ticks) {
  const QSignalBlocker quiet(this);
  ticks_ = std::move(ticks);
  setRange(1, std::max(1, full));
  describe();
  update();
}

void WidthSlider::showWidth(int width, bool mixed) {
  const QSignalBlocker quiet(this);
  mixed_ = mixed;
  setValue(width);
  describe();
  update();
}

void WidthSlider::setCaption(const QString& caption) {
  caption_ = caption;
  update();
}

void WidthSlider::setChosen(bool chosen) {
  chosen_ = chosen;
  update();
}

QSize WidthSlider::sizeHint() const {
  return lies() ? QSize(style_.px(260), minimumSizeHint().height())
                : QSize(style_.px(56), style_.px(170));
}

QSize WidthSlider::minimumSizeHint() const {
  const double text = QFontMetricsF(style_.numberFont(12)).height();
  return lies() ? QSize(style_.px(120), int(std::ceil(text)) + style_.px(32))
                : QSize(style_.px(24), style_.px(120));
}

QRectF WidthSlider::track() const {
  const double unit = style_.scale(), thick = kThick * unit, end = kBarEnd * unit;
  if (lies()) {
    const double side = kSliderEnd * unit;
    return {side, end - thick / 2 + 2 * unit, width() - 2 * side, thick};
  }
  const double text = QFontMetricsF(style_.numberFont(12)).height() * 2 + 4 * unit;
  const bool names = width() >= kNamesBeside * unit;
  const double x = names ? width() * 0.36 : width() / 2.0;
  return {x - thick / 2, end, thick, height() - 2 * end - text};
}

double WidthSlider::placeOf(int width) const {
  const QRectF area = track();
  const double share = double(width) / maximum();
  return lies() ? area.left() + share * area.width() : area.bottom() - share * area.height();
}

int WidthSlider::widthAt(const QPointF& place) const {
  const QRectF area = track();
  const double share = lies() ? (place.x() - area.left()) / area.width()
                              : (area.bottom() - place.y()) / area.height();
  const int width = std::clamp(int(std::lround(share * maximum())), 1, maximum());
  const double length = lies() ? area.width() : area.height();
  return snapped(width, ticks_, kBarSnap * style_.scale() * maximum() / std::max(1.0, length));
}

void WidthSlider::setByUser(int width) {
  if (width == value() && !mixed_) return;
  mixed_ = false;
  setValue(width);
  describe();
  update();
  emit dragged(value());
}

void WidthSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  emit touched();
  setByUser(widthAt(event->position()));
}

void WidthSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) setByUser(widthAt(event->position()));
}

void WidthSlider::mouseReleaseEvent(QMouseEvent*) { setSliderDown(false); }

void WidthSlider::act(int action) {
  // The position is already the new one, but pages are granularities.
  if (action == SliderPageStepAdd || action == SliderPageStepSub) {
    const bool up = action == SliderPageStepAdd;
    int nearest = value();
    for (const WidthTick& tick : ticks_)
      if (up ? tick.width > value() && nearest == value() : tick.width < value())
        nearest = tick.width;
    setSliderPosition(nearest);
  }
  setByUser(sliderPosition());
}

void WidthSlider::wheelEvent(QWheelEvent* event) { event->ignore(); }

void WidthSlider::focusInEvent(QFocusEvent* event) {
  QAbstractSlider::focusInEvent(event);
  if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
    emit touched();
}

void WidthSlider::describe() {
  QString name;
  for (const WidthTick& tick : ticks_)
    if (tick.width == value()) name = tick.name;
  QString text =
      mixed_ ? tr("the layers have different widths, about %1 of %2") : tr("%1 of %2 units");
  text = text.arg(value()).arg(maximum());
  if (!mixed_ && !name.isEmpty()) text += tr(", %1").arg(name);
  setAccessibleDescription(text);
  setToolTip(text);
}

void WidthSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Palette& palette = style_.palette();
  const double unit = style_.scale();
  const QRectF area = track();
  QPainterPath shape;
  shape.addRoundedRect(area, kThick * unit / 2, kThick * unit / 2);
  painter.setPen(QPen(palette.line, unit));
  painter.setBrush(palette.raised);
  painter.drawPath(shape);
  QRectF used = area;
  if (lies())
    used.setRight(placeOf(value()));
  else
    used.setTop(placeOf(value()));
  painter.save();
  painter.setClipPath(shape);
  painter.fillRect(used, isEnabled() ? palette.accent : disabledText(palette));
  painter.restore();
  paintTicks(painter);
  paintHandle(painter);
  if (lies()) return;
  const QFont font = style_.numberFont(12, chosen_ ? QFont::Bold : QFont::Normal);
  const double line = QFontMetricsF(font).height();
  painter.setFont(font);
  const QRectF words(0, height() - 2 * line, width(), line);
  painter.setPen(palette.text);
  painter.drawText(words, Qt::AlignCenter | Qt::TextDontClip, QString::number(value()));
  painter.setPen(chosen_ ? palette.accent : palette.muted);
  painter.drawText(words.translated(0, line), Qt::AlignCenter | Qt::TextDontClip, caption_);
}

void WidthSlider::paintTicks(QPainter& painter) const {
  const Palette& palette = style_.palette();
  const double unit = style_.scale();
  const QRectF area = track();
  painter.setFont(style_.numberFont(12));
  const QFontMetricsF metrics(painter.font());
  const bool beside = !lies() && width() >= kNamesBeside * unit;
  double last = lies() ? -1e9 : 1e9;
  for (std::size_t i = ticks_.size(); i-- > 0;) {
    const WidthTick& tick = ticks_[i];
    const double at = placeOf(tick.width);
    painter.setPen(QPen(tick.width < value() ? palette.ground : palette.muted, 2.0 * unit));
    if (lies())
      painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    else
      painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
    painter.setPen(tick.width == value() && !mixed_ ? palette.text : palette.muted);
    if (lies()) {
      const double half = metrics.horizontalAdvance(tick.name) / 2;
      const double x = std::clamp(at, half, width() - half);
      if (last > -1e8 && x + half > last - 4 * unit) continue;
      last = x - half;
      painter.drawText(QRectF(x - half, area.bottom() + 6 * unit, 2 * half, metrics.height()),
                       Qt::AlignCenter | Qt::TextDontClip, tick.name);
    } else if (beside && (last > 1e8 || at > last + metrics.height() * 0.8)) {
      last = at;
      painter.drawText(
          QRectF(area.right() + 9 * unit, at - metrics.height() / 2, width(), metrics.height()),
          Qt::AlignLeft | Qt::AlignVCenter, tick.name);
    }
  }
}

void WidthSlider::paintHandle(QPainter& painter) const {
  const Palette& palette = style_.palette();
  const double unit = style_.scale(), at = placeOf(value());
  const QPointF centre =
      lies() ? QPointF(at, track().center().y()) : QPointF(track().center().x(), at);
  const double radius = 7.5 * unit;
  if (hasFocus()) {
    painter.setPen(QPen(palette.accent, 2 * unit));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5 * unit, 5 * unit);
  }
  painter.setPen(QPen(mixed_ ? palette.text : palette.panel, 2 * unit));
  painter.setBrush(mixed_ ? palette.panel : palette.text);
  painter.drawEllipse(centre, radius, radius);
}

}  // namespace tfm::ui
