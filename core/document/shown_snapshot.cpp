// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/shown_snapshot.h"

#include "core/base/error.h"

namespace tfm::train {
namespace {

using Shown = WindowState::Shown;

/// The weights that the window shows, and those that it subtracts from them or null.
struct ShownStates {
  StatePtr state, minus;
};

ShownStates shownStates(const Document& document) {
  const WindowState& window = document.window;
  const auto& [a, b] = window.pins;
  switch (window.shown) {
    case Shown::Present:
      break;
    case Shown::Moment:
      return {window.moments.at(std::size_t(window.moment)).state, nullptr};
    case Shown::A:
      return {a.value().state, nullptr};
    case Shown::B:
      return {b.value().state, nullptr};
    case Shown::Difference:
      return {a.value().state, b.value().state};
  }
  return {std::make_shared<const ModelState>(document.state), nullptr};
}

}  // namespace

std::shared_ptr<const Snapshot> shownSnapshot(const Document& document, const std::string& pattern,
                                              ReadAnswer read) {
  const WindowState& window = document.window;
  const ShownStates shown = shownStates(document);
  Looking looking;
  looking.state = shown.state;
  looking.minus = shown.minus;
  looking.parameters = true;
  if (!window.texts.empty()) looking.question = window.texts[std::size_t(window.text)];
  looking.read = read;
  looking.pattern = pattern;
  for (const ListedIntervention& one : document.interventions)
    if (one.on) looking.interventions.push_back(one.what);
  auto snapshot = Observer(makeCodec(document)).look(looking, shown.state);
  if (!snapshot->problem.empty())
    throw Error(snapshot->problem, {}, "Choose a text that the model can read");
  return snapshot;
}

}  // namespace tfm::train
