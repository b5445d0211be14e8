// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/write/sampling_sliders.h"

#include <QGridLayout>
#include <QSlider>
#include <array>

#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

/// Positions of the top-k slider; 0: all tokens.
constexpr std::array<int, 15> kTopK{1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200, 0};
constexpr double kTemperatureStep = 0.05, kTopPStep = 0.05;
constexpr int kHottest = 40, kWholeP = 20;  // positions: 2.0 and 1.0

QString number(double value) { return QString::number(value, 'f', 2); }

}  // namespace

SamplingSliders::SamplingSliders(const Style& style, QWidget* parent)
    : QWidget(parent), style_(style), grid_(bareLayout<QGridLayout>(this)) {
  grid_->setColumnStretch(1, 1);
  temperature_ = addSlider(tr("Temperature"),
                           tr("Below 1, likely tokens are preferred; above 1, unlikely ones get a "
                              "chance; 0 always takes the most probable token"),
                           kHottest, 16, temperature_number_);
  top_k_ = addSlider(tr("Top-k"), tr("Draw only from this many of the most probable tokens"),
                     int(kTopK.size()) - 1, int(kTopK.size()) - 1, top_k_number_);
  top_p_ =
      addSlider(tr("Top-p"),
                tr("Draw only from the most probable tokens that together have this probability"),
                kWholeP, 19, top_p_number_);
  top_p_->setMinimum(1);
  style_.follow(this, [this] {
    grid_->setHorizontalSpacing(style_.px(8));
    grid_->setVerticalSpacing(style_.px(6));
    // Reserves space so that the sliders do not move.
    const QFontMetrics metrics(style_.numberFont());
    grid_->setColumnMinimumWidth(2,
                                 metrics.horizontalAdvance(QStringLiteral("0.00")) + style_.px(2));
  });
  showNumbers();
}

QSlider* SamplingSliders::addSlider(const QString& name, const QString& hint, int most, int value,
                                    QLabel*& number) {
  auto* label = new QLabel(name);
  auto* slider = new QSlider(Qt::Horizontal);
  number = new NumberLabel;
  slider->setRange(0, most);
  slider->setPageStep(2);
  slider->setValue(value);
  slider->setAccessibleName(name);
  label->setBuddy(slider);
  for (QWidget* part : std::initializer_list<QWidget*>{label, slider}) part->setToolTip(hint);
  const int row = grid_->rowCount();
  grid_->addWidget(label, row, 0);
  grid_->addWidget(slider, row, 1);
  grid_->addWidget(number, row, 2, Qt::AlignRight);
  connect(slider, &QSlider::valueChanged, this, [this] {
    showNumbers();
    emit changed();
  });
  return slider;
}

SamplingOptions SamplingSliders::options() const {
  SamplingOptions options;
  options.temperature = temperature_->value() * kTemperatureStep;
  options.top_k = kTopK[std::size_t(top_k_->value())];
  options.top_p = top_p_->value() == kWholeP ? 1.0 : top_p_->value() * kTopPStep;
  return options;
}

QString SamplingSliders::formula() const {
  const SamplingOptions o = options();
  if (o.temperature == 0.0) return tr("p = 1 for the largest logit");
  QStringList among;
  if (o.top_k > 0) among << tr("top-k %1").arg(o.top_k);
  if (o.top_p < 1.0) among << tr("top-p %1").arg(number(o.top_p));
  return tr("p = softmax(logits / %1)\n%2")
      .arg(number(o.temperature),
           among.isEmpty() ? tr("among all tokens") : tr("among %1").arg(among.join(", ")));
}

void SamplingSliders::showNumbers() {
  const SamplingOptions o = options();
  temperature_number_->setText(number(o.temperature));
  top_k_number_->setText(o.top_k > 0 ? QString::number(o.top_k) : tr("all"));
  top_p_number_->setText(number(o.top_p));
  const std::array rows{std::pair(temperature_, temperature_number_),
                        std::pair(top_k_, top_k_number_), std::pair(top_p_, top_p_number_)};
  for (const auto& [slider, text] : rows) slider->setAccessibleDescription(text->text());
}

}  // namespace tfm::ui
