// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_view.h"

#include <QShortcut>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "core/model/build_program.h"
#include "ui/document/model_document.h"
#include "ui/figure/corner_menu.h"
#include "ui/views/flow/flow_changes.h"
#include "ui/views/flow/flow_choice.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_lens.h"
#include "ui/views/flow/flow_pictures.h"
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
using Numbers = FlowShown::Numbers;

constexpr std::size_t kMostLit = 4000;
constexpr std::size_t kMostTraced = 200;

/// The paths of a map's parts as one text: whether two models are drawn alike. An intervention adds
/// steps; open parts stay open.
std::string pathsOf(const observe::ModelMap& map) {
  std::string paths;
  for (const observe::MapNode& node : map.nodes)
    if (node.level != observe::MapLevel::Step) paths += node.path + '\n';
  return paths;
}

/// Opens the parts around a number. A token is not drawn, but what it becomes is.
void openFor(FlowPictures& pictures, FlowRun& run, FlowOpened& opened, const NumberPlace& place) {
  if (pictures.openFor(opened, place)) return;
  const std::vector<NumberPlace> readers = readersOf(run, place);
  if (!readers.empty()) pictures.openFor(opened, readers.front());
}

void explain(const FlowView::Parts& parts, const std::shared_ptr<FlowRun>& run,
             const std::optional<NumberPlace>& place, bool locked) {
  parts.numbers->show(run, place, locked);
  if (place && run && run->info(place->tensor).role != Role::Ids)
    parts.numbers->showScale(parts.diagram->scaleOf(place->tensor));
}

/// Frames the numbers that the explained one is computed from.
void lightTerms(const FlowView::Parts& parts) {
  std::vector<NumberPlace> lit;
  for (const auto& term : parts.numbers->terms())
    for (const NumberPlace& source : term.sources)
      if (lit.size() < kMostLit) lit.push_back(source);
  parts.diagram->light(std::move(lit));
}

void addShortcuts(FlowView& view) {
  const auto add = [&view](const QKeySequence& keys, const QString& what, auto* of, auto run,
                           Qt::ShortcutContext context) {
    auto* shortcut = new QShortcut(keys, &view);
    shortcut->setContext(context);
    shortcut->setWhatsThis(what);
    QObject::connect(shortcut, &QShortcut::activated, of, run);
  };
  FlowStepper* stepper = view.parts().stepper;
  FlowTrail* trail = view.parts().trail;
  // The keys of a presenter's remote, wherever the focus is.
  add(Qt::Key_PageDown, FlowView::tr("The next step of the run"), stepper, &FlowStepper::next,
      Qt::WindowShortcut);
  add(Qt::Key_PageUp, FlowView::tr("The step before"), stepper, &FlowStepper::previous,
      Qt::WindowShortcut);
  add(Qt::ALT | Qt::Key_Left, FlowView::tr("Back along the path of a number"), trail,
      &FlowTrail::back, Qt::WidgetWithChildrenShortcut);
  add(Qt::ALT | Qt::Key_Right, FlowView::tr("Forward along it"), trail, &FlowTrail::forward,
      Qt::WidgetWithChildrenShortcut);
}

}  // namespace

FlowView::FlowView(const Style& style, ModelDocument& document, QWidget* parent)
    : View(document.observing(), parent),
      document_(document),
      maker_(document),
      parts_(makeParts(style)),
      changes_(new FlowChanges(
          document, *parts_.diagram, *parts_.numbers, *parts_.trail,
          [this] { return maker_.source(shown_); }, this)),
      panel_(new Panel(style)) {
  panel_->setTitle(tr("Flow"));
  panel_->addTool(parts_.sides);
  panel_->addFit([this] { parts_.diagram->fit(); });
  panel_->setBody(parts_.pictures);
  panel_->setFigure(&parts_.pictures->figure());
  panel_->menu().setSource([this] { return parts_.pictures->source(); });
  auto* left = new SideZone(style, 230);
  parts_.text->add(new QuestionField(style, document.observing(), QuestionField::Form::Narrow));
  parts_.text->add(wrappedLabel("muted", tr("The answer. Click a token to ask why.")));
  parts_.text->add(parts_.answer);
  left->add(parts_.text);
  left->add(parts_.trail, true);
  setSides(parts_.numbers, left, tr("Text and answer"));
  panel_->setExplanation(
      FlowWords::page(),
      {{parts_.diagram, tr("The diagram"),
        tr("The model on your text. Click a part to open it, a number to follow it.")},
       {parts_.stepper, tr("Step by step"), tr("Walks through the run, forwards and backwards.")},
       {parts_.trail, tr("The path of a number"),
        tr("Where you came from, with Back and Forward.")},
       {parts_.numbers, tr("Number"), tr("How the number is computed, and what reads it.")}});
  addParts(new QVBoxLayout(this), {panel_});
  connectAll();
  addShortcuts(*this);
  forget();
}

FlowView::Parts FlowView::makeParts(const Style& style) {
  Parts parts;
  parts.numbers = new FlowInspector(style);
  parts.trail = new FlowTrail(style);
  parts.pictures = new FlowPictures(style, *parts.trail);
  parts.diagram = &parts.pictures->diagram();
  parts.lens = &parts.pictures->lens();
  parts.stepper = &parts.pictures->stepper();
  parts.sides = new Segmented(style, {tr("Values"), tr("Gradients"), tr("A − B"), tr("2 − 1")});
  parts.sides->setAccessibleName(tr("Numbers shown"));
  parts.sides->setChoiceToolTip(int(Numbers::Gradients),
                                tr("How the loss would change with each number"));
  parts.sides->setChoiceToolTip(int(Numbers::Difference),
                                tr("Pin two steps, A and B, to see what has changed"));
  parts.text = new Section(style, tr("Your text"));
  parts.answer = new TokenLine(style);
  parts.answer->setTitle(tr("The answer, token by token"));
  return parts;
}

void FlowView::connectAll() {
  const auto change = [this](auto how) {
    FlowShown now = shown_;
    how(now);
    setState(std::move(now));
  };
  const auto toggle = [this, change](std::size_t node) {
    if (!run()) return;
    change([&](FlowShown& now) { now.opened.toggle(run()->map(), node); });
    parts_.diagram->revealPart(node);
  };
  const auto release = [this, change] {
    parts_.trail->release();
    change([](FlowShown& now) { now.number.reset(); });
    document_.selection().clear();
  };
  connect(parts_.sides, &Segmented::currentChanged, this,
          [change](int choice) { change([&](FlowShown& now) { now.choose(Numbers(choice)); }); });

  FlowDiagram* diagram = parts_.diagram;
  FlowLens* lens = parts_.lens;
  connect(diagram, &CellGrid::hovered, this, &FlowView::preview);
  connect(diagram, &CellGrid::locked, this, [this, diagram](int item) {
    const auto place = diagram->numberOf(item);
    if (!place || !run() || !run()->has(place->tensor, shown_.side())) return preview(-1);
    parts_.trail->add(*place);
    see(*place);
  });
  connect(lens, &CellGrid::locked, this, [this, lens](int) {
    const Cell cell = *lens->lockedCell();
    const NumberPlace place{run()->program().find(names::kOutput), cell.col, lens->tokenAt(cell)};
    parts_.trail->add(place);
    see(place);
  });
  for (const CellGrid* grid :
       {static_cast<const CellGrid*>(lens), static_cast<const CellGrid*>(diagram)})
    connect(grid, &CellGrid::unlocked, this, release);
  connect(diagram, &FlowDiagram::toggled, this, toggle);
  connect(diagram, &FlowDiagram::upRequested, this, [this, toggle] {
    const std::size_t last = run() ? shown_.opened.last(run()->map()) : 0;
    if (last != 0) toggle(last);
  });
  const FlowPictures* pictures = parts_.pictures;
  connect(pictures, &FlowPictures::lensToggled, this, [this, change](bool shown) {
    change([&](FlowShown& now) {
      now.lens = shown;
      if (!shown && now.number && run()) openFor(*parts_.pictures, *run(), now.opened, *now.number);
    });
  });
  connect(pictures, &FlowPictures::headChosen, this, [this, change](int head) {
    change([&](FlowShown& now) { now.opened.open.head = head; });
    if (!run() || head < 0) return;
    const auto choice = choiceOfHead(*run(), shown_.opened.order, head);
    if (choice.index() != 0) document_.selection().choose(choice);
  });
  connect(pictures, &FlowPictures::wayChosen, this, [this, change](int at) {
    if (!shown_.left) return parts_.trail->goTo(at);
    if (!run()) return;
    change([&](FlowShown& now) { now.opened.closeInside(run()->map(), std::size_t(at)); });
    parts_.diagram->revealPart(std::size_t(at));
  });
  connect(pictures, &FlowPictures::backRequested, parts_.trail, &FlowTrail::back);
  connect(parts_.stepper, &FlowStepper::stepChanged, this, &FlowView::walk);

  connect(parts_.numbers, &FlowInspector::followed, this, &FlowView::go);
  connect(parts_.numbers, &FlowInspector::traceRequested, this, &FlowView::traceToInput);
  connect(parts_.numbers, &FlowInspector::freed, this, release);
  connect(parts_.trail, &FlowTrail::chosen, this, &FlowView::see);
  connect(parts_.trail, &FlowTrail::changed, this,
          [this] { parts_.pictures->render(shown_, maker_.fits(shown_)); });
  connect(parts_.answer, &TokenLine::locked, this, [this](int token) {
    askWhy(token);
    parts_.answer->showLockedItem(-1);  // it can be asked again
  });

  connect(&maker_, &FlowMaker::made, this, &FlowView::takeRun);
  connect(&maker_, &FlowMaker::failed, panel_, &Panel::setSentence);
  connect(&document_.observing(), &Observing::textsChanged, this, &FlowView::takeSnapshot);
  connect(&document_.observing(), &Observing::snapshotChanged, this, &FlowView::takeSnapshot);
  connect(&document_.selection(), &Selection::changed, this, &FlowView::followChoice);
  connect(&document_, &ModelDocument::replaced, this, &FlowView::forget);
  connect(&document_.moments(), &Moments::shapeChanged, this, &FlowView::forget);
  const auto pins = [this] {
    const Moments& moments = document_.moments();
    parts_.sides->setChoiceEnabled(int(Numbers::Difference),
                                   moments.pinned(Pin::A) && moments.pinned(Pin::B));
  };
  connect(&document_.moments(), &Moments::pinsChanged, this, pins);
  pins();
  const auto kept = [this] {
    FlowShown state = shown_;
    if (state.number && run()) state.wanted = nameOfNumber(run()->program(), *state.number);
    return state;
  };
  keepAs(kept, [this](FlowShown state) {
    reopened_ = true;
    state.number.reset();
    setState(std::move(state));
  });
}

Need FlowView::need() const {
  return {
      .parameters = true, .moments = maker_.knowsUpdates(shown_), .reading = true, .texts = true};
}

void FlowView::shown() {
  takeSnapshot();
  followChoice();
}

QWidget* FlowView::picture() const { return &parts_.pictures->picture(); }

void FlowView::leftShown(bool shown) {
  if (shown)
    parts_.text->add(parts_.answer);
  else
    parts_.pictures->addAnswer(*parts_.answer);
  parts_.answer->setLegendShown(shown);
  FlowShown now = shown_;
  now.left = shown;
  setState(std::move(now));
}

void FlowView::forget() {
  maker_.forget();
  changes_->setRun(nullptr, {});
  model_.clear();
  const FlowShown before = shown_;
  shown_ = {};
  shown_.numbers = before.numbers;
  shown_.lens = before.lens;
  shown_.left = before.left;
  parts_.trail->clear();
  parts_.trail->setRun(nullptr);
  parts_.pictures->setRun(nullptr);
  explain(parts_, nullptr, std::nullopt, false);
  parts_.answer->setTokens({});
  render(before);
  panel_->setSentence(tr("The model as it runs on your text."));
  updateNeed();
}

void FlowView::takeSnapshot() {
  const Observing& observing = document_.observing();
  const auto& snapshot = observing.snapshot();
  if (!isVisible() || !snapshot) return;
  const auto pair = pairOf(observing.texts());
  parts_.sides->setChoiceVisible(int(Numbers::Texts), pair.has_value());
  if (pair) {
    const QString second = QString::number(pair->second + 1),
                  first = QString::number(pair->first + 1);
    const bool moments = document_.moments().comparison() == Comparison::Difference;
    const QString why =
        moments ? tr("A and B are already being compared") : observing.noComparison(*pair);
    parts_.sides->setChoiceText(int(Numbers::Texts), tr("%1 − %2").arg(second, first));
    parts_.sides->setChoiceEnabled(int(Numbers::Texts), why.isEmpty());
    parts_.sides->setChoiceToolTip(
        int(Numbers::Texts),
        why.isEmpty() ? tr("Text %1 minus text %2, number by number").arg(second, first) : why);
  }
  if (!snapshot->problem.empty())
    panel_->setSentence(QString::fromStdString(snapshot->problem).simplified());
  maker_.make(shown_);
}

void FlowView::takeRun(const std::shared_ptr<FlowRun>& before, bool gradients) {
  FlowShown old = shown_;
  const bool awaited = std::exchange(awaits_, false);
  parts_.trail->setRun(run());
  parts_.pictures->setRun(run());
  const std::string model = pathsOf(run()->map());
  const bool other = model != std::exchange(model_, model);
  const std::string wanted = std::exchange(shown_.wanted, {});
  if (other && !std::exchange(reopened_, false))
    shown_.opened = {openAtFirst(run()->map()), {}, {}};

  const bool can_go_back = run()->canGoBack();
  parts_.sides->setChoiceEnabled(int(Numbers::Gradients), can_go_back);
  if (run()->texts())
    shown_.numbers = Numbers::Texts;
  else if (run()->isDifference())
    shown_.numbers = Numbers::Difference;
  else if (shown_.numbers >= Numbers::Difference ||
           (!can_go_back && shown_.side() == FlowSide::Gradients))
    shown_.choose(Numbers::Values);
  if (const auto place = numberNamed(run()->program(), wanted);
      place && run()->has(place->tensor, shown_.side())) {
    shown_.number = place;
    shown_.number->gradient = shown_.side() == FlowSide::Gradients;
    parts_.trail->add(*shown_.number);
  } else if (shown_.number) {
    const auto same = before ? run()->sameNumber(*before, *shown_.number) : std::nullopt;
    shown_.number = same ? same : parts_.trail->present();
    if (shown_.number && !same) shown_.number->gradient = shown_.side() == FlowSide::Gradients;
    if (!shown_.number) {
      parts_.trail->release();
      document_.selection().clear();
    } else if (awaited && !shown_.lens && maker_.fits(shown_)) {
      openFor(*parts_.pictures, *run(), shown_.opened, *shown_.number);
    }
  }

  FlowAnswers answers = answersOf(*run());
  const auto& labels = run()->columnLabels(run()->program().find(names::kOutput));
  std::vector<ShadedToken> tokens;
  for (std::int64_t row = 0; row < answers.rows; ++row) {
    const std::int64_t best = answers.best(row);
    tokens.push_back({QString::fromStdString(labels[std::size_t(best)]), answers.at(row, best)});
  }
  parts_.answer->setTokens(std::move(tokens));
  changes_->setRun(run(), std::move(answers));

  // What is shown was changed while this was made, at a time when the run before still fitted.
  if (gradients != shown_.wantsGradients() && !maker_.fits(shown_)) {
    updateNeed();
    maker_.make(shown_);
  }
  const bool had_number = old.number.has_value();
  if (!awaited && shown_.number) old.number = shown_.number;
  render(old, true);
  if (parts_.stepper->step()) walk();
  if (!had_number && other) followChoice();
}

void FlowView::setState(FlowShown state) {
  const FlowShown before = std::exchange(shown_, std::move(state));
  Moments& moments = document_.moments();
  const bool compares = moments.comparison() == Comparison::Difference;
  if (before.numbers != shown_.numbers && compares != (shown_.numbers == Numbers::Difference)) {
    moments.compare(compares ? Comparison::Now : Comparison::Difference);
  } else if (before.lens != shown_.lens || (run() && !maker_.fits(shown_))) {
    updateNeed();
    takeSnapshot();
  }
  render(before);
}

void FlowView::render(const FlowShown& before, bool new_run) {
  {
    const QSignalBlocker quiet(parts_.sides);
    parts_.sides->setCurrent(int(shown_.numbers));
  }
  const bool fits = maker_.fits(shown_);
  parts_.pictures->render(shown_, fits);
  panel_->setFigure(&parts_.pictures->figure());
  if (!run()) return;
  if (new_run || before.lens != shown_.lens || before.left != shown_.left ||
      before.numbers != shown_.numbers) {
    const QString sentence =
        shown_.lens ? FlowWords::lensSentence(*run()) : FlowWords::shown(*run(), shown_.side());
    // Without the left side, its answer and the way of a number take that room.
    panel_->setSentence(shown_.left ? sentence : QString());
    panel_->setAccessibleDescription(sentence);
  }
  const auto& number = shown_.number;
  const bool moved = number != before.number;
  if (!fits) awaits_ = awaits_ || moved;
  if (!fits || (!moved && (!new_run || !number))) return;

  FlowDiagram& diagram = *parts_.diagram;
  const auto drawn = number && parts_.pictures->isDrawn(*number) ? number : std::nullopt;
  if (diagram.numberOf(diagram.lockedItem()) != drawn) diagram.showNumber(drawn);
  explain(parts_, run(), number, number.has_value());
  changes_->offer();
  if (drawn || !number) return lightTerms(parts_);
  std::vector<NumberPlace> readers = readersOf(*run(), *number);
  if (moved && !readers.empty() && parts_.pictures->isDrawn(readers.front()))
    diagram.reveal(readers.front());
  diagram.light(std::move(readers));
}

void FlowView::go(const NumberPlace& place) {
  if (!run()) return;
  FlowShown now = shown_;
  now.lens = false;
  setState(std::move(now));
  parts_.trail->add(place);
  see(place);
}

void FlowView::see(const NumberPlace& place) {
  if (!run()) return;
  FlowShown now = shown_;
  if (place.gradient != (now.side() == FlowSide::Gradients)) {
    now.choose(place.gradient ? Numbers::Gradients : Numbers::Values);
    now.training = !place.gradient && run()->hasGradients();
  }
  now.number = place;
  if (!now.lens) openFor(*parts_.pictures, *run(), now.opened, place);
  const auto choice = choiceOf(*run(), place);
  setState(std::move(now));
  if (choice.index() != 0) document_.selection().choose(choice);
}

void FlowView::preview(int item) {
  const auto place = item < 0 ? shown_.number : parts_.diagram->numberOf(item);
  const bool can = place && run() && run()->has(place->tensor, shown_.side());
  explain(parts_, run(), can ? place : std::nullopt, can && place == shown_.number);
  changes_->offer();
  lightTerms(parts_);
}

void FlowView::askWhy(int position) {
  if (!run()) return;
  const TensorId output = run()->program().find(names::kOutput);
  if (position < 0 || position >= run()->info(output).rows) return;
  FlowShown now = shown_;
  now.number.reset();
  now.choose(Numbers::Values);
  setState(std::move(now));
  parts_.trail->clear();
  go({output, position, bestAnswer(*run(), position), false});
}

void FlowView::traceToInput() {
  FlowTrail& trail = *parts_.trail;
  if (!trail.present()) return;
  trail.endHere();
  std::vector<NumberPlace> way{*trail.present()};
  while (way.size() <= kMostTraced) {  // ends, as every source comes from an earlier step
    const auto next =
        leadingSource(*run(), termsOf(run()->explained().explainer().explain(way.back())));
    if (!next) break;
    way.push_back(*next);
  }
  trail.add(way);
  see(*trail.present());
}

void FlowView::walk() {
  if (!run()) return;
  const auto step = parts_.stepper->step();
  const bool backward = parts_.stepper->isBackward();
  FlowShown now = shown_;
  now.walking = step.has_value();
  now.opened.walkTo(run()->map(), step);
  if (step && backward != (now.side() == FlowSide::Gradients))
    now.choose(backward ? Numbers::Gradients : Numbers::Values);
  setState(std::move(now));
  parts_.diagram->showStep(step.value_or(kNoNode), backward);
}

void FlowView::followChoice() {
  if (!isVisible() || !run()) return;
  const Selection& selection = document_.selection();
  const auto place = placeOf(*run(), selection);
  if (!place) return;
  if (const ChosenCell* cell = selection.cell(); cell != nullptr && cell->isHead()) {
    FlowShown now = shown_;
    openFor(*parts_.pictures, *run(), now.opened, *place);
    return setState(std::move(now));
  }
  if (!shown_.number || !isChosen(*run(), selection, *shown_.number)) go(*place);
}

}  // namespace tfm::ui
