// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/transport/transport_bar.h"

#include <QActionGroup>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QSignalBlocker>
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"
#include "ui/document/task_words.h"
#include "ui/figure/number_text.h"
#include "ui/plots/loss_strip.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

/// Steps per second; 0: as fast as possible.
constexpr std::array<double, 6> kSpeeds{1, 10, 30, 100, 300, 0};

/// The stages of a slow start: a speed until a step. About five seconds each.
struct Stage {
  double speed;
  std::int64_t until;
};
constexpr std::array kStages{Stage{10, 50}, Stage{30, 200}, Stage{100, 600}};

constexpr double kGoodAccuracy = 0.99;
constexpr double kHeight = 60;

int placeOf(double speed) {
  return int(std::find(kSpeeds.begin(), kSpeeds.end(), speed) - kSpeeds.begin());
}

QString speedText(double speed) {
  return speed > 0 ? TransportBar::tr("%1 / s").arg(speed) : TransportBar::tr("full speed");
}

QString withKeys(const QString& name, const QString& keys) {
  return TransportBar::tr("%1 (%2)", "what a button does and its keys").arg(name, keys);
}

QString percent(double share) {
  // Only the complete progress is shown as 100 %.
  const double shown = share < 1.0 ? std::min(std::floor(share * 1000.0) / 10.0, 99.9) : 100.0;
  return TransportBar::tr("%1 %").arg(QString::number(shown, 'f', 1));
}

/// The last measurement at or before a step; null for none.
template <class Point>
const Point* lastUntil(const std::vector<Point>& points, std::int64_t step) {
  const auto after = std::upper_bound(points.begin(), points.end(), step,
                                      [](std::int64_t s, const Point& p) { return s < p.step; });
  return after == points.begin() ? nullptr : &*(after - 1);
}

}  // namespace

TransportBar::TransportBar(Style& style, ModelDocument& document, QWidget* parent)
    : QFrame(parent),
      style_(style),
      document_(document),
      training_(document.training()),
      moments_(document.moments()),
      play_action_([this] { training_.togglePlay(); }),
      start_over_action_([this](bool new_seed) {
        new_seed ? document_.changes().newSeed() : document_.changes().reset();
      }),
      row_(new QHBoxLayout(this)),
      play_(add(iconButton(style, "play", tr("Play"), "primary"), [this] { play_action_(); })),
      step_button_(
          add(iconButton(style, "step", tr("One step")), [this] { training_.stepOnce(); })),
      speed_button_(add(new QToolButton, {})),
      step_(new NamedNumber(style, tr("step"))),
      loss_(new NamedNumber(style, tr("loss"))),
      accuracy_(new NamedNumber(style, tr("held-out accuracy"))),
      strip_(new LossStrip(style)),
      redraw_(*this, [this] { showNumbers(); }) {
  // A small window hides parts instead of growing.
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setRole(*this, "panel");
  step_button_->setToolTip(withKeys(tr("One step"), tr(".")));
  for (NamedNumber* number : {step_, loss_, accuracy_}) row_->addWidget(number);
  for (NamedNumber* number : {step_, loss_}) number->reserveWidthFor(QStringLiteral("0.00000"));
  row_->addWidget(strip_, 1);
  makeSpeeds();
  makeMoments();

  connect(&document_, &ModelDocument::replaced, this, &TransportBar::showModel);
  connect(&training_, &Training::measured, this, &TransportBar::append);
  connect(&training_, &Training::rewound, this, &TransportBar::refill);
  connect(&training_, &Training::runningChanged, this, &TransportBar::showRunning);
  connect(&training_, &Training::configChanged, this, &TransportBar::showGoal);
  connect(&moments_, &Moments::momentsChanged, this, &TransportBar::showMoments);
  for (const auto signal : {&Moments::momentChanged, &Moments::pinsChanged})
    connect(&moments_, signal, this, &TransportBar::showPlace);
  connect(&training_, &Training::flagged, this, &TransportBar::showPlace);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &TransportBar::nameStep);
  connect(strip_, &LossStrip::stepClicked, this, &TransportBar::goTo);
  connect(strip_, &LossStrip::momentStepped, &moments_, &Moments::moveBy);
  connect(&style_, &Style::changed, this, &TransportBar::updateSizes);
  // The names by which lessons point at them, in all languages.
  play_->setObjectName("Play");
  step_button_->setObjectName("One step");
  more_->setObjectName("Start over");
  strip_->setObjectName("Time");
  addKeys();
  updateSizes();
  showModel();
}

template <class Button>
Button* TransportBar::add(Button* button, std::function<void()> action) {
  // A click does not move the focus, so that Space still means play.
  button->setFocusPolicy(Qt::TabFocus);
  if (action)
    connect(button, &Button::clicked, this, [this, action = std::move(action)] {
      if (document_.isOpen()) action();
    });
  row_->addWidget(button);
  return button;
}

void TransportBar::makeMoments() {
  now_ = add(new QToolButton, [this] { moments_.showNow(); });
  now_->setText(tr("Back to now"));
  now_->setToolTip(withKeys(tr("Show the present again"), tr("Ctrl+End")));
  go_on_ = add(new QToolButton, [this] { document_.changes().continueFromMoment(); });
  go_on_->setText(tr("Continue from here"));
  for (QToolButton* button : {now_, go_on_}) button->setAccessibleName(button->text());
  comparison_ = new Segmented(style_, {tr("Now"), tr("A"), tr("B"), tr("A − B")});
  row_->addWidget(comparison_);
  comparison_->setAccessibleName(tr("Pinned moments"));
  connect(comparison_, &Segmented::currentChanged, this, [this](int choice) {
    if (Comparison(choice) == Comparison::Now)
      moments_.showNow();
    else
      moments_.compare(Comparison(choice));
  });
  pin_ = add(iconButton(style_, "pin", tr("Pin what is shown to compare it with another moment")),
             [this] { moments_.pin(moments_.pinnedStep(Pin::A) ? Pin::B : Pin::A); });
  pin_->setToolTip(withKeys(pin_->accessibleName(), tr("Shift+P")));
  more_ = add(iconButton(style_, "more", tr("Start over, pins")), {});
  more_->setToolTip(withKeys(more_->accessibleName(), tr("menu")));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  connect(more_->menu(), &QMenu::aboutToShow, this, &TransportBar::fillMore);
  fillMore();
}

void TransportBar::fillMore() {
  QMenu& menu = *more_->menu();
  menu.clear();
  const bool open = document_.isOpen();
  const auto entry = [&](const QString& text, const QString& keys, std::function<void()> action) {
    QAction* one = menu.addAction(keys.isEmpty() ? text : text + u'\t' + keys, this, action);
    one->setEnabled(open);
  };
  const QString seed = open ? QString::number(training_.config().seed) : QString();
  entry(tr("Start over with the same seed: %1").arg(seed), tr("Ctrl+R"),
        [this] { start_over_action_(false); });
  entry(tr("Start over with a new seed"), tr("Ctrl+Shift+R"), [this] { start_over_action_(true); });
  menu.addSeparator();
  for (const auto& [pin, name] : {std::pair(Pin::A, tr("A")), {Pin::B, tr("B")}}) {
    entry(tr("Pin as %1").arg(name), {}, [this, pin = pin] { moments_.pin(pin); });
    if (const auto step = open ? moments_.pinnedStep(pin) : std::nullopt)
      entry(tr("Remove pin %1 (step %2)").arg(name, stepNumber(double(*step))), {},
            [this, pin = pin] { moments_.unpin(pin); });
  }
}

void TransportBar::makeSpeeds() {
  speed_button_->setPopupMode(QToolButton::InstantPopup);
  speed_button_->setAccessibleName(tr("Speed"));
  auto* menu = new QMenu(speed_button_);
  auto* group = new QActionGroup(menu);
  for (std::size_t place = 0; place < kSpeeds.size(); ++place) {
    QAction* action = menu->addAction(
        kSpeeds[place] > 0 ? tr("%1 steps per second").arg(kSpeeds[place]) : tr("Full speed"), this,
        [this, place] { chooseSpeed(int(place), true); });
    action->setCheckable(true);
    group->addAction(action);
  }
  speed_button_->setMenu(menu);
  chooseSpeed(placeOf(training_.speed()), false);
}

void TransportBar::chooseSpeed(int place, bool by_user) {
  speed_ = std::clamp(place, 0, int(kSpeeds.size()) - 1);
  if (by_user) {
    speed_chosen_ = true;
    stage_.reset();
  }
  speed_button_->menu()->actions()[speed_]->setChecked(true);
  training_.setSpeed(kSpeeds[std::size_t(speed_)]);
  showSpeed();
}

void TransportBar::changeSpeed(int by) { chooseSpeed(speed_ + by, true); }

void TransportBar::showSpeed() {
  const QString& device = training_.device();
  const double rate = training_.stepsPerSecond();
  const QString chosen = speedText(kSpeeds[std::size_t(speed_)]);
  const QString on = device.isEmpty() || device == "cpu" ? QString() : tr(" on %1").arg(device);
  speed_button_->setText((rate > 0 ? tr("%1 / s").arg(stepNumber(std::round(rate))) : chosen) + on);
  speed_button_->setAccessibleDescription(chosen);
  speed_button_->setToolTip(withKeys(tr("Speed: %1. Slower or faster").arg(chosen), tr("{ and }")));
}

void TransportBar::startSlowly() {
  if (speed_chosen_) return;
  stage_ = 0;
  showStage();
}

void TransportBar::goFasterIfDue() {
  if (!stage_ || training_.step() < kStages[*stage_].until) return;
  if (++*stage_ == kStages.size()) return endSlowStart();
  showStage();
}

void TransportBar::showStage() { chooseSpeed(placeOf(kStages[*stage_].speed), false); }

void TransportBar::endSlowStart() {
  if (!stage_) return;
  stage_.reset();
  chooseSpeed(int(kSpeeds.size()) - 1, false);
}

void TransportBar::addKeys() {
  const auto key = [this](const QKeySequence& keys, const QString& what,
                          std::function<void()> action) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setWhatsThis(what);
    connect(shortcut, &QShortcut::activated, this, [this, action = std::move(action)] {
      if (document_.isOpen()) action();
    });
  };
  key(Qt::Key_BraceLeft, tr("Slower"), [this] { changeSpeed(-1); });
  key(Qt::Key_BraceRight, tr("Faster"), [this] { changeSpeed(1); });
  key(Qt::Key_BracketLeft, tr("Show an earlier moment"), [this] { moments_.moveBy(-1); });
  key(Qt::Key_BracketRight, tr("Show a later moment"), [this] { moments_.moveBy(1); });
  key(Qt::CTRL | Qt::Key_End, tr("Show the present"), [this] { moments_.showNow(); });
  key(Qt::SHIFT | Qt::Key_P, tr("Pin the shown step"), [this] { pin_->click(); });
}

void TransportBar::goTo(double step) {
  if (std::int64_t(step) >= training_.step())
    moments_.showNow();
  else
    moments_.show(std::int64_t(step));
  showPlace();
}

void TransportBar::showMoments() {
  std::vector<double> steps;
  for (const train::Moment& moment : moments_.all()) steps.push_back(double(moment.step()));
  strip_->setMoments(std::move(steps));
}

void TransportBar::showPlace() {
  if (!document_.isOpen()) return;
  redraw_.request();
  strip_->setCurrentStep(moments_.showsNow() ? std::nullopt
                                             : std::optional(double(moments_.shownStep())));
  std::vector<PlotFlag> flags, pins;
  for (const train::HistoryEvent& event : training_.history().events)
    flags.push_back({double(event.step), QString::fromStdString(event.text),
                     event.kind == train::EventKind::Growth ? &Palette::good : &Palette::muted});
  for (const auto& [pin, name] : {std::pair(Pin::A, tr("A")), {Pin::B, tr("B")}})
    if (const auto step = moments_.pinnedStep(pin)) pins.push_back({double(*step), name});
  strip_->setFlags(std::move(flags));
  strip_->setPins(std::move(pins));
  showPins();
}

void TransportBar::showPins() {
  const auto a = moments_.pinnedStep(Pin::A), b = moments_.pinnedStep(Pin::B);
  const bool past = !moments_.showsNow();
  const std::int64_t dropped = training_.step() - moments_.shownStep();
  go_on_->setToolTip(
      dropped == 0
          ? tr("Continue training from this moment")
          : tr("Continue training from step %1. What came after it, %2 steps, is "
               "set aside; Undo brings it back")
                .arg(stepNumber(double(moments_.shownStep())), stepNumber(double(dropped))));
  const auto offer = [this](int choice, bool can, const QString& what) {
    comparison_->setChoiceVisible(choice, can);
    comparison_->setChoiceToolTip(choice, what);
  };
  const auto step = [](std::optional<std::int64_t> at) {
    return stepNumber(double(at.value_or(0)));
  };
  offer(1, a.has_value(), tr("The pinned step %1").arg(step(a)));
  offer(2, b.has_value(), tr("The pinned step %1").arg(step(b)));
  offer(3, a && b, tr("The later moment minus the earlier one, number by number"));
  comparison_->setChoiceText(3,
                             a && b && moments_.laterPin() == Pin::B ? tr("B − A") : tr("A − B"));
  const QSignalBlocker quiet(comparison_);
  if (past && moments_.comparison() == Comparison::Now)
    comparison_->clearCurrent();
  else
    comparison_->setCurrent(int(moments_.comparison()));
  nameStep();
  fit();
}

/// Which step is shown, if it is not the present.
void TransportBar::nameStep() {
  if (!document_.isOpen()) return;
  QString name = tr("step"), tip;
  if (moments_.comparison() == Comparison::Difference) {
    name = tr("step %1 − %2")
               .arg(stepNumber(double(moments_.shownStep())),
                    stepNumber(double(moments_.subtracted()->step())));
    const auto& seen = document_.observing().snapshot();
    const int unmatched = seen ? int(seen->unmatchedParameters().size()) : 0;
    if (unmatched > 0) tip = tr("%1 matrices differ in size").arg(unmatched);
  } else if (!moments_.showsNow()) {
    name = tr("step, of %1").arg(stepNumber(double(training_.step())));
    tip = tr("A kept moment is shown. Training is at step %1")
              .arg(stepNumber(double(training_.step())));
  } else if (const QString left = timeLeft(); !left.isEmpty()) {
    name = tr("step, %1").arg(left);
  }
  step_->setName(name);
  step_->setToolTip(tip);
}

void TransportBar::showModel() {
  endSlowStart();
  setEnabled(document_.isOpen());
  if (!document_.isOpen()) return;
  refill();
  showRunning();
}

void TransportBar::refill() {
  strip_->clearPoints();
  append(0, 0);
  showMoments();
  showPlace();
}

void TransportBar::append(int first, int) {
  const auto& steps = training_.history().steps;
  for (auto i = std::size_t(first); i < steps.size(); ++i)
    strip_->append(double(steps[i].step), steps[i].loss);
  goFasterIfDue();
  redraw_.request();
}

void TransportBar::showNumbers() {
  const QString none = QStringLiteral("–");
  const bool difference = moments_.comparison() == Comparison::Difference;
  const std::int64_t shown = moments_.shownStep();
  const train::History& history = training_.history();
  const auto* last = difference ? nullptr : lastUntil(history.steps, shown);
  const auto* measured = difference ? nullptr : lastUntil(history.evaluations, shown);
  step_->setText(difference ? none : stepNumber(double(shown)));
  loss_->setText(last != nullptr && last->step == shown ? shortNumber(last->loss) : none);
  nameAccuracy(measured);
  accuracy_->setText(none);
  accuracy_->setTone(nullptr);
  if (measured != nullptr) {
    const double share = train::countedAccuracy(document_.codec().form(), *measured);
    accuracy_->setText(percent(share));
    accuracy_->setTone(share >= kGoodAccuracy ? "good" : nullptr);
  }
  showSpeed();
  showGoal();
}

/// Other screens measure on more examples, or later: the name says on how many,
/// the tooltip when.
void TransportBar::nameAccuracy(const train::Evaluation* measured) {
  const bool held_out = document_.hasHeldOutExamples();
  const QString meaning = held_out ? TaskWords::of(document_.codec()).accuracy
                                   : tr("Share of questions answered exactly");
  if (measured == nullptr) {
    accuracy_->setName(held_out ? tr("held-out accuracy") : tr("accuracy"));
    accuracy_->setToolTip(meaning);
    return;
  }
  const QString count = stepNumber(double(measured->examples));
  accuracy_->setName(
      (held_out ? tr("accuracy, %1 held out") : tr("accuracy, %1 examples")).arg(count));
  accuracy_->setToolTip(
      tr("%1: on %2 examples at step %3").arg(meaning, count, stepNumber(double(measured->step))));
}

/// "12 s left", "done"; empty where training has no end.
QString TransportBar::timeLeft() const {
  const std::int64_t end = training_.config().stop.steps;
  const std::int64_t left = end - training_.step();
  const double rate = training_.stepsPerSecond();
  if (end <= 0) return {};
  if (left <= 0) return training_.isRunning() ? tr("no end") : tr("done");
  return training_.isRunning() && rate > 0 ? tr("%1 left").arg(durationText(double(left) / rate))
                                           : tr("of %1").arg(stepNumber(double(end)));
}

void TransportBar::showGoal() {
  if (!document_.isOpen()) return;
  const std::int64_t end = training_.config().stop.steps;
  progress_ = end > 0 ? double(std::min(training_.step(), end)) / double(end) : 0.0;
  step_->setAccessibleDescription(tr("%1 complete").arg(percent(progress_)));
  update();
  nameStep();
  fit();  // longer numbers need more room
}

void TransportBar::showRunning() {
  const bool running = training_.isRunning();
  const QString name = running ? tr("Pause") : tr("Play");
  play_->setIcon(style_.icon(running ? "pause" : "play", readableOn(style_.palette().accent)));
  play_->setAccessibleName(name);
  play_->setToolTip(tr("%1 (%2)").arg(name, tr("Space")));
  if (document_.isOpen()) showNumbers();
}

void TransportBar::updateSizes() {
  setFixedHeight(style_.px(kHeight));
  row_->setContentsMargins(style_.px(14), style_.px(6), style_.px(14), style_.px(4));
  row_->setSpacing(style_.px(12));
  for (auto* button : findChildren<QToolButton*>())
    button->setIconSize(QSize(style_.iconSize(), style_.iconSize()));
  const QFontMetrics words(speed_button_->font());
  speed_button_->setMinimumWidth(words.horizontalAdvance(tr("full speed")) + style_.px(30));
  step_->setMinimumWidth(style_.px(92));
  accuracy_->setMinimumWidth(style_.px(84));
  showRunning();
  fit();
  updateGeometry();
}

QSize TransportBar::minimumSizeHint() const { return {style_.px(520), style_.px(kHeight)}; }

void TransportBar::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  showRunning();
}

void TransportBar::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  const int line = std::max(2, style_.px(2));
  painter.fillRect(0, 0, width(), std::max(1, style_.px(1)), style_.palette().line);
  painter.fillRect(0, 0, int(std::lround(width() * progress_)), line, style_.palette().accent);
}

void TransportBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fit();
}

void TransportBar::fit() {
  // Computed before showing or hiding anything, which resizes the bar at once.
  const bool open = document_.isOpen();
  const bool pinned = open && (moments_.pinnedStep(Pin::A) || moments_.pinnedStep(Pin::B));
  std::vector<QWidget*> parts;
  const QMargins margins = row_->contentsMargins();
  int needed = margins.left() + margins.right() - row_->spacing();
  const auto width_of = [this](const QWidget* part) {
    return std::max(part->minimumSizeHint().width(), part->minimumWidth()) + row_->spacing();
  };
  for (int i = 0; i < row_->count(); ++i) {
    QWidget* part = row_->itemAt(i)->widget();
    if (part == comparison_ && !pinned) continue;
    parts.push_back(part);
    needed += width_of(part);
  }
  for (QWidget* part : std::initializer_list<QWidget*>{speed_button_, loss_, step_button_, strip_,
                                                       accuracy_, go_on_, now_}) {
    if (needed <= width()) break;
    if (std::erase(parts, part) > 0) needed -= width_of(part);
  }
  const bool past = open && !moments_.showsNow();
  for (int i = 0; i < row_->count(); ++i) {
    QWidget* part = row_->itemAt(i)->widget();
    const bool has_room = std::ranges::find(parts, part) != parts.end();
    const bool usable = part == now_     ? past
                        : part == go_on_ ? past && moments_.canContinue()
                                         : true;
    part->setVisible(has_room && usable);
    if (part == now_ || part == go_on_) {
      QSizePolicy policy = part->sizePolicy();
      policy.setRetainSizeWhenHidden(has_room);
      part->setSizePolicy(policy);
    }
  }
}

}  // namespace tfm::ui
