// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/transport/transport_bar.h"

#include <QEvent>
#include <QPainter>
#include <QShortcut>
#include <QSlider>
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
#include "ui/views/transport/time_bar.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

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
      time_(new TimeBar(style, training_, moments_, document.observing(), document.changes())),
      row_(new QHBoxLayout),
      step_(new NamedNumber(style, tr("step"))),
      loss_(new NamedNumber(style, tr("loss"))),
      accuracy_(new NamedNumber(style, tr("held-out accuracy"))),
      rate_(new NamedNumber(style, tr("steps / s"))),
      time_left_(new NamedNumber(style, tr("time left"))),
      strip_(new LossStrip(style)),
      seed_(new NamedNumber(style, tr("seed"))),
      redraw_(*this, [this] { showNumbers(); }) {
  // A small window hides numbers instead of growing.
  setLayout(columnOf(style, 0, {time_, row_}));
  layout()->setSizeConstraint(QLayout::SetNoConstraint);
  setRole(*this, "panel");
  play_ = addButton("play", tr("Play"), tr("Space"), [this] { play_action_(); });
  setRole(*play_, "primary");
  addButton("step", tr("One step"), tr("."), [this] { training_.stepOnce(); });
  speed_group_ = makeSpeed();
  row_->addWidget(speed_group_);
  for (NamedNumber* number : {step_, loss_, accuracy_, rate_, time_left_}) row_->addWidget(number);
  for (NamedNumber* number : {step_, loss_, rate_})
    number->reserveWidthFor(QStringLiteral("0.00000"));
  time_left_->reserveWidthFor(tr("%1 steps").arg(stepNumber(9999)));
  row_->addWidget(strip_, 1);
  pin_ = addButton("pin", tr("Pin what is shown to compare it with another moment"), tr("Shift+P"),
                   [this] { moments_.pin(moments_.pinnedStep(Pin::A) ? Pin::B : Pin::A); });
  row_->addWidget(seed_);
  // Far from Play, and as text: starting over must not look like a step back.
  new_seed_ = addButton("new-seed", tr("Start over with a new seed: other initial weights"),
                        tr("Ctrl+Shift+R"), [this] { start_over_action_(true); });
  start_over_ = addButton("reset", tr("Start over with the same initial weights, at step 0"),
                          tr("Ctrl+R"), [this] { start_over_action_(false); });
  start_over_->setText(tr("Start over"));
  start_over_->setToolButtonStyle(Qt::ToolButtonTextOnly);

  connect(&document_, &ModelDocument::replaced, this, &TransportBar::showModel);
  connect(&training_, &Training::measured, this, &TransportBar::append);
  connect(&training_, &Training::rewound, this, &TransportBar::refill);
  connect(&training_, &Training::runningChanged, this, &TransportBar::showRunning);
  connect(&training_, &Training::configChanged, this, &TransportBar::showGoal);
  connect(&moments_, &Moments::momentsChanged, this, &TransportBar::showMoments);
  for (const auto signal : {&Moments::momentChanged, &Moments::pinsChanged})
    connect(&moments_, signal, this, &TransportBar::showPlace);
  connect(&training_, &Training::flagged, this, &TransportBar::showPlace);
  connect(strip_, &LossStrip::stepClicked, this, &TransportBar::goTo);
  connect(strip_, &LossStrip::momentStepped, &moments_, &Moments::moveBy);
  connect(&style_, &Style::changed, this, &TransportBar::updateSizes);
  addKeys();
  updateSizes();
  showModel();
}

QToolButton* TransportBar::addButton(const QString& icon, const QString& name, const QString& keys,
                                     std::function<void()> action) {
  // A click does not move the focus, so that Space still means play.
  auto* button = iconButton(style_, icon, name);
  button->setToolTip(tr("%1 (%2)", "what a button does and its keys").arg(name, keys));
  connect(button, &QToolButton::clicked, this, [this, action = std::move(action)] {
    if (document_.isOpen()) action();
  });
  row_->addWidget(button);
  return button;
}

QWidget* TransportBar::makeSpeed() {
  auto* group = new QWidget;
  speed_text_ = new QLabel;
  setRole(*speed_text_, "caption");
  speed_ = new QSlider(Qt::Horizontal);
  speed_->setRange(0, int(kSpeeds.size()) - 1);
  speed_->setPageStep(1);
  speed_->setAccessibleName(tr("Speed"));
  speed_->setToolTip(tr("Slower ({) or faster (})"));
  group->setLayout(columnOf(style_, 0, {speed_text_, speed_}));
  const auto choose = [this](int place) {
    const double speed = kSpeeds[std::size_t(place)];
    const QString text = speed > 0 ? tr("speed %1 / s").arg(speed) : tr("full speed");
    speed_text_->setText(text);
    speed_->setAccessibleDescription(text);
    training_.setSpeed(speed);
  };
  connect(speed_, &QSlider::valueChanged, this, choose);
  const auto take = [this] {
    speed_chosen_ = true;
    stage_.reset();
  };
  connect(speed_, &QSlider::sliderPressed, this, take);
  connect(speed_, &QSlider::actionTriggered, this, take);
  showSpeed(training_.speed());
  choose(speed_->value());
  return group;
}

void TransportBar::changeSpeed(int by) {
  speed_->triggerAction(by > 0 ? QAbstractSlider::SliderSingleStepAdd
                               : QAbstractSlider::SliderSingleStepSub);
}

void TransportBar::showSpeed(double speed) {
  const auto known = std::find(kSpeeds.begin(), kSpeeds.end(), speed);
  speed_->setValue(int(known - kSpeeds.begin()));
}

void TransportBar::startSlowly() {
  if (speed_chosen_) return;
  stage_ = 0;
  showSpeed(kStages.front().speed);
}

void TransportBar::goFasterIfDue() {
  if (!stage_ || training_.step() < kStages[*stage_].until) return;
  if (++*stage_ == kStages.size()) return endSlowStart();
  showSpeed(kStages[*stage_].speed);
}

void TransportBar::endSlowStart() {
  if (!stage_) return;
  stage_.reset();
  showSpeed(0);
}

void TransportBar::addKeys() {
  const auto add = [this](const QKeySequence& keys, const QString& what,
                          std::function<void()> action) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setWhatsThis(what);
    connect(shortcut, &QShortcut::activated, this, [this, action = std::move(action)] {
      if (document_.isOpen()) action();
    });
  };
  add(Qt::Key_BraceLeft, tr("Slower"), [this] { changeSpeed(-1); });
  add(Qt::Key_BraceRight, tr("Faster"), [this] { changeSpeed(1); });
  add(Qt::Key_BracketLeft, tr("Show an earlier moment"), [this] { moments_.moveBy(-1); });
  add(Qt::Key_BracketRight, tr("Show a later moment"), [this] { moments_.moveBy(1); });
  add(Qt::CTRL | Qt::Key_End, tr("Show the present"), [this] { moments_.showNow(); });
  add(Qt::SHIFT | Qt::Key_P, tr("Pin the shown step"), [this] { pin_->click(); });
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
  const double rate = training_.stepsPerSecond();
  const QString number = rate > 0 ? stepNumber(std::round(rate)) : none;
  const QString& device = training_.device();
  rate_->setText(device.isEmpty() || device == "cpu" ? number : tr("%1 on %2").arg(number, device));
  showGoal();
}

/// Other screens measure on more examples, or later: the name says on how many, the tooltip when.
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

void TransportBar::showGoal() {
  if (!document_.isOpen()) return;
  seed_->setText(QString::number(training_.config().seed));
  const std::int64_t end = training_.config().stop.steps;
  const std::int64_t left = end - training_.step();
  const double rate = training_.stepsPerSecond();
  progress_ = end > 0 ? double(std::min(training_.step(), end)) / double(end) : 0.0;
  update();
  time_left_->setText(left <= 0 && training_.isRunning() ? tr("no end")
                      : left <= 0                        ? tr("done")
                      : rate <= 0 ? tr("%1 steps").arg(stepNumber(double(left)))
                                  : durationText(double(left) / rate));
  time_left_->setToolTip(left <= 0 && training_.isRunning()
                             ? tr("Past its last step; training continues until you pause it")
                             : QString());
  time_left_->setAccessibleDescription(tr("%1 complete").arg(percent(progress_)));
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
  row_->setContentsMargins(style_.px(14), style_.px(10), style_.px(14), style_.px(10));
  row_->setSpacing(style_.px(12));
  for (auto* button : findChildren<QToolButton*>())
    button->setIconSize(QSize(style_.iconSize(), style_.iconSize()));
  speed_group_->setFixedWidth(style_.px(92));
  seed_->setMinimumWidth(style_.px(58));
  accuracy_->setMinimumWidth(style_.px(84));
  showRunning();
  fit();
  fitHeight();
  updateGeometry();
}

QSize TransportBar::minimumSizeHint() const {
  return {style_.px(520), QFrame::minimumSizeHint().height()};
}

void TransportBar::fitHeight() {
  constexpr double kRoomy = 620;  // of the window
  time_->setRoomy(isWindow() || window()->height() >= style_.px(kRoomy));
}

bool TransportBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == window()) fitHeight();
  return QFrame::eventFilter(watched, event);
}

void TransportBar::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  window()->installEventFilter(this);
  fitHeight();
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
  const bool ends = document_.isOpen() && training_.config().stop.steps > 0;
  std::vector<QWidget*> parts;
  const QMargins margins = row_->contentsMargins();
  int needed = margins.left() + margins.right() - row_->spacing();
  const auto width_of = [this](const QWidget* part) {
    return std::max(part->minimumSizeHint().width(), part->minimumWidth()) + row_->spacing();
  };
  for (int i = 0; i < row_->count(); ++i)
    if (QWidget* part = row_->itemAt(i)->widget(); part != time_left_ || ends) {
      parts.push_back(part);
      needed += width_of(part);
    }
  for (QWidget* part :
       std::initializer_list<QWidget*>{seed_, rate_, start_over_, new_seed_, speed_group_, strip_,
                                       loss_, accuracy_, time_left_}) {
    if (needed <= width()) break;
    if (std::erase(parts, part) > 0) needed -= width_of(part);
  }
  for (int i = 0; i < row_->count(); ++i) {
    QWidget* part = row_->itemAt(i)->widget();
    part->setVisible(std::ranges::find(parts, part) != parts.end());
  }
}

}  // namespace tfm::ui
