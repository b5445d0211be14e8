// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/targets.h"

#include <array>
#include <vector>

namespace tfm::lesson {
namespace {

constexpr std::array<std::string_view, 8> kScreens{"Train",   "Attention", "Matrices", "Grow",
                                                   "Elastic", "Write",     "Shape",    "Flow"};

constexpr std::array kTargets{
    Target{"", "Play"},
    Target{"", "One step"},
    Target{"", "Start over"},
    Target{"", "Time"},
    Target{"Train", "Loss"},
    Target{"Train", "Accuracy"},
    Target{"Train", "What it answers"},
    Target{"Train", "Learning rate and gradient"},
    Target{"Attention", "All heads"},
    Target{"Attention", "The large map"},
    Target{"Attention", "Say something"},
    Target{"Attention", "Stages"},
    Target{"Attention", "Cell"},
    Target{"Matrices", "The matrices"},
    Target{"Matrices", "Cell"},
    Target{"Grow", "What grows"},
    Target{"Grow", "The matrices"},
    Target{"Grow", "Marks"},
    Target{"Grow", "Proof"},
    Target{"Grow", "The plan"},
    Target{"Elastic", "Width of all layers"},
    Target{"Elastic", "The matrices"},
    Target{"Elastic", "Accuracy against cost"},
    Target{"Elastic", "Answers"},
    Target{"Elastic", "Training"},
    Target{"Elastic", "The chosen size"},
    Target{"Shape", "The picture"},
    Target{"Shape", "Model"},
    Target{"Shape", "Length and cost"},
    Target{"Flow", "The diagram"},
    Target{"Flow", "Step by step"},
    Target{"Flow", "The path of a number"},
    Target{"Flow", "Number"},
    Target{kMenu, "New run"},
    Target{kMenu, "Open"},
    Target{kMenu, "Export weights"},
    Target{kMenu, "Start over with a new seed"},
    Target{kMenu, "Compare models"},
    Target{kMenu, "What if"},
    Target{kMenu, "Importance of parts"},
    Target{kMenu, "Patch one text into another"},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

std::optional<std::size_t> targetNamed(std::string_view text, std::string_view screen) {
  const std::size_t comma = text.find(", ");
  const bool says_screen = comma != std::string_view::npos;
  if (says_screen) {
    screen = text.substr(0, comma);
    text.remove_prefix(comma + 2);
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < kTargets.size(); ++i)
    if (kTargets[i].name == text) {
      if (kTargets[i].screen == screen) return i;
      found.push_back(i);
    }
  if (says_screen || found.size() != 1) return std::nullopt;
  return found.front();
}

std::span<const std::string_view> screens() { return kScreens; }

}  // namespace tfm::lesson
