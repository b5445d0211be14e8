// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/history.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/io/message_text.h"

namespace tfm::train {

std::string_view eventName(EventKind kind) {
  switch (kind) {
    case EventKind::Growth:
      return "growth";
    case EventKind::LearningRate:
      return "learning_rate";
    case EventKind::Restored:
      return "restored";
    case EventKind::Note:
      return "note";
  }
  check(false, "every kind of event has a name");
  return {};
}

void addEvent(History& history, HistoryEvent event) {
  event.text = io::shortened(event.text, kLongestEvent - 3);
  if (history.events.size() >= kMaxEvents) history.events.erase(history.events.begin());
  history.events.push_back(std::move(event));
}

std::int64_t commonEvents(const History& a, const History& b) {
  const auto part = std::ranges::mismatch(a.events, b.events).in1;
  return part - a.events.begin();
}

std::int64_t lastCommonStep(const History& a, const History& b) {
  const auto same = [](const StepMetrics& x, const StepMetrics& y) {
    return x.step == y.step && x.loss == y.loss;
  };
  const auto [in_a, in_b] = std::ranges::mismatch(a.steps, b.steps, same);
  if (in_a == a.steps.end() || in_b == b.steps.end())
    return std::numeric_limits<std::int64_t>::max();
  return in_a == a.steps.begin() ? -1 : std::prev(in_a)->step;
}

void truncateAfter(History& history, std::int64_t step) {
  const auto later = [step](const auto& point) { return point.step > step; };
  std::erase_if(history.steps, later);
  std::erase_if(history.evaluations, later);
  std::erase_if(history.events, later);
}

double trainedSeconds(const History& history) {
  return history.steps.empty() ? 0.0 : history.steps.back().seconds;
}

std::int64_t byteCount(const History& history) {
  std::size_t bytes =
      history.steps.size() * sizeof(StepMetrics) + history.evaluations.size() * sizeof(Evaluation);
  for (const HistoryEvent& event : history.events) bytes += sizeof event + event.text.size();
  return std::int64_t(bytes);
}

}  // namespace tfm::train
