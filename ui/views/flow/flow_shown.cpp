// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_shown.h"

#include <algorithm>

#include "core/base/error.h"
#include "ui/views/kept_fields.h"

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

std::vector<io::Field> fieldsOf(FlowShown& s) {
  const io::TextSlot open{
      [&s] {
        std::vector<std::string> words;
        for (const std::string& path : s.opened.open.paths)
          if (std::ranges::count(s.opened.order, path) == 0 && !s.opened.walked.contains(path))
            words.push_back(path);
        words.insert(words.end(), s.opened.order.begin(), s.opened.order.end());
        return keptWords(words).get();
      },
      [&s](const std::string& text) {
        keptWords(s.opened.order).set(text);
        s.opened.open.paths = {s.opened.order.begin(), s.opened.order.end()};
        s.opened.walked.clear();
      }};
  return {
      {"numbers", "Which are shown",
       io::choice(s.numbers, {"values", "gradients", "difference", "texts"})},
      {"lens", "The logit lens in place of the diagram", io::SwitchSlot{&s.lens}},
      {"open", "The parts that are open, in this order", open},
      {"head", "Of open attentions, counted from 0; -1: all", keptNumbers({&s.opened.open.head})},
      {"locked_number", "Tensor, row and column, counted from 0", io::text(s.wanted)},
  };
}

std::string nameOfNumber(const Program& program, const observe::NumberPlace& place) {
  return program.tensors[std::size_t(place.tensor)].name + "[" + std::to_string(place.row) + ", " +
         std::to_string(place.col) + "]";
}

std::optional<observe::NumberPlace> numberNamed(const Program& program, const std::string& name) {
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string::npos) return std::nullopt;
  int row = -1, col = -1;
  try {
    keptNumbers({&row, &col}).set(name.substr(bracket + 1));
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto tensor =
      std::ranges::find(program.tensors, name.substr(0, bracket), &TensorInfo::name);
  if (tensor == program.tensors.end()) return std::nullopt;
  const TensorInfo& info = *tensor;
  if (row < 0 || row >= info.rows || col < 0 || col >= info.cols) return std::nullopt;
  return observe::NumberPlace{TensorId(tensor - program.tensors.begin()), row, col};
}

void FlowShown::choose(Numbers other) {
  numbers = other;
  training = false;
  if (number) number->gradient = side() == FlowSide::Gradients;
}

}  // namespace tfm::ui
