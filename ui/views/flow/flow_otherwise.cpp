// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_otherwise.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kPositions = 400;  // of the slider

}  // namespace

FlowOtherwise::FlowOtherwise(const Style& style, QWidget* parent)
    : Section(style, tr("If it were different"), {}, parent),
      slider_(new QSlider(Qt::Horizontal)),
      number_(new NumberLabel),
      hint_(wrappedLabel("muted")),
      buttons_(new QWidget),
      keep_(pushButton(tr("Keep it"), tr("Keep the change (Return); Ctrl+Z undoes it"))),
      drop_(pushButton(tr("Drop it"), tr("Back to the model's own number (Esc)"))),
      bars_(new BarList(style)) {
  slider_->setRange(0, kPositions);
  slider_->setPageStep(kPositions / 20);
  slider_->setAccessibleName(tr("What if the number were"));
  slider_->installEventFilter(this);
  bars_->setTitle(tr("The answers if the number were different"));
  bars_->setSeries({tr("now"), tr("if it were")});
  bars_->setLimit(1.0);
  buttons_->setLayout(rowOf({keep_, drop_, kStretch}));
  for (QWidget* part : std::initializer_list<QWidget*>{slider_, number_, hint_, buttons_, bars_})
    add(part);
  setFigure(bars_);
  connect(slider_, &QSlider::valueChanged, this, &FlowOtherwise::moved);
  connect(slider_, &QSlider::sliderReleased, this, [this] {
    if (!ignores_) keep();
    ignores_ = false;
    refresh();
  });
  connect(keep_, &QPushButton::clicked, this, &FlowOtherwise::keep);
  connect(drop_, &QPushButton::clicked, this, &FlowOtherwise::drop);
  withdraw();
}

double FlowOtherwise::valueOf(int position) const {
  return least_ + (most_ - least_) * position / kPositions;
}

void FlowOtherwise::offer(double value, double least, double most) {
  show();
  if (tried_) return;
  value_ = value;
  least_ = least;
  most_ = most;
  refresh();
}

void FlowOtherwise::withdraw() {
  if (tried_) drop();
  hide();
}

void FlowOtherwise::refresh() {
  if (!tried_ && !slider_->isSliderDown()) {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(int(std::lround((value_ - least_) / (most_ - least_) * kPositions)));
  }
  number_->setText(tried_ ? tr("%1 instead of %2").arg(shortNumber(*tried_), shortNumber(value_))
                          : shortNumber(value_));
  hint_->setText(
      tried_ ? tr("Only tried. Release the slider or press Return to keep it, Esc to "
                  "drop it.")
             : tr("Drag to see what the model would answer; release to keep it (Ctrl+Z undoes)."));
  buttons_->setVisible(tried_.has_value());
  bars_->setVisible(tried_.has_value());
}

void FlowOtherwise::moved(int position) {
  if (ignores_) return;
  tried_ = valueOf(position);
  refresh();
  emit tryRequested(*tried_);
}

void FlowOtherwise::endTrial() {
  tried_.reset();
  bars_->setRows({});
  refresh();
}

void FlowOtherwise::keep() {
  if (!tried_) return;
  const double value = *tried_;
  value_ = value;  // until the run with it is there
  endTrial();
  emit kept(value);
}

void FlowOtherwise::drop() {
  if (!tried_) return;
  ignores_ = slider_->isSliderDown();
  endTrial();
  const QSignalBlocker quiet(slider_);
  slider_->setValue(int(std::lround((value_ - least_) / (most_ - least_) * kPositions)));
  emit dropped();
}

void FlowOtherwise::showAnswers(const QString& heading, std::vector<BarRow> rows) {
  if (!tried_) return;
  bars_->setHeading(heading);
  bars_->setRows(std::move(rows));
}

void FlowOtherwise::showProblem(const QString& problem) { hint_->setText(problem); }

bool FlowOtherwise::eventFilter(QObject* watched, QEvent* event) {
  if (watched != slider_) return Section::eventFilter(watched, event);
  // Turning the wheel over the panel scrolls it.
  if (event->type() == QEvent::Wheel) {
    event->ignore();
    return true;
  }
  // What is only tried does not outlast the attention that it had.
  if (event->type() == QEvent::FocusOut && tried_ && !slider_->isSliderDown() &&
      !keep_->underMouse())
    drop();
  if (!tried_ || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
    return Section::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  const bool keeps = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (!keeps && key != Qt::Key_Escape) return Section::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::ShortcutOverride) return true;
  if (keeps)
    keep();
  else
    drop();
  return true;
}

}  // namespace tfm::ui
