// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/model_map.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/model/blocks/blocks.h"
#include "core/model/build_program.h"
#include "core/observe/attention_stage.h"
#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

bool isParameter(const TensorInfo& t) {
  return t.role == Role::Parameter || t.role == Role::Constant;
}

void addOnce(std::vector<TensorId>& to, TensorId id) {
  if (std::ranges::find(to, id) == to.end()) to.push_back(id);
}

/// The last part of a path in words, without the name of its block: "query", "norm"; "" for the
/// step that has the block's own path.
std::string ownWord(const std::string& path, BlockKind kind) {
  std::string word = path.substr(path.rfind('.') + 1);
  if (!kind.name.empty() && word.starts_with(kind.name)) {
    word.erase(0, kind.name.size());
    // The number of a second block of its kind.
    word.erase(0, std::min(word.find_first_not_of("0123456789"), word.size()));
    word.erase(0, std::min(word.find_first_not_of('_'), word.size()));
  }
  std::ranges::replace(word, '_', ' ');
  return word;
}

bool isLoss(const Step& step) { return step.op->kind == OpKind::Loss; }

class MapMaker {
 public:
  explicit MapMaker(const Program& program) : program_(program) {}

  ModelMap make() {
    map_.makers.assign(program_.tensors.size(), kNoNode);
    for (std::size_t i = 0; i < program_.steps.size(); ++i)
      for (const TensorId id : program_.steps[i].outputs)
        if (id != kNoTensor) map_.makers[std::size_t(id)] = i;
    for (std::size_t i = 0; i < program_.steps.size(); ++i)
      for (const TensorId id : program_.steps[i].inputs)
        if (id != kNoTensor) readers_.try_emplace(id, i, i).first->second.second = i;
    map_.leaves.resize(program_.steps.size());
    add(kNoNode, MapLevel::Model, "model", "model", 0);
    for (std::size_t i = 0; i < program_.steps.size(); ++i) place(i);
    nameApart();
    for (MapNode& node : map_.nodes) findBorder(node);
    findStream(0, kNoTensor);
    return std::move(map_);
  }

 private:
  const Step& step(std::size_t i) const { return program_.steps[i]; }
  const TensorInfo& info(TensorId id) const { return program_.tensors[std::size_t(id)]; }

  std::size_t add(std::size_t parent, MapLevel level, std::string path, std::string title,
                  std::size_t first) {
    const std::size_t node = map_.nodes.size();
    MapNode& added = map_.nodes.emplace_back();
    added.level = level;
    added.path = std::move(path);
    added.title = std::move(title);
    added.parent = parent;
    added.first = added.end = first;
    if (first < program_.steps.size()) added.site = step(first).site;
    if (parent != kNoNode) map_.nodes[parent].children.push_back(node);
    return node;
  }

  /// The last child of `parent` if the step continues it, else a new one.
  template <class Same>
  std::size_t openChild(std::size_t parent, MapLevel level, std::size_t at, const Same& same,
                        const std::string& path, const std::string& title) {
    const auto& children = map_.nodes[parent].children;
    if (!children.empty()) {
      const MapNode& last = map_.nodes[children.back()];
      if (last.level == level && same(last.site)) return children.back();
    }
    return add(parent, level, path, title, at);
  }

  void place(std::size_t at) {
    const Site& site = step(at).site;
    std::size_t node = 0;
    std::string path(site.stack == Stack::None ? "model" : stackName(site.stack));
    // Of a submodel beside the model, all steps are one part.
    if (site.stack == Stack::None && site.layer >= 0) {
      const std::string name = step(at).path.substr(0, step(at).path.find('.'));
      node = openChild(
          node, MapLevel::Layer, at, [&](const Site& s) { return s == site; }, name,
          "size " + name);
      return addLeaf(node, at);
    }
    if (site.stack != Stack::None)
      node = openChild(
          node, MapLevel::Stack, at, [&](const Site& s) { return s.stack == site.stack; }, path,
          path);
    if (site.layer >= 0) {
      path += ".layers." + std::to_string(site.layer);
      node = openChild(
          node, MapLevel::Layer, at, [&](const Site& s) { return s.layer == site.layer; }, path,
          "layer " + std::to_string(site.layer + 1));
    } else if (site.block < 0) {
      const std::string word = groupWord(step(at), node);
      path += '.' + word;
      node = openChild(
          node, MapLevel::Layer, at,
          [&](const Site& s) {
            return s.layer < 0 && s.block < 0 && s.stack == site.stack && !isLoss(step(at));
          },
          path, word);
    }
    if (site.block >= 0) {
      path += ".block" + std::to_string(site.block);
      node = openChild(
          node, MapLevel::Block, at, [&](const Site& s) { return s == site; }, path,
          blockWords(site.kind));
    }
    addLeaf(node, at);
  }

  void addLeaf(std::size_t node, std::size_t at) {
    const std::string word = ownWord(step(at).path, step(at).site.kind);
    const std::size_t leaf = add(node, MapLevel::Step, step(at).path,
                                 word.empty() ? std::string(step(at).op->name) : word, at);
    map_.leaves[at] = leaf;
    for (std::size_t up = leaf; up != kNoNode; up = map_.nodes[up].parent)
      map_.nodes[up].end = at + 1;
  }

  /// What a stack does outside its layers: before and after them; or what stands outside stacks.
  std::string groupWord(const Step& step, std::size_t parent) const {
    if (isLoss(step)) return "loss";
    if (step.path.starts_with(names::kLoss)) return "sum of losses";
    const auto& children = map_.nodes[parent].children;
    if (step.site.stack == Stack::None) return children.empty() ? "input" : "output";
    const bool after = std::ranges::any_of(
        children, [&](std::size_t child) { return map_.nodes[child].site.layer >= 0; });
    return after ? "end" : "input";
  }

  /// Numbers titles and paths that occur twice.
  void nameApart() {
    std::set<std::string> paths;
    for (MapNode& node : map_.nodes) {
      std::string path = node.path;
      for (int number = 2; !paths.insert(path).second; ++number)
        path = node.path + " (" + std::to_string(number) + ")";
      node.path = path;
      std::map<std::string, int> all, seen;
      for (const std::size_t child : node.children) ++all[map_.nodes[child].title];
      for (const std::size_t child : node.children) {
        std::string& title = map_.nodes[child].title;
        if (all[title] == 1) continue;
        const int number = ++seen[title];
        title += " " + std::to_string(number);
      }
    }
  }

  void findBorder(MapNode& node) const {
    const auto inside = [&](std::size_t at) { return at >= node.first && at < node.end; };
    for (std::size_t i = node.first; i < node.end; ++i) {
      for (const TensorId id : step(i).inputs) {
        if (id == kNoTensor) continue;
        if (isParameter(info(id)))
          addOnce(node.weights, id);
        else if (!inside(map_.makers[std::size_t(id)]))
          addOnce(node.reads, id);
      }
      for (const TensorId id : step(i).outputs) {
        if (id == kNoTensor) continue;
        // Steps of a part are consecutive, so the first and the last reader tell.
        const auto read = readers_.find(id);
        if (read == readers_.end() || !inside(read->second.first) || !inside(read->second.second))
          node.writes.push_back(id);
      }
    }
  }

  /// Follows the states through the parts of a part; what a step of several outputs hands on is
  /// the first.
  TensorId findStream(std::size_t at, TensorId in) {
    MapNode& node = map_.nodes[at];
    // A decoder does not continue the encoder's states but reads its own input.
    node.in = node.level == MapLevel::Stack ? kNoTensor : in;
    TensorId now = node.in;
    if (node.level == MapLevel::Step) {
      const auto& outputs = step(node.first).outputs;
      if (!outputs.empty() && outputs.front() != kNoTensor &&
          info(outputs.front()).role == Role::Activation)
        now = outputs.front();
    } else {
      for (const std::size_t child : node.children) now = findStream(child, now);
    }
    node.out = now;
    for (std::size_t i = node.first; i < node.end && node.level == MapLevel::Block; ++i)
      if (step(i).op == &ops::kAdd && node.in != kNoTensor &&
          std::ranges::find(step(i).inputs, node.in) != step(i).inputs.end())
        node.joins = i;
    return now;
  }

  const Program& program_;
  ModelMap map_;
  std::map<TensorId, std::pair<std::size_t, std::size_t>> readers_;  ///< the first and the last
};

}  // namespace

std::size_t ModelMap::find(std::string_view path) const {
  const auto found = std::ranges::find(nodes, path, &MapNode::path);
  return found == nodes.end() ? kNoNode : std::size_t(found - nodes.begin());
}

std::vector<std::size_t> ModelMap::wayTo(std::size_t node) const {
  std::vector<std::size_t> way;
  for (; node != kNoNode; node = nodes[node].parent) way.insert(way.begin(), node);
  return way;
}

ModelMap modelMap(const Program& program) { return MapMaker(program).make(); }

std::vector<TensorId> computedBy(const Program& program, const Step& step) {
  std::vector<TensorId> ids(step.outputs.rbegin(), step.outputs.rend());
  if (step.op == &ops::kAttention) {
    using enum AttentionStage;
    ids.clear();
    for (const AttentionStage stage : {Scores, Masked, Softmax, Probabilities, Dropped, Mixed})
      ids.push_back(tensorAt(step, stage));
  }
  std::erase_if(ids, [&](TensorId id) {
    return id == kNoTensor || program.tensors[std::size_t(id)].role != Role::Activation;
  });
  return ids;
}

}  // namespace tfm::observe
