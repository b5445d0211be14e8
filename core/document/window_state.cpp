// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/window_state.h"

#include <set>
#include <span>

#include "core/io/checksum.h"

namespace tfm::train {
namespace {

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

}  // namespace

void dropMoments(WindowState& window) {
  window.moments.clear();
  window.pins = {};
  window.left = {};
  window.shown = WindowState::Shown::Present;
}

std::uint64_t weightsOf(const ModelState& state) {
  return io::checksum(std::as_bytes(std::span(state.parameters)));
}

bool isAbout(const WindowState& window, const ModelState& state) {
  return !window.isEmpty() && window.weights == weightsOf(state);
}

std::string inWords(const WindowState& window) {
  const auto pins =
      std::size_t(window.pins[0].has_value()) + std::size_t(window.pins[1].has_value());
  return counted(window.texts.size(), "text") + ", " + counted(pins, "pin") + " and " +
         counted(window.moments.size(), "moment");
}

std::int64_t byteCount(const WindowState& window) {
  std::set<const ModelState*> states;
  for (const Moment& moment : window.moments) states.insert(moment.state.get());
  for (const auto& pin : window.pins)
    if (pin) states.insert(pin->state.get());
  std::int64_t bytes = 0;
  for (const ModelState* state : states) bytes += tfm::byteCount(*state);
  return bytes;
}

}  // namespace tfm::train
