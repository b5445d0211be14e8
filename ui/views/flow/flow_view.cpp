// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/model/build_program.h"
#include "core/program/ops/ops.h"
#include "ui/document/model_document.h"
#include "ui/figure/number_box.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_lens.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_words.h"
#include "ui/views/question_field.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::NumberPlace;

constexpr std::size_t kMostLit = 4000;
constexpr std::size_t kMostTraced = 200;

std::int64_t mostHeads(const FlowRun& run, const FlowOpen& open) {
  std::int64_t most = 1;
  for (std::size_t i = 0; i < run.program().steps.size(); ++i) {
    const Step& step = run.program().steps[i];
    if (step.op != &ops::kAttention || shownFor(run.map(), open, i) != run.map().leaves[i])
      continue;
    most = std::max(most, std::any_cast<const AttentionArguments&>(step.arguments).shape.heads);
  }
  return most;
}

}  // namespace

FlowView::FlowView(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      style_(style),
      document_(document),
      panel_(new Panel(style)),
      sides_(new Segmented(style, {tr("Values"), tr("Gradients"), tr("A − B"), tr("2 − 1")})),
      numbers_(new FlowInspector(style)) {
  sides_->setAccessibleName(tr("Numbers shown"));
  sides_->setChoiceToolTip(int(Choice::Gradients),
                           tr("How the loss would change with each number"));
  sides_->setChoiceToolTip(int(Choice::Difference),
                           tr("Pin two steps, A and B, to see what has changed"));
  panel_->setTitle(tr("Flow"));
  panel_->addTool(sides_);
  panel_->setBody(makeBody());
  panel_->setFigure(diagram_);
  QWidget* left = makeLeft();
  setSides(numbers_, left);
  panel_->setExplanation(
      FlowWords::page(),
      {{diagram_, tr("The diagram"),
        tr("The model on your text. Click a part to open it, a number to follow it.")},
       {stepper_, tr("Step by step"), tr("Walks through the run, forwards and backwards.")},
       {trail_, tr("The path of a number"), tr("Where you came from, with Back and Forward.")},
       {numbers_, tr("Number"), tr("How the number is computed, and what reads it.")}});
  addParts(new QVBoxLayout(this), {panel_});
  connectAll();
  addShortcuts();
  addChanges();
  forget();
}

QWidget* FlowView::makeBody() {
  diagram_ = new FlowDiagram(style_);
  stepper_ = new FlowStepper(style_);
  lens_ = new FlowLens(style_);
  modes_ = new Segmented(style_, {tr("Diagram"), tr("Logit lens")});
  modes_->setAccessibleName(tr("What is shown"));
  pictures_ = new QStackedWidget;
  pictures_->addWidget(diagram_);
  pictures_->addWidget(lens_);
  way_ = linkLabel("muted");
  way_->setObjectName("flow-way");
  way_->setWordWrap(false);
  way_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  head_name_ = new QLabel(tr("&Head"));
  head_ = new NumberBox;
  head_name_->setBuddy(head_);
  head_->setSpecialValueText(tr("all"));
  head_->setToolTip(tr("The head that open attentions show"));
  head_->setAccessibleName(tr("Head"));
  for (QWidget* part : std::initializer_list<QWidget*>{head_name_, head_}) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // nothing moves when a part with heads is opened
    part->setSizePolicy(policy);
  }
  back_ = new QToolButton;
  back_->setText(QStringLiteral("◂"));
  back_->setAccessibleName(tr("The number that you came from"));
  back_->setToolTip(tr("The number that you came from (Alt+Left)"));
  back_->hide();
  place_ = new QWidget;
  place_->setLayout(rowOf({back_, {way_, 1}, head_name_, head_}));
  auto* body = new QWidget;
  body->setLayout(columnOf({place_, {pictures_, 1}, rowOf({{stepper_, 1}, modes_})}));
  return body;
}

QWidget* FlowView::makeLeft() {
  auto* left = new SideZone(style_, 230);
  text_ = new Section(style_, tr("Your text"));
  question_ = new QuestionField(style_, document_.observing(), QuestionField::Form::Narrow);
  answer_ = new TokenLine(style_);
  answer_->setTitle(tr("The answer, token by token"));
  text_->add(question_);
  text_->add(wrappedLabel("muted", tr("The answer. Click a token to ask why.")));
  text_->add(answer_);
  trail_ = new FlowTrail(style_);
  left->add(text_);
  left->add(trail_, true);
  return left;
}

void FlowView::connectAll() {
  connect(diagram_, &CellGrid::hovered, this, [this](int item) { showItem(item, false); });
  connect(diagram_, &CellGrid::locked, this, [this](int item) { showItem(item, true); });
  connect(diagram_, &FlowDiagram::toggled, this, &FlowView::toggle);
  connect(diagram_, &FlowDiagram::upRequested, this, &FlowView::goUp);
  connect(modes_, &Segmented::currentChanged, this, [this] {
    showMode();
    takeSnapshot();
  });
  connect(lens_, &CellGrid::locked, this, [this](int) {
    const Cell cell = *lens_->lockedCell();
    const NumberPlace place{run_->program().find(names::kOutput), cell.col, lens_->tokenAt(cell)};
    trail_->add(place);
    choose(place);
    explain(place, true);
  });
  for (const CellGrid* grid :
       {static_cast<const CellGrid*>(lens_), static_cast<const CellGrid*>(diagram_)})
    connect(grid, &CellGrid::unlocked, this, &FlowView::release);
  connect(numbers_, &FlowInspector::followed, this, &FlowView::go);
  connect(numbers_, &FlowInspector::traceRequested, this, &FlowView::traceToInput);
  connect(numbers_, &FlowInspector::freed, this, &FlowView::release);
  connect(trail_, &FlowTrail::chosen, this, [this](const NumberPlace& place) {
    if (!run_) return;
    choose(place);
    see(place);
  });
  connect(trail_, &FlowTrail::changed, this, &FlowView::showWay);
  connect(back_, &QToolButton::clicked, trail_, &FlowTrail::back);
  connect(
      way_, &QLabel::linkActivated, this,
      [this](const QString& at) {
        left_shown_ ? goUpTo(std::size_t(at.toULongLong())) : trail_->goTo(at.toInt());
      },
      Qt::QueuedConnection);
  connect(stepper_, &FlowStepper::stepChanged, this, &FlowView::showStep);
  connect(sides_, &Segmented::currentChanged, this, [this](int choice) {
    const bool compares = document_.moments().comparison() == Comparison::Difference;
    if (choice == int(Choice::Difference))
      return document_.moments().compare(Comparison::Difference);
    if (compares) return document_.moments().compare(Comparison::Now);
    if (!following_) on_way_ = false;
    updateNeed();
    const bool other_texts = run_ && run_->texts().has_value() != (choice == int(Choice::Texts));
    if (!hasWantedRun() || other_texts) {
      // The number that is kept, or its gradient, is shown when there is such a run.
      auto kept = run_ ? diagram_->numberOf(diagram_->lockedItem()) : std::nullopt;
      if (kept) kept->gradient = side() == FlowSide::Gradients;
      if (!following_) awaited_ = kept;
      return takeSnapshot();
    }
    diagram_->setSide(side());
    showMode();
    // The number that is kept, or its gradient.
    if (const auto place = diagram_->numberOf(diagram_->lockedItem());
        place && run_->has(place->tensor, side())) {
      explain(place, true);
      lightTerms();
    }
  });
  connect(head_, &QSpinBox::valueChanged, this, [this](int head) {
    FlowOpen open = diagram_->open();
    open.head = head - 1;
    diagram_->setOpen(open);
    chooseHead(head - 1);
  });
  Observing& observing = document_.observing();
  connect(&observing, &Observing::textsChanged, this, &FlowView::takeSnapshot);
  connect(answer_, &TokenLine::clicked, this, &FlowView::askWhy);
  connect(&document_.selection(), &Selection::changed, this, &FlowView::followChoice);
  connect(&observing, &Observing::snapshotChanged, this, &FlowView::takeSnapshot);
  connect(&document_, &ModelDocument::replaced, this, &FlowView::forget);
  connect(&document_.moments(), &Moments::shapeChanged, this, &FlowView::forget);
  const auto pins = [this] {
    const Moments& moments = document_.moments();
    sides_->setChoiceEnabled(int(Choice::Difference),
                             moments.pinned(Pin::A) && moments.pinned(Pin::B));
  };
  connect(&document_.moments(), &Moments::pinsChanged, this, pins);
  pins();
}

void FlowView::addShortcuts() {
  const auto add = [this](const QKeySequence& keys, const QString& what, auto run,
                          Qt::ShortcutContext context = Qt::WidgetWithChildrenShortcut) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(context);
    shortcut->setWhatsThis(what);
    connect(shortcut, &QShortcut::activated, this, run);
  };
  // The keys of a presenter's remote, wherever the focus is.
  add(
      Qt::Key_PageDown, tr("The next step of the run"), [this] { stepper_->next(); },
      Qt::WindowShortcut);
  add(
      Qt::Key_PageUp, tr("The step before"), [this] { stepper_->previous(); }, Qt::WindowShortcut);
  add(Qt::ALT | Qt::Key_Left, tr("Back along the path of a number"), [this] { trail_->back(); });
  add(Qt::ALT | Qt::Key_Right, tr("Forward along it"), [this] { trail_->forward(); });
}

void FlowView::shown() {
  takeSnapshot();
  followChoice();
}

void FlowView::hidden() { job_.drop(); }

QWidget* FlowView::picture() const { return showsLens() ? static_cast<QWidget*>(lens_) : diagram_; }

bool FlowView::showsLens() const { return modes_->current() == 1; }

void FlowView::showLens(bool shown) { modes_->setCurrent(shown ? 1 : 0); }

void FlowView::showMode() {
  pictures_->setCurrentIndex(modes_->current());
  panel_->setFigure(showsLens() ? static_cast<const Figure*>(lens_) : diagram_);
  showWay();
  if (!run_) return;
  const QString sentence =
      showsLens() ? FlowWords::lensSentence(*run_) : FlowWords::shown(*run_, side());
  // Without the left side, its answer and the way of a number take that room.
  panel_->setSentence(left_shown_ ? sentence : QString());
  panel_->setAccessibleDescription(sentence);
}

FlowSide FlowView::side() const {
  return sides_->current() == int(Choice::Gradients) ? FlowSide::Gradients : FlowSide::Values;
}

void FlowView::showSide(FlowSide side) {
  sides_->setCurrent(side == FlowSide::Gradients ? int(Choice::Gradients) : int(Choice::Values));
}

void FlowView::forget() {
  job_.forget();
  awaited_.reset();
  on_way_ = false;
  tries_.forget();
  run_.reset();
  model_.clear();
  trail_->clear();
  trail_->setRun(nullptr);
  stepper_->setRun(nullptr);
  diagram_->setRun(nullptr);
  lens_->setRun(nullptr);
  numbers_->show(nullptr, std::nullopt, false);
  answer_->setTokens({});
  showHeads();
  opened_.clear();
  walked_.clear();
  showWay();
  panel_->setSentence(tr("The model as it runs on your text."));
  updateNeed();
}

void FlowView::showHeads() {
  const auto heads = run_ ? int(mostHeads(*run_, diagram_->open())) : 1;
  head_name_->setVisible(heads > 1);
  head_->setVisible(heads > 1);
  const QSignalBlocker quiet(head_);
  head_->setRange(0, std::max(1, heads));
  head_->setValue(diagram_->open().head + 1);
}

bool FlowView::openFor(const NumberPlace& place) {
  const auto is_seen = [&] {
    return diagram_->flowLayout().tileOf(place.tensor, place.row, place.col) >= 0;
  };
  if (is_seen()) return true;
  const std::size_t step = stepAt(*run_, place.tensor);
  if (step == kNoNode) return false;
  FlowOpen open = diagram_->open();
  for (const std::size_t node : run_->map().wayTo(run_->map().leaves[step]))
    if (node != 0 && run_->map().nodes[node].level != observe::MapLevel::Step &&
        open.paths.insert(run_->map().nodes[node].path).second)
      opened_.push_back(run_->map().nodes[node].path);
  diagram_->setOpen(open);
  const std::int64_t heads = mostHeads(*run_, open);
  for (open.head = 0; !is_seen() && open.head < heads; ++open.head) diagram_->setOpen(open);
  showHeads();
  showWay();
  return is_seen();
}

void FlowView::go(const NumberPlace& place) {
  if (!run_) return;
  showLens(false);
  trail_->add(place);
  choose(place);
  see(place);
}

void FlowView::see(const NumberPlace& place) {
  if (!run_) return;
  if (place.gradient != (side() == FlowSide::Gradients)) {
    on_way_ = !place.gradient && run_->hasGradients();
    following_ = true;
    showSide(place.gradient ? FlowSide::Gradients : FlowSide::Values);
    following_ = false;
  }
  if (place.gradient && !run_->hasGradients()) {
    awaited_ = place;
    return;
  }
  const bool seen = openFor(place);
  diagram_->showNumber(seen ? std::optional(place) : std::nullopt);
  explain(place, true);
  offerOtherwise();
  if (seen) return lightTerms();
  // A token is not drawn, but what it becomes is.
  std::vector<NumberPlace> readers = readersOf(*run_, place);
  if (!readers.empty() && openFor(readers.front())) diagram_->reveal(readers.front());
  diagram_->light(std::move(readers));
}

void FlowView::release() {
  awaited_.reset();
  diagram_->showNumber(std::nullopt);
  trail_->release();
  showItem(-1, false);
  document_.selection().clear();
}

void FlowView::explain(const std::optional<NumberPlace>& place, bool locked) {
  numbers_->show(run_, place, locked);
  if (place && run_ && run_->info(place->tensor).role != Role::Ids)
    numbers_->showScale(diagram_->scaleOf(place->tensor));
  showWay();
}

void FlowView::lightTerms() {
  std::vector<NumberPlace> lit;
  for (const auto& term : numbers_->terms())
    for (const NumberPlace& source : term.sources)
      if (lit.size() < kMostLit) lit.push_back(source);
  diagram_->light(std::move(lit));
}

void FlowView::showItem(int item, bool locked) {
  const auto place = diagram_->numberOf(item);
  const bool can = place && run_ && run_->has(place->tensor, side());
  if (locked && can) {
    trail_->add(*place);
    choose(*place);
  }
  explain(can ? place : std::nullopt, locked);
  offerOtherwise();
  lightTerms();
}

void FlowView::traceToInput() {
  if (!trail_->present()) return;
  trail_->endHere();
  std::vector<NumberPlace> way{*trail_->present()};
  while (way.size() <= kMostTraced) {  // ends, as every source comes from an earlier step
    const auto next =
        leadingSource(*run_, termsOf(run_->explained().explainer().explain(way.back())));
    if (!next) break;
    way.push_back(*next);
  }
  trail_->add(way);
  choose(*trail_->present());
  see(*trail_->present());
}

}  // namespace tfm::ui
