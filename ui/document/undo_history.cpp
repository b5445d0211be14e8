// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/undo_history.h"

#include <algorithm>
#include <utility>

#include "core/train/history.h"

namespace tfm::ui {
namespace {

std::int64_t bytesOf(const train::Present& present) {
  std::int64_t bytes = tfm::byteCount(*present.state) + train::byteCount(present.history);
  for (const train::Moment& moment : present.moments)
    if (moment.state != present.state) bytes += tfm::byteCount(*moment.state);
  return bytes;
}

}  // namespace

void UndoHistory::push(const QString& label, Present before) {
  for (const Entry& entry : redo_) bytes_ -= entry.bytes;
  redo_.clear();
  const std::int64_t bytes = bytesOf(*before);
  undo_.push_back({label, std::move(before), bytes});
  bytes_ += bytes;
  keepBudget();
}

void UndoHistory::clear() {
  undo_.clear();
  redo_.clear();
  bytes_ = 0;
  forgotten_ = 0;
}

void UndoHistory::setBudget(std::int64_t bytes) {
  budget_ = bytes;
  keepBudget();
}

void UndoHistory::undone(const Present& target, Present before) {
  move(undo_, redo_, target, std::move(before));
}

void UndoHistory::redone(const QString& label, const Present& target, Present before) {
  if (!move(redo_, undo_, target, before)) push(label, std::move(before));
}

bool UndoHistory::move(Entries& from, Entries& to, const Present& target, Present before) {
  const auto leads = [&](const Entry& entry) { return entry.present == target; };
  if (std::ranges::none_of(from, leads)) return false;
  while (!leads(from.back())) {
    bytes_ -= from.back().bytes;
    from.pop_back();
  }
  Entry entry = std::move(from.back());
  from.pop_back();
  bytes_ -= entry.bytes;
  entry.bytes = bytesOf(*before);
  entry.present = std::move(before);
  bytes_ += entry.bytes;
  to.push_back(std::move(entry));
  keepBudget();
  return true;
}

void UndoHistory::keepBudget() {
  // The farthest from the present goes first.
  for (Entries* entries : {&undo_, &redo_}) {
    while (bytes_ > budget_ && !entries->empty()) {
      bytes_ -= entries->front().bytes;
      entries->pop_front();
      ++forgotten_;
    }
  }
}

}  // namespace tfm::ui
