// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/message_text.h"
#include "core/model/blocks/feed_forward.h"
#include "core/model/build_program.h"
#include "core/observe/indexed_name.h"
#include "core/observe/intervention.h"
#include "core/observe/tensor_shape.h"
#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

constexpr const char* kPlace = "intervention";  // of errors

Program programOf(const ModelConfig& config, BatchShape shape, std::int64_t sequences) {
  ModelConfig plain = config;
  plain.changes.clear();
  shape.sequences = sequences;
  return buildProgram(plain, shape, {});
}

std::optional<std::int64_t> numberFromZero(std::string_view text) {
  const auto number = wholeNumberIn(text);
  return number && *number >= 0 ? number : std::nullopt;
}

IndexedName read(const std::string& target) {
  IndexedName written = indexedNameIn(target, kPlace);
  if (written.token)
    throw Error(io::inQuotes(target) + " names a token in its indices", kPlace,
                "Write its id; tokenize shows the ids of tokens");
  return written;
}

/// The number of letters to insert, drop or exchange (Levenshtein 1966).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t other = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({other, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string layerName(const Site& site) {
  return std::string(stackName(site.stack)) + ".layers." + std::to_string(site.layer);
}

/// Finds what targets stand for in one program.
class Targets {
 public:
  Targets(const ModelConfig& config, const BatchShape& shape, const std::string& target)
      : config_(config),
        shape_(shape),
        target_(target),
        written_(read(target)),
        program_(programOf(config, shape, 1)) {}

  std::vector<ChangedPart> parts() const {
    if (const ParameterInfo* weight = program_.parameters.find(written_.name))
      return {inMatrix({weight->name, true}, weight->rows(), weight->cols())};
    if (const TensorId id = program_.find(written_.name); id != kNoTensor)
      return {ofTensor(program_.tensors[std::size_t(id)])};
    if (const auto part = headOrNeuron()) return {*part};
    std::vector<ChangedPart> blocks;
    for (const auto& [name, output] : outputs())
      if (name == written_.name || (isLayer() && name.starts_with(written_.name + ".")))
        blocks.push_back(atPosition({output->name}, *output));
    if (!blocks.empty()) return blocks;
    throw unknown();
  }

 private:
  const TensorInfo& info(TensorId id) const { return program_.tensors[std::size_t(id)]; }

  bool isLayer() const {
    return std::ranges::any_of(program_.steps, [&](const Step& step) {
      return step.site.layer >= 0 && written_.name == layerName(step.site);
    });
  }

  /// Blocks by name, and what each adds to the residual stream, or for a single one puts out.
  std::vector<std::pair<std::string, const TensorInfo*>> outputs() const {
    std::vector<std::pair<std::string, const TensorInfo*>> found;
    for (const Step& step : program_.steps)
      if (std::string block = blockTarget(step); !block.empty())
        found.emplace_back(std::move(block), &info(step.inputs[1]));
    if (config_.architecture != Architecture::Attention) return found;
    for (const Step& step : program_.steps)
      if (step.op == &ops::kAttention)
        if (const TensorId id = program_.find(step.path + ".output"); id != kNoTensor)
          found.emplace_back(step.path, &info(id));
    return found;
  }

  Error refused(const std::string& problem, const std::string& hint) const {
    return {io::inQuotes(target_) + " " + problem, kPlace, hint};
  }
  Error outside(const std::vector<std::int64_t>& sizes, const std::string& what) const {
    std::string text;
    for (const std::int64_t size : sizes)
      text += (text.empty() ? "" : " x ") + std::to_string(size);
    return refused("is outside: " + what + " " + text, "Indices count from 0");
  }
  void requireIndices(const std::vector<std::int64_t>& sizes) const {
    if (!written_.indexed) return;
    if (written_.at.size() != sizes.size())
      throw outside(sizes, "it has " + std::to_string(sizes.size()) + " indices, of");
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (written_.at[i] >= sizes[i]) throw outside(sizes, "it is");
  }

  ChangedPart inMatrix(ChangedPart part, std::int64_t rows, std::int64_t cols) const {
    const bool vector = part.parameter && rows == 1 && written_.at.size() == 1;
    requireIndices(vector ? std::vector{cols} : std::vector{rows, cols});
    if (!written_.indexed) return part;
    part.row = vector ? kAllIndices : written_.at.front();
    setColumn(part, written_.at.back());
    return part;
  }
  static void setColumn(ChangedPart& part, std::int64_t col) {
    part.col = std::max<std::int64_t>(0, col);
    part.cols = col < 0 ? kAllIndices : 1;
  }
  /// Of a part with separate columns: at all positions, or at one.
  ChangedPart atPosition(ChangedPart part, const TensorInfo& tensor) const {
    requireIndices({tensor.rows});
    if (written_.indexed) part.row = written_.at.front();
    return part;
  }

  ChangedPart ofTensor(const TensorInfo& tensor) const {
    if (tensor.role != Role::Activation)
      throw refused("is not computed by the model",
                    "Give it another text, or change a number that the model computes");
    if (programOf(config_, shape_, 2).tensor(written_.name).rows != 2 * tensor.rows)
      throw refused("is the same for every text", "Change a weight that it is computed from");
    const std::vector<std::int64_t> shape = tensorShape(program_, tensor.name);
    if (shape.size() == 2) return inMatrix({tensor.name}, tensor.rows, tensor.cols);
    requireIndices(shape);
    ChangedPart part{.tensor = tensor.name, .map = true};
    if (!written_.indexed) return part;
    part.head = written_.at[0];
    part.row = written_.at[1];
    setColumn(part, written_.at[2]);
    if (part.row >= 0 && part.cols == 1)
      requireSeen(program_.find(tensor.name), part.row, part.col);
    return part;
  }
  void requireSeen(TensorId map, std::int64_t query, std::int64_t key) const {
    const Step& attention = *program_.makerOf(map);
    const AttentionShape& s = std::any_cast<const AttentionArguments&>(attention.arguments).shape;
    if (!s.hides(query, key)) return;
    throw refused("is hidden by the causal mask",
                  "A query sees the keys up to its own position" +
                      (s.window > 0 ? ", the last " + std::to_string(s.window) : std::string()));
  }

  /// "BLOCK.head.3", "BLOCK.neuron.5" or "BLOCK.neuron.0-7".
  std::optional<ChangedPart> headOrNeuron() const {
    for (const Step& step : program_.steps) {
      const std::string prefix = unitPrefix(step);
      if (prefix.empty() || !written_.name.starts_with(prefix)) continue;
      const bool heads = step.op == &ops::kAttention;
      const TensorInfo& tensor = info(step.outputs.front());
      const std::int64_t size =
          heads ? std::any_cast<const AttentionArguments&>(step.arguments).shape.value_size : 1;
      const std::string number = written_.name.substr(prefix.size());
      const std::size_t dash = heads ? std::string::npos : number.find('-');
      const auto first = numberFromZero(std::string_view(number).substr(0, dash));
      const auto last = dash == std::string::npos
                            ? first
                            : numberFromZero(std::string_view(number).substr(dash + 1));
      if (!first || !last || *last < *first)
        throw refused("has no whole number after '" + prefix + "'", "Count from 0");
      if (*last >= tensor.cols / size)
        throw refused("does not exist: there are " + std::to_string(tensor.cols / size) +
                          (heads ? " heads" : " neurons"),
                      "Count from 0");
      return atPosition({tensor.name, false, kAllIndices, kAllIndices, *first * size,
                         (*last - *first + 1) * size},
                        tensor);
    }
    return {};
  }

  Error unknown() const {
    if (written_.name.ends_with("scores"))
      return refused("cannot be changed: scores become probabilities inside the attention",
                     "Change its probabilities");
    for (const Stack stack : {Stack::Encoder, Stack::Decoder})
      for (std::size_t i = 0; i < config_.layers(stack).size(); ++i) {
        const std::string own = layerName({stack, std::int64_t(i)}) + ".";
        const std::string other =
            layerName({stack, config_.holderOf(stack, std::int64_t(i))}) + ".";
        if (own == other || !written_.name.starts_with(own)) continue;
        const std::string there = other + written_.name.substr(own.size());
        if (program_.parameters.find(there))
          return refused("is not a weight of its own: the layer uses those of another",
                         "Change " + there + ", for all layers that use it");
      }
    std::set<std::string> names;
    for (const TensorInfo& t : program_.tensors)
      if (t.role == Role::Activation || (t.role == Role::Parameter && t.window_of == kNoTensor))
        names.insert(t.name);
    for (const auto& [name, output] : outputs()) names.insert(name);
    for (const Step& step : program_.steps) {
      if (const std::string prefix = unitPrefix(step); !prefix.empty()) names.insert(prefix + "0");
      if (step.site.layer >= 0) names.insert(layerName(step.site));
    }
    std::multimap<std::size_t, std::string> by_distance;
    for (const std::string& name : names) by_distance.emplace(distance(written_.name, name), name);
    constexpr int kShown = 3;
    std::string close;
    for (auto one = by_distance.begin(); one != by_distance.end(); ++one) {
      if (std::distance(by_distance.begin(), one) == kShown) break;
      close += (close.empty() ? "" : ", ") + one->second;
    }
    return refused("names nothing in the model", "Similar names: " + close);
  }

  const ModelConfig& config_;
  const BatchShape& shape_;
  const std::string& target_;
  const IndexedName written_;
  const Program program_;
};

}  // namespace

std::vector<ChangedPart> changedParts(const ModelConfig& config, const BatchShape& shape,
                                      const std::string& target) {
  return Targets(config, shape, target).parts();
}

std::string blockTarget(const Step& step) {
  constexpr std::string_view kResidual = "_residual";
  const bool adds = step.site.block >= 0 && step.op == &ops::kAdd && step.path.ends_with(kResidual);
  return adds ? step.path.substr(0, step.path.size() - kResidual.size()) : "";
}

std::string unitPrefix(const Step& step) {
  if (step.op == &ops::kAttention) return step.path + ".head.";
  const bool hidden = step.op == &ops::kActivation && step.site.kind == FeedForward::kKind;
  return hidden ? step.path.substr(0, step.path.rfind('.')) + ".neuron." : "";
}

std::vector<Unit> unitsOf(const ModelConfig& config, UnitKind kind, std::int64_t group) {
  const Program program = programOf(config, minimalShape(config), 1);
  std::vector<Unit> units;
  for (const Step& step : program.steps) {
    const Site& site = step.site;
    const std::string name(site.kind.name), prefix = unitPrefix(step);
    if (kind == UnitKind::Heads && step.op == &ops::kAttention) {
      const auto& shape = std::any_cast<const AttentionArguments&>(step.arguments).shape;
      for (std::int64_t h = 0; h < shape.heads; ++h)
        units.push_back({prefix + std::to_string(h), site.stack,
                         std::max<std::int64_t>(0, site.layer), name, h});
    } else if (kind == UnitKind::Neurons && step.op == &ops::kActivation && !prefix.empty()) {
      const std::int64_t width = program.tensors[std::size_t(step.outputs.front())].cols;
      for (std::int64_t first = 0; first < width; first += group) {
        const std::int64_t last = std::min(width, first + group) - 1;
        units.push_back(
            {prefix + std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""),
             site.stack, site.layer, name, first / group});
      }
    } else if (kind == UnitKind::Layers && site.block >= 0 && site.layer >= 0) {
      const std::string layer = layerName(site);
      if (units.empty() || units.back().target != layer)
        units.push_back({layer, site.stack, site.layer, "", 0});
    }
  }
  return units;
}

}  // namespace tfm::observe
