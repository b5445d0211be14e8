// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/transport/time_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include "ui/document/model_document.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

QString number(std::int64_t step) { return stepNumber(double(step)); }

const char* const kNames[] = {"A", "B"};

}  // namespace

TimeBar::TimeBar(const Style& style, ModelDocument& document, QWidget* parent)
    : QWidget(parent),
      style_(style),
      document_(document),
      row_(new QHBoxLayout(this)),
      text_(new QLabel),
      now_(addButton(tr("Back to now"), tr("Show the present again (Ctrl+End)"),
                     &TimeBar::backToNow)),
      go_on_(addButton(tr("Continue from here"),
                       tr("Train on from this moment; what came after it can be brought back with "
                          "Undo"),
                       &TimeBar::goOn)),
      comparison_(new Segmented(style, {tr("Now"), tr("A"), tr("B"), tr("A − B")})) {
  row_->insertWidget(0, text_);
  row_->addStretch(1);
  addPin(0);
  addPin(1);
  row_->addWidget(comparison_);
  comparison_->setAccessibleName(tr("What is shown of the pinned moments"));
  comparison_->setChoiceToolTip(3, tr("Every number of A minus the same number of B"));
  connect(comparison_, &Segmented::currentChanged, this, [this](int choice) {
    if (Comparison(choice) == Comparison::Now)
      document_.showNow();
    else
      document_.setComparison(Comparison(choice));
  });
  for (const auto signal : {&ModelDocument::momentChanged, &ModelDocument::pinsChanged,
                            &ModelDocument::replaced, &ModelDocument::snapshotChanged})
    connect(&document_, signal, this, &TimeBar::refresh);
  connect(&document_, &ModelDocument::measured, this, &TimeBar::refresh);
  connect(&style_, &Style::changed, this, &TimeBar::updateSizes);
  updateSizes();
  refresh();
}

QPushButton* TimeBar::addButton(const QString& text, const QString& help,
                                void (TimeBar::*action)()) {
  auto* button = new QPushButton(text);
  button->setToolTip(help);
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, this, action);
  row_->addWidget(button);
  return button;
}

void TimeBar::addPin(int slot) {
  const QString name = kNames[slot];
  auto* button = new QPushButton(tr("Pin as %1").arg(name));
  button->setToolTip(tr("Keep what is shown to compare it with another moment"));
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, this, [this, slot] { document_.pin(Pin(slot)); });
  auto* chip = new PinChip(style_, {});
  connect(chip, &PinChip::closed, this, [this, slot] { document_.unpin(Pin(slot)); });
  row_->addWidget(button);
  row_->addWidget(chip);
  pin_[std::size_t(slot)] = button;
  chip_[std::size_t(slot)] = chip;
}

void TimeBar::backToNow() { document_.showNow(); }
void TimeBar::goOn() { document_.continueFromMoment(); }

QString TimeBar::sentence() const {
  const QString step = number(document_.shownStep());
  if (document_.showsNow()) return tr("Showing the present, step %1").arg(step);
  if (document_.comparison() == Comparison::Difference) {
    const QString b = number(*document_.pinnedStep(Pin::B));
    const auto& seen = document_.snapshot();
    const int unmatched = seen ? int(seen->unmatchedParameters().size()) : 0;
    const QString text = tr("Showing step %1 minus step %2").arg(step, b);
    return unmatched == 0
               ? text
               : tr("%1; %2 matrices are not of one size in both").arg(text).arg(unmatched);
  }
  return tr("Showing step %1 of %2").arg(step, number(document_.step()));
}

void TimeBar::refresh() {
  bool pinned = false;
  for (const Pin slot : {Pin::A, Pin::B}) {
    const auto at = std::size_t(slot);
    const auto step = document_.isOpen() ? document_.pinnedStep(slot) : std::nullopt;
    pinned = pinned || step;
    pin_[at]->setVisible(!step);
    chip_[at]->setVisible(step.has_value());
    if (step) chip_[at]->setText(tr("%1: step %2").arg(kNames[at], number(*step)));
    comparison_->setChoiceEnabled(1 + int(at), step.has_value());
  }
  const bool past = document_.isOpen() && !document_.showsNow();
  setVisible(past || pinned);
  if (!past && !pinned) return;
  const bool both = document_.pinnedStep(Pin::A) && document_.pinnedStep(Pin::B);
  comparison_->setVisible(pinned);
  comparison_->setChoiceEnabled(3, both);
  {
    const QSignalBlocker quiet(comparison_);
    comparison_->setCurrent(int(document_.comparison()));
  }
  const bool moment = past && document_.comparison() == Comparison::Now;
  comparison_->setChoiceText(0,
                             moment ? tr("Step %1").arg(number(document_.shownStep())) : tr("Now"));
  text_->setText(sentence());
  now_->setVisible(past);
  go_on_->setVisible(past && document_.comparison() != Comparison::Difference);
  go_on_->setEnabled(document_.canContinue());
}

void TimeBar::updateSizes() {
  row_->setContentsMargins(style_.px(14), style_.px(8), style_.px(14), 0);
  row_->setSpacing(style_.px(8));
}

}  // namespace tfm::ui
