// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "core/backend/backend.h"

namespace tfm {

/// Repeated work on a backend. The first time, it is run call by call; from the second time on, it
/// is recorded, if the backend can, and the recording is run.
///
/// `Key` identifies all that a recording keeps: the addresses and arguments of the calls.
/// Everything else that changes between runs is in the memory of the backend.
template <class Key>
class Repeated {
 public:
  template <class Real, class Work>
  void run(const Backend<Real>& backend, const Key& key, const Work& work) {
    const auto known = std::ranges::find(times_, key, &Time::key);
    if (known == times_.end()) {
      work();  // before it is noted, as it may fail
      if (times_.size() == kMost) times_.erase(times_.begin());
      times_.push_back({key, nullptr, false});
      return;
    }
    if (!known->tried) {
      known->recording = backend.record(std::cref(work));
      known->tried = true;
    }
    known->recording != nullptr ? known->recording->run() : work();
  }

 private:
  static constexpr std::size_t kMost = 8;
  struct Time {
    Key key;
    std::unique_ptr<Recording> recording;
    bool tried;
  };
  std::vector<Time> times_;
};

}  // namespace tfm
