// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_stepper.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kSentenceLines = 3;  // room for most sentences, so that the diagram stays as large

/// Steps that a key walks; 0 for other keys.
int walkOf(int key) {
  switch (key) {
    case Qt::Key_Space:
    case Qt::Key_Right:
    case Qt::Key_Down:
      return 1;
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backspace:
      return -1;
    default:
      return 0;
  }
}

}  // namespace

FlowStepper::FlowStepper(const Style& style, QWidget* parent)
    : QWidget(parent),
      previous_(new QToolButton),
      next_(new QToolButton),
      leave_(new QToolButton),
      number_(new QLabel),
      keys_(new QLabel),
      sentence_(wrappedLabel("")) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Step by step"));
  setRole(*keys_, "muted");
  setRole(*number_, "strong");
  const auto button = [](QToolButton& one, const QString& text, const QString& tip) {
    one.setText(text);
    one.setAccessibleName(tip);
    one.setToolTip(tip);
  };
  button(*previous_, QStringLiteral("◂"), tr("The step before (Page Up)"));
  button(*next_, QStringLiteral("▸"), tr("The next step of the run (Page Down)"));
  button(*leave_, QStringLiteral("✕"), tr("End the walk"));
  setRole(*leave_, "flat");
  auto* head = rowOf(style, 12, {number_, keys_, kStretch});
  // However long the sentence, the buttons stay where they are, at the bottom.
  setLayout(rowOf(style, 8,
                  {{previous_, 0, Qt::AlignBottom},
                   {next_, 0, Qt::AlignBottom},
                   {columnOf(style, 2, {head, {sentence_, 1, Qt::AlignTop}}), 1},
                   {leave_, 0, Qt::AlignBottom}}));
  connect(previous_, &QToolButton::clicked, this, &FlowStepper::previous);
  connect(next_, &QToolButton::clicked, this, &FlowStepper::next);
  connect(leave_, &QToolButton::clicked, this, &FlowStepper::leave);
  refresh();
}

int FlowStepper::forwardSteps() const { return run_ ? int(run_->program().steps.size()) : 0; }

int FlowStepper::count() const {
  return run_ && run_->hasGradients() ? 2 * forwardSteps() : forwardSteps();
}

std::optional<std::size_t> FlowStepper::step() const {
  if (at_ < 0) return std::nullopt;
  return std::size_t(isBackward() ? 2 * forwardSteps() - 1 - at_ : at_);
}

bool FlowStepper::isBackward() const { return at_ >= forwardSteps(); }

void FlowStepper::setRun(const std::shared_ptr<FlowRun>& run) {
  const int before = count();
  const auto path = [&] { return run_->program().steps[std::size_t(at_)].path; };
  const bool walks = run_ && at_ >= 0 && !isBackward();
  const std::string here = walks ? path() : std::string();
  run_ = run;
  // The run of a training step, where a walk leads, begins with the same steps.
  const bool goes_on = walks && run_ && run_->hasGradients() && !isBackward() && path() == here;
  if (count() != before && !goes_on) return go(-1);
  refresh();
}

void FlowStepper::setBrief(bool brief) {
  brief_ = brief;
  refresh();
}

void FlowStepper::go(int at) {
  at = std::clamp(at, -1, count() - 1);
  if (at == at_) return refresh();
  at_ = at;
  // From here on, Space walks; elsewhere and afterwards it plays.
  if (at_ >= 0)
    setFocus(Qt::OtherFocusReason);
  else if (hasFocus())
    window()->setFocus();
  refresh();
  emit stepChanged();
}

bool FlowStepper::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && at_ >= 0 &&
      walkOf(static_cast<QKeyEvent*>(event)->key()) != 0) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void FlowStepper::keyPressEvent(QKeyEvent* event) {
  const int walk = walkOf(event->key());
  if (at_ >= 0 && walk != 0) return go(std::max(0, at_ + walk));
  if (at_ >= 0 && event->key() == Qt::Key_Escape) return leave();
  QWidget::keyPressEvent(event);
}

void FlowStepper::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  refresh();
}

void FlowStepper::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  refresh();
}

void FlowStepper::refresh() {
  previous_->setEnabled(at_ > 0);
  next_->setEnabled(at_ + 1 < count());
  leave_->setVisible(at_ >= 0);
  keys_->setVisible(at_ >= 0);
  sentence_->setVisible(at_ >= 0 || !brief_);
  sentence_->ensurePolished();
  sentence_->setMinimumHeight(at_ < 0 ? 0
                                      : kSentenceLines * sentence_->fontMetrics().lineSpacing());
  keys_->setText(hasFocus() ? tr("Space: next, ←: back, Esc: end") : tr("Page Down: next"));
  if (at_ < 0) {
    number_->setText(tr("Step by step"));
    sentence_->setText(run_ && run_->canGoBack()
                           ? tr("Walk through the %1 steps of this run and back through their "
                                "gradients.")
                                 .arg(forwardSteps())
                           : tr("Walk through the %1 steps of this run.").arg(forwardSteps()));
    return;
  }
  const int steps = forwardSteps();
  number_->setText(isBackward() ? tr("Step %1 of %2, backwards").arg(at_ + 1 - steps).arg(steps)
                                : tr("Step %1 of %2, forwards").arg(at_ + 1).arg(steps));
  sentence_->setText(FlowWords::step(*run_, *step(), isBackward()));
}

}  // namespace tfm::ui
