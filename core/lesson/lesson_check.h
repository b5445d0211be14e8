// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ask/observer.h"
#include "core/lesson/desk.h"
#include "core/lesson/lesson.h"

namespace tfm::lesson {

/// A page after its deeds were done, or why they could not be.
struct PlayedPage {
  const Page& page;
  /// With live values: its text and questions as one sees them when the page opens, its answers,
  /// hints and solution after the deeds.
  Page shown = page;
  std::string right = {};  ///< what its question's right answer comes to; empty: it has none
  bool done = false;
  double seconds = 0.0;
};

/// Plays a lesson without a window: opens its start, computes the live values of each page, does
/// its deeds and asks its checks, as the window's panel does. Returns what is wrong: the problems
/// of the file, a start or link that does not open, values that the model does not have, checks
/// that hold before anything was done, and deeds that cannot be done. `told` is called after each
/// page.
std::vector<Error> play(const ReadLesson& read, const std::string& name,
                        const std::filesystem::path& folder, int threads,
                        const std::function<void(const PlayedPage&)>& told = {});

/// What the right answer to a page's question comes to on a desk; nullopt where the page asks no
/// question or the model there does not have the values.
std::optional<std::string> rightAnswerOn(const Page& page, const Desk& desk);

/// What the model of a desk does with the shown text, as far as a page needs it; null where it
/// reads no text.
std::shared_ptr<const train::Snapshot> snapshotFor(const Page& page, const Desk& desk);

}  // namespace tfm::lesson
