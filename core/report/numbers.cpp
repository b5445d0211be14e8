// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ask/explained_run.h"
#include "core/base/error.h"
#include "core/document/shown_snapshot.h"
#include "core/observe/selector.h"

namespace tfm::report {
namespace {

using Blocks = std::vector<Block>;

/// More points of a curve than this are thinned out evenly: no screen shows them.
constexpr std::size_t kMostPoints = 2000;

std::shared_ptr<const train::Snapshot> seenBy(const train::Document& document,
                                              const std::string& pattern, const Source& source) {
  return train::shownSnapshot(
      document, pattern, source.right_answer ? train::ReadAnswer::Right : train::ReadAnswer::Own);
}

/// The attention that a tensor of a snapshot belongs to if it is a map of its heads.
const observe::AttentionSite* siteOf(const train::Snapshot& seen, const std::string& name) {
  for (const observe::AttentionSite& site : seen.sites)
    for (const char* map : {".probabilities", ".scores", ".masked_scores"})
      if (name == site.path + map) return &site;
  return nullptr;
}

Blocks tensorNumbers(const train::Document& document, const Source& source) {
  const auto seen = seenBy(document, source.of, source);
  Blocks blocks;
  for (const auto& [name, observed] : seen->observed) {
    Block block{name, {observed.rows, observed.cols}, {}, {}, {}};
    block.values.assign(observed.values.begin(), observed.values.end());
    if (const auto* site = siteOf(*seen, name)) {
      block.shape = {site->shape.heads, site->shape.queries, site->shape.keys};
      block.rows = train::queryLabels(seen->probe, *site);
      block.cols = train::keyLabels(seen->probe, *site);
    }
    blocks.push_back(std::move(block));
  }
  const train::StatePtr& state = seen->changed ? seen->changed : seen->state;
  for (const ParameterInfo& parameter : state->layout.parameters) {
    if (!observe::selects(source.of, parameter.name)) continue;
    const auto begin = state->parameters.begin() + parameter.offset;
    blocks.push_back({parameter.name,
                      {parameter.size() / parameter.cols(), parameter.cols()},
                      {begin, begin + parameter.size()},
                      {},
                      {}});
  }
  if (blocks.empty())
    throw Error("the model has no numbers named '" + source.of + "'", {},
                "The report was changed after it was saved");
  return blocks;
}

/// Every n-th of a list, with the last.
template <class Row>
std::vector<const Row*> thinned(const std::vector<Row>& rows) {
  std::vector<const Row*> some;
  const std::size_t stride = 1 + rows.size() / kMostPoints;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i % stride == 0 || i + 1 == rows.size()) some.push_back(&rows[i]);
  return some;
}

/// A curve for each measure over the steps.
template <class Row>
Block curves(const std::string& name, const std::vector<Row>& rows) {
  Block block{name, {}, {}, {}, {"step", "loss", "accuracy", "position accuracy"}};
  for (const Row* row : thinned(rows))
    for (const double value : {double(row->step), row->loss, row->accuracy, row->position_accuracy})
      block.values.push_back(value);
  const auto columns = std::int64_t(block.cols.size());
  block.shape = {std::int64_t(block.values.size()) / columns, columns};
  return block;
}

Blocks historyNumbers(const train::Document& document, const Source&) {
  const train::History& history = document.history;
  Blocks blocks{curves("training", history.steps), curves("held-out", history.evaluations)};
  if (history.evaluations.empty()) return blocks;
  const auto& scores = history.evaluations.back().granularities;
  if (scores.empty()) return blocks;
  Block block{"granularities", {std::int64_t(scores.size()), 2}, {}, {}, {"loss", "accuracy"}};
  for (const train::GranularityScore& score : scores)
    block.values.insert(block.values.end(), {score.loss, score.accuracy});
  blocks.push_back(std::move(block));
  return blocks;
}

Blocks explainedNumbers(const train::Document& document, const Source& source) {
  const auto seen = seenBy(document, "output", source);
  if (seen->probe.batch.size == 0)
    throw Error("the number is about a text, and the document shows none", {},
                "The report was changed after it was saved");
  if (seen->is_difference)
    throw Error("a difference of two moments has no terms", {}, "Show one of the moments");
  train::ExplainedRun<float> run(seen->changed ? seen->changed : seen->state, seen->probe);
  const observe::NumberPlace place = observe::placeNamed(run.program(), source.of);
  const observe::ExplainedNumber number = run.explainer().explain(place);
  Blocks blocks{{source.of, {1, 1}, {number.value}, {}, {}}};
  Block terms{"terms", {}, {}, {}, {}};
  for (const observe::StepPart& part : number.parts)
    for (const observe::PlacedTerm& term : part.terms) {
      std::string name;
      for (const observe::NumberPlace& from : term.sources)
        name += (name.empty() ? "" : " · ") + observe::nameOf(run.program(), from);
      terms.rows.push_back(name.empty() ? "constant" : name);
      terms.values.push_back(term.amount);
    }
  terms.shape = {std::int64_t(terms.values.size()), 1};
  blocks.push_back(std::move(terms));
  return blocks;
}

constexpr SourceKind kKinds[] = {
    {"tensors", "Names of tensors, as patterns of `probe --tensors`.", false, tensorNumbers},
    {"explanation", "A number, as in `explain --number`.", false, explainedNumbers},
    {"history", "Nothing: all that was measured while the model learned.", true, historyNumbers},
};

}  // namespace

std::span<const SourceKind> sourceKinds() { return kKinds; }

const SourceKind* kindOf(const Source& source) {
  const auto found = std::ranges::find(kKinds, source.kind, &SourceKind::name);
  return found == std::end(kKinds) ? nullptr : found;
}

std::vector<Block> numbersOf(const train::Document& document, const Source& source) {
  const SourceKind* kind = kindOf(source);
  return kind == nullptr ? Blocks{} : kind->numbers(document, source);
}

double differenceOf(std::span<const Block> kept, std::span<const Block> computed) {
  constexpr double kOther = std::numeric_limits<double>::infinity();
  if (kept.size() != computed.size()) return kOther;
  double most = 0.0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Block &a = kept[i], &b = computed[i];
    if (a.name != b.name || a.shape != b.shape || a.values.size() != b.values.size()) return kOther;
    double largest = 0.0, difference = 0.0;
    for (std::size_t at = 0; at < a.values.size(); ++at) {
      if (std::isnan(a.values[at]) != std::isnan(b.values[at])) return kOther;
      if (std::isnan(a.values[at])) continue;
      largest = std::max(largest, std::abs(b.values[at]));
      difference = std::max(difference, std::abs(a.values[at] - b.values[at]));
    }
    if (difference > 0.0) most = std::max(most, largest > 0.0 ? difference / largest : kOther);
  }
  return most;
}

}  // namespace tfm::report
