// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/train/metrics.h"

namespace tfm::train {

/// The most events that a history keeps and a file may hold.
inline constexpr std::size_t kMostEvents = 10'000;
/// The longest text of an event, in bytes.
inline constexpr std::size_t kLongestEvent = 1'000;

/// "growth", "learning_rate", "restored", "note": the word in files.
std::string_view eventWord(EventKind kind);

/// Adds an event; its text is shortened to what a file may hold, and the oldest event goes where
/// there would be too many.
void addEvent(History& history, HistoryEvent event);

/// How many of their first events two histories share: they part after that.
std::int64_t commonEvents(const History& a, const History& b);

/// The last step that two histories share: they part after that. The largest number where one goes
/// on from the other; -1 where they never were the same.
std::int64_t lastCommonStep(const History& a, const History& b);

/// Forgets what was measured and done after `step`.
void forgetAfter(History& history, std::int64_t step);

/// Seconds of training that led to its last step.
double trainedSeconds(const History& history);

/// The memory that a history takes.
std::int64_t byteCount(const History& history);

}  // namespace tfm::train
