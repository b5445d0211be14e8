// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/size_scale.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kFrom = 2;           // powers of ten
constexpr double kGpt2Small = 124e6;  // parameters (Radford et al. 2019)
constexpr double kBar = 4;

double share(double parameters) {
  const double to = std::log10(kGpt2Small);
  return std::clamp((std::log10(std::max(parameters, 1.0)) - kFrom) / (to - kFrom), 0.0, 1.0);
}

}  // namespace

SizeScale::SizeScale(const Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Size"));
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void SizeScale::setParameters(std::int64_t parameters) {
  parameters_ = parameters;
  const QString text =
      tr("%1 parameters; GPT-2 small has about 124 million. Each tick is ten times the one before.")
          .arg(QString::number(parameters));
  setToolTip(text);
  setAccessibleDescription(text);
  update();
}

QSize SizeScale::sizeHint() const { return {style_.px(180), style_.px(24)}; }

QSize SizeScale::minimumSizeHint() const { return {style_.px(120), style_.px(24)}; }

void SizeScale::paintEvent(QPaintEvent*) {
  const Palette& palette = style_.palette();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double bar = style_.px(kBar), right = width();
  const QRectF track(0, style_.px(2), right, bar);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.line);
  painter.drawRoundedRect(track, bar / 2, bar / 2);
  painter.setBrush(palette.series[0]);
  painter.drawRoundedRect(
      QRectF(track.topLeft(), QSizeF(std::max(bar, right * share(double(parameters_))), bar)),
      bar / 2, bar / 2);

  painter.setFont(style_.textFont(10.5));
  painter.setPen(palette.muted);
  const QFontMetricsF metrics(painter.font());
  const double text_top = track.bottom() + style_.px(2);
  const auto label = [&](double at, const QString& text) {
    const double wide = metrics.horizontalAdvance(text) + 2;
    const double left = std::clamp(at - wide / 2, 0.0, right - wide);
    painter.drawText(QRectF(left, text_top, wide, height() - text_top), Qt::AlignCenter, text);
  };
  label(right * share(1e3), tr("1 k"));
  label(right * share(1e5), tr("100 k"));
  label(right, tr("GPT-2 small"));
  painter.setPen(QPen(palette.panel, std::max(1, style_.px(1))));
  for (double power = kFrom + 1; power <= 8; ++power) {
    const double x = right * share(std::pow(10.0, power));
    painter.drawLine(QPointF(x, track.top()), QPointF(x, track.bottom()));
  }
}

}  // namespace tfm::ui
