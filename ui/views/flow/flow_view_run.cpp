// SPDX-License-Identifier: GPL-3.0-or-later
// Which run is shown; flow_view.cpp shows its numbers.
#include <QSignalBlocker>
#include <utility>

#include "core/model/build_program.h"
#include "ui/document/model_document.h"
#include "ui/views/flow/flow_answers.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_lens.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kAlwaysBackward = 2'000'000;  // parameters: a backward pass is fast

/// The paths of a map's parts as one text: whether two models are drawn alike. An intervention adds
/// steps; open parts stay open.
std::string pathsOf(const observe::ModelMap& map) {
  std::string paths;
  for (const observe::MapNode& node : map.nodes)
    if (node.level != observe::MapLevel::Step) paths += node.path + '\n';
  return paths;
}

/// The column of the largest number in a row.
std::int64_t largestIn(const MatrixView<const float>& numbers, std::int64_t row) {
  std::int64_t best = 0;
  for (std::int64_t col = 1; col < numbers.cols; ++col)
    if (numbers.at(row, col) > numbers.at(row, best)) best = col;
  return best;
}

}  // namespace

Need FlowView::need() const {
  return {.parameters = true, .moments = wantsUpdates(), .reading = true, .texts = true};
}

bool FlowView::wantsGradients() const {
  return side() == FlowSide::Gradients || stepper_->step().has_value() || on_way_;
}

bool FlowView::wantsUpdates() const {
  return wantsGradients() ||
         (document_.isOpen() && document_.moments().layout().total <= kAlwaysBackward);
}

bool FlowView::hasWantedRun() const {
  return run_ && (run_->hasGradients() == wantsGradients() || !run_->canGoBack() || run_->texts());
}

std::optional<FlowSource> FlowView::source() const {
  const auto& snapshot = document_.observing().snapshot();
  if (!snapshot || snapshot->probe.batch.size == 0) return std::nullopt;
  FlowSource source;
  source.codec = document_.sharedCodec();
  source.framing = document_.framing();
  source.training = document_.training().config();
  source.input = snapshot->probe;
  source.state = snapshot->changed ? snapshot->changed : snapshot->state;
  if (snapshot->is_difference) {
    source.interventions = snapshot->interventions;  // pins are the models as they are
    source.state = snapshot->minuend->state;
    source.minus = snapshot->subtrahend->state;
  }
  const AskedTexts& texts = document_.observing().texts();
  const auto pair = pairOf(texts);
  const bool subtracts =
      pair && !snapshot->is_difference && sides_->current() == int(Choice::Texts);
  if (const train::ProbeInput* asked =
          document_.observing().inputOf(subtracts ? pair->second : texts.shown))
    source.input = *asked;
  if (subtracts && document_.observing().noComparison(*pair).isEmpty()) {
    const train::ProbeInput& other = *document_.observing().inputOf(pair->first);
    source.texts = pair;
    source.minus_input = other;
    for (const auto labels : {&train::ProbeInput::source_labels, &train::ProbeInput::decoder_labels,
                              &train::ProbeInput::written_labels})
      source.input.*labels = labelsOfBoth(source.input.*labels, other.*labels);
  }
  if (!source.state) return std::nullopt;
  source.lens = showsLens();
  source.gradients = wantsGradients() && !source.minus_input;
  const auto shown = numbers_->shownPlace();
  source.weight =
      wantsUpdates() && shown && run_ && run_->info(shown->tensor).role == Role::Parameter;
  return source;
}

void FlowView::offerTexts() {
  const Observing& observing = document_.observing();
  const auto pair = pairOf(observing.texts());
  sides_->setChoiceVisible(int(Choice::Texts), pair.has_value());
  if (!pair) return;
  const QString second = QString::number(pair->second + 1),
                first = QString::number(pair->first + 1);
  const bool moments = document_.moments().comparison() == Comparison::Difference;
  const QString why =
      moments ? tr("A and B are already being compared") : observing.noComparison(*pair);
  sides_->setChoiceText(int(Choice::Texts), tr("%1 − %2").arg(second, first));
  sides_->setChoiceEnabled(int(Choice::Texts), why.isEmpty());
  sides_->setChoiceToolTip(
      int(Choice::Texts),
      why.isEmpty() ? tr("Text %1 minus text %2, number by number").arg(second, first) : why);
}

void FlowView::takeSnapshot() {
  const auto& snapshot = document_.observing().snapshot();
  if (!isVisible() || !snapshot) return;
  offerTexts();
  if (!snapshot->problem.empty())
    panel_->setSentence(QString::fromStdString(snapshot->problem).simplified());
  std::optional<FlowSource> from = source();
  if (!from) return;  // what is shown stays, or another snapshot follows
  job_.start(
      [source = std::move(*from)] {
        try {
          return Made{std::make_shared<FlowRun>(source), std::nullopt, source.gradients};
        } catch (const Error& problem) {
          return Made{nullptr, problem, source.gradients};
        }
      },
      [this](Made made) { takeRun(std::move(made)); });
}

void FlowView::takeRun(Made made) {
  if (!made.run) return panel_->setSentence(QString::fromStdString(made.problem->what()));
  const bool asked_gradients = made.gradients;
  const bool shows = numbers_->shownPlace().has_value();
  trail_->setRun(made.run);
  stepper_->setRun(made.run);
  const std::shared_ptr<FlowRun> before = std::exchange(run_, std::move(made.run));
  const std::string model = pathsOf(run_->map());
  const bool other = model != std::exchange(model_, model);
  if (other) {
    opened_.clear();
    walked_.clear();
    showWay();
  }
  const bool can_go_back = run_->canGoBack();
  sides_->setChoiceEnabled(int(Choice::Gradients), can_go_back);
  {
    const QSignalBlocker quiet(sides_);
    const bool compares = run_->isDifference();
    if (run_->texts())
      sides_->setCurrent(int(Choice::Texts));
    else if (compares)
      sides_->setCurrent(int(Choice::Difference));
    else if (sides_->current() >= int(Choice::Difference) ||
             (!can_go_back && side() == FlowSide::Gradients))
      sides_->setCurrent(int(Choice::Values));
  }
  diagram_->setRun(run_);
  diagram_->setSide(run_->hasGradients() ? side() : FlowSide::Values);
  if (other) diagram_->setOpen(openAtFirst(run_->map()));
  lens_->setRun(run_);
  showMode();
  showHeads();
  showAnswer();
  // The side was changed while this was made, at a time when the run before still was right.
  if (asked_gradients != wantsGradients() && !hasWantedRun()) {
    updateNeed();
    takeSnapshot();
  }
  if (awaited_ && hasWantedRun()) {
    const observe::NumberPlace place = *std::exchange(awaited_, std::nullopt);
    if (const auto now = before ? run_->sameNumber(*before, place) : std::nullopt) return see(*now);
  }
  if (stepper_->step()) showStep();
  if (shows) return showAgain();
  if (other) followChoice();
}

void FlowView::showAgain() {
  const auto place = trail_->present();
  if (!place) return release();
  explain(place, true);
  offerOtherwise();
  if (place->gradient != (side() == FlowSide::Gradients)) return;
  const bool drawn = diagram_->flowLayout().tileOf(place->tensor, place->row, place->col) >= 0;
  if (diagram_->numberOf(diagram_->lockedItem()) != (drawn ? place : std::nullopt))
    diagram_->showNumber(drawn ? place : std::nullopt);
  drawn ? lightTerms() : diagram_->light(readersOf(*run_, *place));
}

void FlowView::showAnswer() {
  std::vector<ShadedToken> tokens;
  const auto& labels = run_->columnLabels(run_->program().find(names::kOutput));
  const FlowAnswers answers = answersOf(*run_);
  for (std::int64_t row = 0; row < answers.rows; ++row) {
    const std::int64_t best = answers.ranked(row).front();
    tokens.push_back({QString::fromStdString(labels[std::size_t(best)]), answers.at(row, best)});
  }
  answer_->setTokens(std::move(tokens));
}

void FlowView::askWhy(int position) {
  if (!run_) return;
  const TensorId output = run_->program().find(names::kOutput);
  if (position < 0 || position >= run_->info(output).rows) return;
  showSide(FlowSide::Values);
  trail_->clear();
  go({output, position, largestIn(run_->explained().values(output), position), false});
}

}  // namespace tfm::ui
