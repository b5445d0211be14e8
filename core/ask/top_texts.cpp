// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/top_texts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/ask/observer.h"
#include "core/base/error.h"
#include "core/data/batches.h"

namespace tfm::train {
namespace {

/// The columns of a tensor that belong to a head or a neuron.
struct Columns {
  std::string tensor;
  bool is_head = false;
  std::int64_t number = 0;
};

Columns columnsOf(const ModelConfig& config, const std::string& target) {
  std::string some;
  for (const auto kind : {observe::UnitKind::Neurons, observe::UnitKind::Heads})
    for (const observe::Unit& unit : observe::unitsOf(config, kind)) {
      if (unit.target != target) {
        if (some.empty() || (kind == observe::UnitKind::Heads && some.find(".head.") == some.npos))
          some += (some.empty() ? "" : " or ") + unit.target;
        continue;
      }
      const bool head = kind == observe::UnitKind::Heads;
      const std::string block = target.substr(0, target.rfind(head ? ".head." : ".neuron."));
      return {block + (head ? ".mixed" : ".activation"), head, unit.number};
    }
  throw Error("'" + target + "' is no head and no neuron of the model", {},
              "Write one such as " + some);
}

std::int64_t headsOf(const Snapshot& seen, const std::string& tensor) {
  for (const observe::AttentionSite& site : seen.sites)
    if (tensor == site.path + ".mixed") return site.shape.heads;
  return 1;
}

/// The part's value at each position of the text that was read.
std::vector<double> valuesOf(const Snapshot& seen, const Columns& columns) {
  const auto found = seen.observed.find(columns.tensor);
  if (found == seen.observed.end()) return {};
  const observe::Observed& tensor = found->second;
  std::vector<double> values;
  const std::int64_t width = columns.is_head ? tensor.cols / headsOf(seen, columns.tensor) : 1;
  for (std::int64_t row = 0; row < tensor.rows; ++row) {
    double squares = 0.0;
    for (std::int64_t col = columns.number * width; col < (columns.number + 1) * width; ++col)
      squares += double(tensor.at(row, col)) * double(tensor.at(row, col));
    values.push_back(columns.is_head ? std::sqrt(squares) : double(tensor.at(row, columns.number)));
  }
  return values;
}

}  // namespace

bool hasTopTexts(const ModelConfig& config, const std::string& target) {
  return !problemOf([&] { columnsOf(config, target); });
}

std::optional<TopTexts> topTexts(const std::shared_ptr<const data::Task>& task,
                                 const std::shared_ptr<const ModelState>& state,
                                 const std::string& target, const TopTextsOptions& options,
                                 const TopTextsProgress& progress) {
  const Columns columns = columnsOf(state->config, target);
  const std::int64_t known = task->exampleCount(data::Split::Evaluation);
  const std::int64_t examples = known > 0 ? std::min(known, options.examples) : options.examples;
  Observer observer(task);
  Looking looking;
  looking.state = state;
  looking.read = ReadAnswer::Right;
  looking.pattern = columns.tensor;
  TopTexts top;
  std::set<std::string> read;
  double sum = 0.0;
  std::int64_t positions = 0;
  for (std::int64_t i = 0; i < examples; ++i) {
    looking.question =
        task->questionText(data::Split::Evaluation, data::kEvaluationSeed, std::uint64_t(i));
    if (read.insert(looking.question).second) {
      const auto seen = observer.look(looking, state);
      TopText text{looking.question, {}, valuesOf(*seen, columns)};
      if (!seen->problem.empty() || text.values.empty()) continue;
      ++top.examples;
      for (const double value : text.values) sum += value;
      positions += std::ssize(text.values);
      const bool decodes = columns.tensor.starts_with("decoder.");
      text.tokens = decodes ? seen->probe.decoder_labels : seen->probe.source_labels;
      if (text.tokens.size() != text.values.size()) text.tokens.clear();  // pooled
      text.position = std::ranges::max_element(text.values) - text.values.begin();
      top.texts.push_back(std::move(text));
      std::ranges::stable_sort(top.texts, std::greater(), &TopText::most);
      if (std::ssize(top.texts) > options.most) top.texts.pop_back();
    }
    if (progress && !progress(double(i + 1) / double(examples))) return {};
  }
  if (positions > 0) top.mean = sum / double(positions);
  return top;
}

}  // namespace tfm::train
