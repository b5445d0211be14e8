// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/moment.h"

namespace tfm::train {

/// What the window shows of a model, kept in its document so that it reopens as it was prepared.
/// Only the window makes one, and nothing is computed from it.
struct WindowState {
  enum class Shown { Present, Moment, A, B, Difference };

  std::vector<std::string> texts;             ///< that the model reads
  std::int64_t text = 0;                      ///< the shown one
  std::vector<Moment> moments;                ///< of the model's course, in chronological order
  std::array<std::optional<Moment>, 2> pins;  ///< A and B
  std::array<bool, 2> left{};                 ///< pins of a course that training has left
  Shown shown = Shown::Present;
  std::int64_t moment = 0;  ///< Shown::Moment: which of `moments`
  std::string screen;       ///< the open one
  /// What a screen or a panel shows, by its name: a JSON object whose values are no objects.
  std::map<std::string, std::string> parts;
  std::uint64_t weights = 0;  ///< weightsOf() the model that it is about

  bool isEmpty() const { return texts.empty() && !hasMoments() && screen.empty() && parts.empty(); }
  bool hasMoments() const { return !moments.empty() || pins[0] || pins[1]; }
};

/// The words of WindowState::Shown in files.
inline constexpr std::array<std::string_view, 5> kShownWords{"present", "moment", "A", "B", "A-B"};

/// Removes moments and pins.
void dropMoments(WindowState& window);

/// Identifies the parameters of a model, by a checksum.
std::uint64_t weightsOf(const ModelState& state);

/// Whether it is about this model; only then a file keeps it.
bool isAbout(const WindowState& window, const ModelState& state);

/// "3 texts, 2 pins and 24 moments".
std::string inWords(const WindowState& window);

/// The memory of the moments and pins.
std::int64_t byteCount(const WindowState& window);

}  // namespace tfm::train
