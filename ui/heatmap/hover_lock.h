// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace tfm::ui {

/// The rule of all maps: hovering previews, a click locks, a second click on the same thing or Esc
/// frees. While something is locked, hovering changes nothing that is shown.
template <class Id>
class HoverLock {
 public:
  const std::optional<Id>& hovered() const { return hovered_; }
  const std::optional<Id>& locked() const { return locked_; }
  /// What is looked at: the lock if there is one, else what is hovered.
  const std::optional<Id>& shown() const { return locked_ ? locked_ : hovered_; }

  /// The pointer is over `id` or over nothing; true if another thing is shown now.
  bool hover(const std::optional<Id>& id) {
    if (hovered_ == id) return false;
    hovered_ = id;
    return !locked_;
  }
  /// True if `id` is locked now, false if the click freed it.
  bool click(const Id& id) {
    if (locked_ == id) {
      locked_.reset();
      return false;
    }
    locked_ = id;
    return true;
  }
  /// True if there was a lock.
  bool free() {
    const bool had = locked_.has_value();
    locked_.reset();
    return had;
  }

 private:
  std::optional<Id> hovered_;
  std::optional<Id> locked_;
};

}  // namespace tfm::ui
