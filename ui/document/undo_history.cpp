// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/undo_history.h"

#include <algorithm>
#include <utility>

#include "core/document/history.h"

namespace tfm::ui {
namespace {

std::int64_t bytesOf(const UndoPlace& place) {
  if (!place.present) return 0;  // edits are small
  const train::Present& present = *place.present;
  std::int64_t bytes = tfm::byteCount(*present.state) + train::byteCount(present.history);
  for (const train::Moment& moment : present.moments)
    if (moment.state != present.state) bytes += tfm::byteCount(*moment.state);
  if (place.run && place.run->task) {
    const data::TaskConfig& task = place.run->task->config();
    bytes += std::int64_t(task.text.size() + task.test_text.size() + task.vocabulary.size());
  }
  return bytes;
}

}  // namespace

void UndoHistory::push(const QString& label, UndoPlace before) {
  for (const Entry& entry : redo_) bytes_ -= entry.bytes;
  redo_.clear();
  add(undo_, label, std::move(before));
}

bool UndoHistory::continues(const QString& label, const void* owner) const {
  if (undo_.empty() || !redo_.empty()) return false;
  const Entry& newest = undo_.back();
  return newest.label == label && newest.place.edit && newest.place.edit->owner == owner;
}

void UndoHistory::add(Entries& entries, const QString& label, UndoPlace place) {
  std::int64_t bytes = bytesOf(place);
  if (bytes > budget_ && place.present && !place.present->moments.empty()) {
    // The model matters more than its past moments.
    auto lighter = std::make_shared<train::Present>(*place.present);
    lighter->moments.clear();
    place.present = std::move(lighter);
    bytes = bytesOf(place);
  }
  entries.push_back({label, std::move(place), bytes});
  bytes_ += bytes;
  keepBudget();
}

void UndoHistory::clear() {
  undo_.clear();
  redo_.clear();
  bytes_ = 0;
  forgotten_ = 0;
}

void UndoHistory::forget(const void* owner) {
  for (Entries* entries : {&undo_, &redo_})
    std::erase_if(*entries, [owner](const Entry& entry) {
      return entry.place.edit && entry.place.edit->owner == owner;
    });
}

QStringList UndoHistory::labels(const Entries& entries) {
  QStringList labels;
  for (const Entry& entry : entries) labels << entry.label;
  return labels;
}

void UndoHistory::setBudget(std::int64_t bytes) {
  budget_ = bytes;
  keepBudget();
}

void UndoHistory::undone(const UndoPlace& target, UndoPlace before) {
  move(undo_, redo_, target, std::move(before));
}

void UndoHistory::redone(const QString& label, const UndoPlace& target, UndoPlace before) {
  if (!move(redo_, undo_, target, before)) push(label, std::move(before));
}

bool UndoHistory::move(Entries& from, Entries& to, const UndoPlace& target, UndoPlace before) {
  const auto leads = [&](const Entry& entry) {
    return entry.place.present == target.present && entry.place.edit == target.edit;
  };
  if (std::ranges::none_of(from, leads)) return false;
  while (!leads(from.back())) {
    bytes_ -= from.back().bytes;
    from.pop_back();
  }
  const QString label = from.back().label;
  bytes_ -= from.back().bytes;
  from.pop_back();
  add(to, label, std::move(before));
  return true;
}

void UndoHistory::keepBudget() {
  // The farthest from the present is dropped first.
  for (Entries* entries : {&undo_, &redo_}) {
    while (bytes_ > budget_ && !entries->empty()) {
      bytes_ -= entries->front().bytes;
      entries->pop_front();
      ++forgotten_;
    }
  }
}

}  // namespace tfm::ui
