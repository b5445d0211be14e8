// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_parts.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/model/blocks/feed_forward.h"
#include "core/observe/attention_stage.h"
#include "core/observe/intervention.h"
#include "core/program/ops/ops.h"
#include "core/program/program_builder.h"
#include "ui/figure/token_text.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::MapLevel;
using observe::MapNode;
using observe::NumberPlace;

struct PartNames {
  Q_DECLARE_TR_FUNCTIONS(FlowParts)
};

std::string withIndices(const std::string& name, std::initializer_list<std::string> indices) {
  std::string text = name + "[";
  for (const std::string& index : indices) text += (text.ends_with('[') ? "" : ", ") + index;
  return text + "]";
}

/// The name of a tensor without what an intervention makes of it.
std::string plainName(const TensorInfo& tensor) {
  std::string name = tensor.name;
  if (const std::string before = kBefore; name.ends_with(before))
    name.resize(name.size() - before.size());
  return name;
}

/// The name of a block in targets; empty if it cannot be changed as a whole.
std::string blockTarget(const FlowRun& run, const MapNode& block) {
  std::string attention;
  for (std::size_t i = block.first; i < block.end; ++i) {
    const Step& step = run.program().steps[i];
    if (std::string target = observe::blockTarget(step); !target.empty()) return target;
    if (step.op == &ops::kAttention) attention = step.path;
  }
  return attention;
}

std::size_t above(const FlowRun& run, std::size_t node, MapLevel level) {
  while (node != kNoNode && run.map().nodes[node].level != level)
    node = run.map().nodes[node].parent;
  return node;
}

void addOwn(const FlowRun& run, const NumberPlace& place, std::vector<FlowPart>& parts) {
  const TensorInfo& t = run.info(place.tensor);
  const std::string name = plainName(t);
  const std::string row = std::to_string(place.row), col = std::to_string(place.col);
  if (const AttentionShape* shape = run.attentionOf(place.tensor)) {
    const Step& attention = *observe::attentionOf(run.program(), place.tensor);
    const std::string& map =
        run.info(observe::tensorAt(attention, observe::AttentionStage::Probabilities)).name;
    const std::string query = std::to_string(place.row % shape->queries);
    const std::string head = std::to_string(place.row / shape->queries);
    parts.push_back(
        {PartNames::tr("this cell of attention"), withIndices(map, {head, query, col})});
    return;
  }
  if (t.role == Role::Parameter) {
    parts.push_back({PartNames::tr("this weight"), withIndices(name, {row, col})});
    return;
  }
  if (t.role != Role::Activation) return;
  parts.push_back({PartNames::tr("this number"), withIndices(name, {row, col})});
  const auto& labels = run.rowLabels(place.tensor);
  if (std::size_t(place.row) < labels.size())
    parts.push_back({PartNames::tr("all numbers of %1 here")
                         .arg(visibleToken(QString::fromStdString(labels[std::size_t(place.row)]))),
                     withIndices(name, {row, "."})});
}

/// The neuron of a feed-forward block, or the head of an attention, that a number belongs to.
void addUnit(const FlowRun& run, const NumberPlace& place, const MapNode& block,
             std::vector<FlowPart>& parts) {
  const auto& steps = run.program().steps;
  const TensorInfo& t = run.info(place.tensor);
  for (std::size_t i = block.first; i < block.end; ++i) {
    const Step& step = steps[i];
    if (step.op == &ops::kActivation && step.site.kind == FeedForward::kKind) {
      const std::int64_t width = run.info(step.outputs.front()).cols;
      const std::string& before = step.inputs.empty() ? t.name : run.info(step.inputs.front()).name;
      const bool state = t.name == before || plainName(t) == plainName(run.info(step.outputs[0]));
      // A weight has its neuron in its rows if it writes into it, in its columns if it reads it.
      const bool weight = t.role == Role::Parameter;
      const bool by_row = weight && t.rows == width && t.cols != width;
      const bool by_col = state || (weight && t.cols == width && t.rows != width);
      if (!by_row && !by_col) continue;
      const std::int64_t neuron = by_row ? place.row : place.col;
      parts.push_back({PartNames::tr("neuron %1").arg(neuron + 1),
                       observe::unitPrefix(step) + std::to_string(neuron)});
    }
    if (step.op != &ops::kAttention) continue;
    const AttentionShape& shape = std::any_cast<const AttentionArguments&>(step.arguments).shape;
    std::int64_t head = -1;
    if (run.attentionOf(place.tensor) != nullptr)
      head = place.row / shape.queries;
    else if (place.tensor == step.inputs[0] || place.tensor == step.inputs[1])
      head = place.col / shape.key_size;
    else if (place.tensor == step.inputs[2] || plainName(t) == plainName(run.info(step.outputs[0])))
      head = place.col / shape.value_size;
    if (head >= 0 && head < shape.heads)
      parts.push_back({PartNames::tr("head %1").arg(head + 1),
                       observe::unitPrefix(step) + std::to_string(head)});
  }
}

}  // namespace

std::size_t stepAt(const FlowRun& run, TensorId tensor) {
  if (const std::size_t maker = run.map().makers[std::size_t(tensor)]; maker != kNoNode)
    return maker;
  const auto& steps = run.program().steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const TensorId id : steps[i].inputs)
      if (id != kNoTensor && holderOf(run.program(), id) == tensor) return i;
  return kNoNode;
}

std::vector<FlowPart> partsAt(const FlowRun& run, std::size_t node) {
  std::vector<FlowPart> parts;
  const observe::ModelMap& map = run.map();
  if (const std::size_t block = above(run, node, MapLevel::Block); block != kNoNode) {
    const std::string target = blockTarget(run, map.nodes[block]);
    if (!target.empty())
      parts.push_back(
          {PartNames::tr("all of %1").arg(QString::fromStdString(map.nodes[block].title)), target});
  }
  const std::size_t layer = above(run, node, MapLevel::Layer);
  if (layer != kNoNode && map.nodes[layer].site.layer >= 0)
    parts.push_back({PartNames::tr("all of %1").arg(QString::fromStdString(map.nodes[layer].title)),
                     map.nodes[layer].path});
  return parts;
}

std::vector<FlowPart> partsAt(const FlowRun& run, const NumberPlace& place) {
  std::vector<FlowPart> parts;
  addOwn(run, place, parts);
  const std::size_t step = stepAt(run, place.tensor);
  if (step == kNoNode) return parts;
  const std::size_t leaf = run.map().leaves[step];
  if (const std::size_t block = above(run, leaf, MapLevel::Block); block != kNoNode)
    addUnit(run, place, run.map().nodes[block], parts);
  for (FlowPart& part : partsAt(run, leaf)) parts.push_back(std::move(part));
  return parts;
}

QRectF changedCells(const FlowRun& run, const FlowTile& tile, const TensorChange& change) {
  const TensorInfo& t = run.info(tile.tensor);
  if (t.name != change.tensor) return {};
  std::int64_t first = std::max<std::int64_t>(0, change.row);
  std::int64_t last = change.row < 0 ? t.rows - 1 : change.row;
  if (const AttentionShape* shape = run.attentionOf(tile.tensor)) {
    if (change.head >= 0) {
      first += change.head * shape->queries;
      last = change.row < 0 ? (change.head + 1) * shape->queries - 1 : first;
    } else if (change.row >= 0) {
      first = 0;  // that query of every head
      last = t.rows - 1;
    }
  }
  const std::int64_t last_col = change.cols < 0 ? t.cols - 1 : change.col + change.cols - 1;
  // What of it the tile shows.
  const std::int64_t rows = tile.transposed ? tile.places.cols : tile.places.rows;
  const std::int64_t cols = tile.transposed ? tile.places.rows : tile.places.cols;
  first = std::max(first, tile.row);
  last = std::min(last, tile.row + rows - 1);
  const std::int64_t first_col = std::max(change.col, tile.col);
  const std::int64_t end_col = std::min(last_col, tile.col + cols - 1);
  if (first > last || first_col > end_col) return {};
  const auto a = tile.cellOf(first, first_col), b = tile.cellOf(last, end_col);
  if (!a || !b) return {};
  return tile.places.cell(a->row, a->col).united(tile.places.cell(b->row, b->col));
}

bool switchesOff(const TensorChange& change) {
  return change.factor == 0.0 &&
         std::ranges::all_of(change.added, [](double number) { return number == 0.0; });
}

}  // namespace tfm::ui
