// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/transport/time_bar.h"

#include <QSignalBlocker>
#include <QStackedLayout>
#include <algorithm>

#include "ui/document/changes.h"
#include "ui/document/moments.h"
#include "ui/document/observing.h"
#include "ui/document/training.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

QString number(std::int64_t step) { return stepNumber(double(step)); }

constexpr const char* kNames[] = {"A", "B"};
constexpr std::int64_t kWidestStep = 888888;

QString pinText(int slot, std::int64_t step) {
  return TimeBar::tr("%1: step %2").arg(QLatin1String(kNames[slot]), number(step));
}

}  // namespace

TimeBar::TimeBar(const Style& style, Training& training, Moments& moments, Observing& observing,
                 Changes& changes, QWidget* parent)
    : QWidget(parent),
      style_(style),
      training_(training),
      moments_(moments),
      observing_(observing),
      changes_(changes),
      row_(rowOf(style, 8, {})),
      below_(rowOf(style, 8, {kStretch})),
      pins_(new QWidget),
      text_(new ElidedLabel("", 1)),
      now_(addButton(tr("Back to now"), tr("Show the present again (Ctrl+End)"),
                     &TimeBar::backToNow)),
      go_on_(addButton(tr("Continue from here"),
                       tr("Continue training from this moment; Undo brings back what came after"),
                       &TimeBar::goOn)),
      comparison_(new Segmented(style, {tr("Now"), tr("A"), tr("B"), tr("A − B")})) {
  row_->insertWidget(0, text_, 1);
  pins_->setLayout(rowOf(style, 8, {}));
  addPin(0);
  addPin(1);
  pins_->layout()->addWidget(comparison_);
  row_->addWidget(pins_);
  setLayout(columnOf(style, 8, {row_, below_}));
  layout()->setSizeConstraint(QLayout::SetNoConstraint);  // minimumSizeHint() does that
  comparison_->setAccessibleName(tr("Pinned moments"));
  comparison_->setChoiceToolTip(3, tr("The later moment minus the earlier one, number by number"));
  connect(comparison_, &Segmented::currentChanged, this, [this](int choice) {
    if (Comparison(choice) == Comparison::Now)
      moments_.showNow();
    else
      moments_.compare(Comparison(choice));
  });
  for (const auto signal : {&Moments::momentChanged, &Moments::pinsChanged})
    connect(&moments_, signal, this, &TimeBar::refresh);
  connect(&training_, &Training::replaced, this, &TimeBar::refresh);
  connect(&observing_, &Observing::snapshotChanged, this, &TimeBar::refresh);
  connect(&training_, &Training::measured, this, &TimeBar::refresh);
  style_.follow(this, [this] { updateSizes(); });
  refresh();
}

QPushButton* TimeBar::addButton(const QString& text, const QString& help,
                                void (TimeBar::*action)()) {
  auto* button = pushButton(text, help);
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, this, action);
  row_->addWidget(button);
  return button;
}

void TimeBar::addPin(int slot) {
  const QString name = QLatin1String(kNames[slot]);
  auto* button = pushButton(tr("Pin as %1").arg(name),
                            tr("Pin what is shown to compare it with another moment"));
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, this, [this, slot] { moments_.pin(Pin(slot)); });
  auto* chip = new PinChip(style_, {});
  chip->reserveWidthFor(pinText(slot, kWidestStep));
  connect(chip, &PinChip::closed, this, [this, slot] { moments_.unpin(Pin(slot)); });
  auto* place = new QWidget;
  auto* one = new QStackedLayout(place);
  one->addWidget(button);
  one->addWidget(chip);
  pins_->layout()->addWidget(place);
  pin_[std::size_t(slot)] = button;
  chip_[std::size_t(slot)] = chip;
  slot_[std::size_t(slot)] = one;
}

void TimeBar::backToNow() { moments_.showNow(); }
void TimeBar::goOn() { changes_.continueFromMoment(); }

QString TimeBar::sentence() const {
  const QString step = number(moments_.shownStep());
  if (moments_.showsNow()) return tr("Now: step %1").arg(step);
  if (moments_.comparison() == Comparison::Difference) {
    const auto& seen = observing_.snapshot();
    const int unmatched = seen ? int(seen->unmatchedParameters().size()) : 0;
    const QString text =
        tr("Showing step %1 − step %2").arg(step, number(moments_.subtracted()->step()));
    return unmatched == 0 ? text : tr("%1; %2 matrices differ in size").arg(text).arg(unmatched);
  }
  const QString text = tr("Showing step %1 of %2").arg(step, number(training_.step()));
  if (!moments_.canContinue()) return text;
  const std::int64_t dropped = training_.step() - moments_.shownStep();
  return dropped == 1
             ? tr("%1; continuing here drops the next step").arg(text)
             : tr("%1; continuing here drops the next %2 steps").arg(text, number(dropped));
}

void TimeBar::setRoomy(bool roomy) {
  roomy_ = roomy;
  refresh();
}

void TimeBar::refresh() {
  const bool open = training_.isOpen();
  setEnabled(open);
  const bool used =
      open && (!moments_.showsNow() || moments_.pinnedStep(Pin::A) || moments_.pinnedStep(Pin::B));
  setVisible(roomy_ || used);
  for (const Pin slot : {Pin::A, Pin::B}) {
    const auto at = std::size_t(slot);
    const auto step = open ? moments_.pinnedStep(slot) : std::nullopt;
    if (step) chip_[at]->setText(pinText(int(at), *step));
    slot_[at]->setCurrentWidget(step ? static_cast<QWidget*>(chip_[at]) : pin_[at]);
    comparison_->setChoiceEnabled(1 + int(at), step.has_value());
  }
  const bool past = open && !moments_.showsNow();
  now_->setEnabled(past);
  go_on_->setEnabled(past && moments_.canContinue());
  if (!open) return;
  const bool both = moments_.pinnedStep(Pin::A) && moments_.pinnedStep(Pin::B);
  comparison_->setChoiceEnabled(3, both);
  comparison_->setChoiceText(3, both && moments_.laterPin() == Pin::B ? tr("B − A") : tr("A − B"));
  const QSignalBlocker quiet(comparison_);
  if (past && moments_.comparison() == Comparison::Now)
    comparison_->clearCurrent();
  else
    comparison_->setCurrent(int(moments_.comparison()));
  text_->setText(sentence());
}

void TimeBar::updateSizes() {
  layout()->setContentsMargins(style_.px(14), style_.px(8), style_.px(14), 0);
  arrange();
}

QSize TimeBar::minimumSizeHint() const {
  const QMargins margins = layout()->contentsMargins();
  const int buttons =
      now_->minimumSizeHint().width() + go_on_->minimumSizeHint().width() + 3 * row_->spacing();
  return {margins.left() + margins.right() + std::max(buttons, pins_->minimumSizeHint().width()),
          layout()->minimumSize().height()};
}

void TimeBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void TimeBar::arrange() {
  constexpr double kSentence = 200;  // "Showing step 12345 of 12345"
  const int one_line = minimumSizeHint().width() + now_->sizeHint().width() +
                       go_on_->sizeHint().width() + style_.px(kSentence);
  QHBoxLayout* line = one_line > width() ? below_ : row_;
  if (line->indexOf(pins_) >= 0) return;
  line->addWidget(pins_);
  updateGeometry();
}

}  // namespace tfm::ui
