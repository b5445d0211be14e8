// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/document/fingerprint.h"
#include "core/document/state_tensors.h"

namespace tfm::report {
namespace {

/// What of a document's file is about the window, and no part of the model.
bool isOfWindow(const std::string& name) {
  return name == "window" || name.starts_with("window.") || name == "interventions";
}

/// Moves what is about the window into a file of its own.
io::TensorFile takeWindow(io::TensorFile& file) {
  io::TensorFile window;
  const auto take = [](auto& from, auto& to) {
    for (auto one = from.begin(); one != from.end();)
      if (isOfWindow(one->first))
        to.insert(from.extract(one++));
      else
        ++one;
  };
  take(file.tensors, window.tensors);
  take(file.metadata, window.metadata);
  return window;
}

/// Only the moments that are shown stay.
void dropHidden(train::WindowState& window) {
  using Shown = train::WindowState::Shown;
  if (window.shown == Shown::Moment) {
    window.moments = {window.moments.at(std::size_t(window.moment))};
    window.moment = 0;
  } else {
    window.moments.clear();
  }
  if (window.shown != Shown::Difference) {
    if (window.shown != Shown::A) window.pins[0].reset();
    if (window.shown != Shown::B) window.pins[1].reset();
  }
}

/// The weights whose numbers are shown first.
std::int64_t shownStep(const train::Document& document) {
  using Shown = train::WindowState::Shown;
  const train::WindowState& window = document.window;
  switch (window.shown) {
    case Shown::Present:
      return document.state.step;
    case Shown::Moment:
      return window.moments.at(std::size_t(window.moment)).step();
    case Shown::A:
    case Shown::Difference:
      return window.pins[0].value().step();
    case Shown::B:
      return window.pins[1].value().step();
  }
  return document.state.step;
}

/// Where a model is in the report, after it was put there unless it was there already.
std::size_t placeOf(io::TensorFile model, Report& report) {
  const auto found = std::ranges::find(report.models, model);
  const auto place = std::size_t(found - report.models.begin());
  if (found == report.models.end()) report.models.push_back(std::move(model));
  return place;
}

}  // namespace

Shown keep(train::Document document, Report& report) {
  forgetMoments(document.state);
  dropHidden(document.window);
  document.window.weights = train::weightsOf(document.state);
  io::TensorFile model = train::toTensorFile(document);
  Shown shown;
  shown.state = takeWindow(model);
  shown.model = placeOf(std::move(model), report);
  return shown;
}

train::Document documentOf(const Report& report, const Shown& shown) {
  if (shown.model >= report.models.size())
    throw Error("model " + std::to_string(shown.model + 1) + " is not in the report", {},
                "The report was changed after it was saved");
  io::TensorFile file = report.models[shown.model];
  for (const auto& [name, tensor] : shown.state.tensors)
    file.tensors.insert_or_assign(name, tensor);
  for (const auto& [name, text] : shown.state.metadata) file.metadata.insert_or_assign(name, text);
  return train::fromTensorFile(file, "model " + std::to_string(shown.model + 1) + " of the report");
}

void append(Item item, const Report& from, Report& report) {
  item.shown.model = placeOf(from.models.at(item.shown.model), report);
  report.items.push_back(std::move(item));
}

void dropUnused(Report& report) {
  std::vector<Shown*> all;
  for (Item& item : report.items) all.push_back(&item.shown);
  if (report.lesson) all.push_back(&report.lesson->shown);
  std::vector<io::TensorFile> used;
  std::vector<std::size_t> place(report.models.size());
  for (std::size_t model = 0; model < report.models.size(); ++model) {
    if (std::ranges::none_of(all, [&](const Shown* one) { return one->model == model; })) continue;
    place[model] = used.size();
    used.push_back(std::move(report.models[model]));
  }
  for (Shown* one : all) one->model = place.at(one->model);
  report.models = std::move(used);
}

Item itemOf(const train::Document& document, Item drawn, Report& report) {
  drawn.numbers = numbersOf(document, drawn.source);
  drawn.step = shownStep(document);
  drawn.fingerprint = train::fingerprintOf(document).text();
  drawn.shown = keep(document, report);
  return drawn;
}

}  // namespace tfm::report
