// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/width_bars.h"

#include <QGridLayout>

#include "ui/elastic/width_slider.h"
#include "ui/style/style.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kBarsARow = 6;

/// "encoder layer 2" abbreviated to "enc 2" to fit below a bar.
QString shortName(const QString& name) { return name.left(3) + ' ' + name.section(' ', -1); }

}  // namespace

WidthBars::WidthBars(const Style& style, QWidget* parent)
    : QWidget(parent), style_(style), grid_(bareLayout<QGridLayout>(this)) {
  grid_->setHorizontalSpacing(0);
  grid_->setVerticalSpacing(style.px(8));
}

void WidthBars::makeBars(int count) {
  qDeleteAll(bars_);
  bars_.clear();
  for (int i = 0; i < count; ++i) {
    auto* bar = new WidthSlider(style_, Qt::Vertical);
    grid_->addWidget(bar, i / kBarsARow, i % kBarsARow);
    connect(bar, &WidthSlider::dragged, this, [this, i](int width) {
      widths_[std::size_t(i)] = width;
      emit dragged();
    });
    connect(bar, &WidthSlider::touched, this, [this, i] { emit layerTouched(i); });
    bars_.push_back(bar);
  }
}

void WidthBars::setModel(const QStringList& layers, const std::vector<std::int64_t>& full,
                         const std::vector<matformer::Granularity>& granularities) {
  if (int(full.size()) != count()) makeBars(int(full.size()));
  for (int i = 0; i < count(); ++i) {
    WidthSlider& bar = *bars_[std::size_t(i)];
    bar.setScale(int(full[std::size_t(i)]), ticksOf(granularities, std::size_t(i)));
    bar.setCaption(shortName(layers[i]));
    bar.setAccessibleName(tr("Width of %1").arg(layers[i]));
  }
  if (widths_.size() != full.size()) showWidths(full);
}

void WidthBars::showWidths(const std::vector<std::int64_t>& widths) {
  if (int(widths.size()) != count()) return;
  widths_ = widths;
  for (int i = 0; i < count(); ++i) bars_[std::size_t(i)]->showWidth(int(widths[std::size_t(i)]));
}

void WidthBars::setChosen(int layer) {
  for (int i = 0; i < count(); ++i) bars_[std::size_t(i)]->setChosen(i == layer);
}

}  // namespace tfm::ui
