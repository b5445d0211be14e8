// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_shown.h"

#include <algorithm>

namespace tfm::ui {
namespace {

/// The paths of the parts around a step, without the whole model and the step itself.
std::vector<std::string> pathsAround(const observe::ModelMap& map, std::size_t step) {
  std::vector<std::string> paths;
  for (const std::size_t node : map.wayTo(map.leaves[step]))
    if (node != 0 && map.nodes[node].level != observe::MapLevel::Step)
      paths.push_back(map.nodes[node].path);
  return paths;
}

}  // namespace

void FlowOpened::toggle(const observe::ModelMap& map, std::size_t node) {
  const std::string& path = map.nodes[node].path;
  std::erase(order, path);
  if (open.paths.erase(path) != 0) return;
  open.paths.insert(path);
  order.push_back(path);
}

void FlowOpened::closeInside(const observe::ModelMap& map, std::size_t node) {
  const auto within = [&](const std::string& path) {
    const std::size_t one = map.find(path);
    return one != observe::kNoNode && one != node && std::ranges::count(map.wayTo(one), node) > 0;
  };
  std::erase_if(open.paths, within);
  std::erase_if(order, within);
}

void FlowOpened::openAround(const observe::ModelMap& map, std::size_t step) {
  for (const std::string& path : pathsAround(map, step))
    if (open.paths.insert(path).second) order.push_back(path);
}

void FlowOpened::walkTo(const observe::ModelMap& map, std::optional<std::size_t> step) {
  const std::vector<std::string> now = step ? pathsAround(map, *step) : std::vector<std::string>{};
  std::erase_if(walked, [&](const std::string& path) {
    const bool behind = std::ranges::find(now, path) == now.end();
    if (behind) open.paths.erase(path);
    return behind;
  });
  for (const std::string& path : now)
    if (open.paths.insert(path).second) walked.insert(path);
}

std::size_t FlowOpened::last(const observe::ModelMap& map) const {
  const std::size_t node = order.empty() ? 0 : map.find(order.back());
  return node == observe::kNoNode ? 0 : node;
}

void FlowShown::choose(Numbers other) {
  numbers = other;
  training = false;
  if (number) number->gradient = side() == FlowSide::Gradients;
}

}  // namespace tfm::ui
