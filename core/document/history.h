// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/train/metrics.h"

namespace tfm::train {

/// Maximum number of events in a history or file.
inline constexpr std::size_t kMaxEvents = 10'000;
/// Maximum length of an event's text in bytes.
inline constexpr std::size_t kLongestEvent = 1'000;

/// As in files: "growth", "learning_rate", "restored", "note".
std::string_view eventName(EventKind kind);

/// Ends the text of a growth that was found exact right before it was made.
inline constexpr std::string_view kProved = " (proved)";
inline bool isProved(const HistoryEvent& event) { return event.text.ends_with(kProved); }

/// Appends an event, shortening its text and dropping the oldest event to stay within the limits.
void addEvent(History& history, HistoryEvent event);

/// The number of leading events that two histories share.
std::int64_t commonEvents(const History& a, const History& b);

/// The last step that two histories share; the largest number if one continues the other, -1 if
/// they share none.
std::int64_t lastCommonStep(const History& a, const History& b);

/// Removes measurements and events after `step`.
void truncateAfter(History& history, std::int64_t step);

/// Seconds of training up to its last step.
double trainedSeconds(const History& history);

/// The memory of a history.
std::int64_t byteCount(const History& history);

}  // namespace tfm::train
