// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "ui/document/background_study.h"

namespace tfm::ui {

/// A study whose result is a map that fills while it runs, such as train::importance(). Destroying
/// it gives the study up and waits for its next measurement.
template <class Map>
class MapStudy : public BackgroundStudy {
 public:
  using Progress = std::function<bool(const Map& so_far, double share)>;
  using Work = std::function<std::optional<Map>(const Progress& progress)>;

  explicit MapStudy(QObject* parent = nullptr) : BackgroundStudy(parent) {}
  ~MapStudy() override { giveUp(); }

  /// Discards the previous map and starts this work. Does nothing while one is running.
  void start(Work work) {
    if (isRunning()) return;
    result_.reset();
    begin([this, work = std::move(work)](const Tell& tell) -> Take {
      const std::optional<Map> whole =
          work([&](const Map& so_far, double share) { return tell(share, takes(so_far)); });
      if (!whole) return [] {};  // cancelled: what was measured stays
      return takes(*whole);
    });
  }

  /// The map so far; null before the first measurement.
  const std::shared_ptr<const Map>& result() const { return result_; }

 private:
  Take takes(Map map) {
    return [this, kept = std::make_shared<const Map>(std::move(map))] { result_ = kept; };
  }

  std::shared_ptr<const Map> result_;
};

}  // namespace tfm::ui
