// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_maker.h"

#include <utility>

#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kAlwaysBackward = 2'000'000;  // parameters: a backward pass is fast

}  // namespace

FlowMaker::FlowMaker(ModelDocument& document, QObject* parent)
    : QObject(parent), document_(document) {}

bool FlowMaker::knowsUpdates(const FlowShown& shown) const {
  return shown.wantsGradients() ||
         (document_.isOpen() && document_.moments().layout().total <= kAlwaysBackward);
}

bool FlowMaker::fits(const FlowShown& shown) const {
  if (!run_ || run_->texts().has_value() != (shown.numbers == FlowShown::Numbers::Texts))
    return false;
  return run_->hasGradients() == shown.wantsGradients() || !run_->canGoBack() || run_->texts();
}

std::optional<FlowSource> FlowMaker::source(const FlowShown& shown) const {
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
  const Observing& observing = document_.observing();
  const AskedTexts& texts = observing.texts();
  const auto pair = pairOf(texts);
  const bool subtracts =
      pair && !snapshot->is_difference && shown.numbers == FlowShown::Numbers::Texts;
  if (const auto* asked = observing.inputOf(subtracts ? pair->second : texts.shown))
    source.input = *asked;
  if (subtracts && observing.noComparison(*pair).isEmpty()) {
    const train::ProbeInput& other = *observing.inputOf(pair->first);
    source.texts = pair;
    source.minus_input = other;
    for (const auto labels : {&train::ProbeInput::source_labels, &train::ProbeInput::decoder_labels,
                              &train::ProbeInput::written_labels})
      source.input.*labels = labelsOfBoth(source.input.*labels, other.*labels);
  }
  if (!source.state) return std::nullopt;
  source.lens = shown.lens;
  source.gradients = shown.wantsGradients() && !source.minus_input;
  source.weight = knowsUpdates(shown) && shown.number && run_ &&
                  run_->info(shown.number->tensor).role == Role::Parameter;
  return source;
}

void FlowMaker::make(const FlowShown& shown) {
  struct Made {
    std::shared_ptr<FlowRun> run;
    std::optional<Error> problem;
    bool gradients = false;
  };
  std::optional<FlowSource> from = source(shown);
  if (!from) return;
  job_.start(
      [source = std::move(*from)] {
        Made made{nullptr, std::nullopt, source.gradients};
        made.problem = problemOf([&] { made.run = std::make_shared<FlowRun>(source); });
        return made;
      },
      [this](Made made) {
        if (!made.run) return emit failed(QString::fromStdString(made.problem->what()));
        emit this->made(std::exchange(run_, std::move(made.run)), made.gradients);
      });
}

void FlowMaker::forget() {
  job_.forget();
  run_.reset();
}

}  // namespace tfm::ui
