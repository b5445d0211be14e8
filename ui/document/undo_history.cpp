// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/undo_history.h"

#include <utility>

#include "core/train/history.h"

namespace tfm::ui {
namespace {

std::int64_t bytesOf(const train::Present& present) {
  return tfm::byteCount(*present.state) + train::byteCount(present.history);
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

void UndoHistory::move(Entries& from, Entries& to, Present before) {
  Entry entry = std::move(from.back());
  from.pop_back();
  bytes_ -= entry.bytes;
  entry.bytes = bytesOf(*before);
  entry.present = std::move(before);
  bytes_ += entry.bytes;
  to.push_back(std::move(entry));
  keepBudget();
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
