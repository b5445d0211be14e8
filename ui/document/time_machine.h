// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/moment_ring.h"
#include "core/train/observer.h"
#include "ui/document/latest_job.h"

namespace tfm::ui {

/// One of two moments pinned for comparison.
enum class Pin { A, B };

/// Which of two pinned moments is shown. Now: neither, but the present or the chosen moment.
/// Difference: the later minus the earlier one.
enum class Comparison { Now, A, B, Difference };

/// Observes kept moments of a training on another thread, the newest request first.
class TimeMachine : public QObject {
  Q_OBJECT

 public:
  /// Removes all moments and pins; shows the present.
  void open(std::shared_ptr<const data::TextCodec> codec);
  /// Moments left by leaveBranch() belong to this training again if they are among these.
  void setMoments(std::vector<train::Moment> moments);
  const std::vector<train::Moment>& moments() const { return moments_; }
  /// Training continued from an earlier step, after this many common events: later moments belong
  /// to another branch, from which training cannot continue. If one of them was shown, shows the
  /// present.
  void leaveBranch(std::int64_t step, std::int64_t events);

  /// What to observe in a shown moment from now on; `beside_pin`: also in pin A, beside it or the
  /// present.
  void setWatch(const train::Watch& watch, bool beside_pin);

  void show(const train::Moment& moment);
  void showNow();
  void pin(Pin slot, const train::Moment& moment);
  void unpin(Pin slot);
  /// Ignored if a pin it needs is not set.
  void compare(Comparison comparison);

  bool showsNow() const { return !shown(); }
  /// Null while the present is shown. Difference: the later pin.
  const train::Moment* shown() const;
  Comparison comparison() const { return comparison_; }
  const std::optional<train::Moment>& pinned(Pin slot) const;
  /// The pin that is later in the training, B if they are equal. Both must be set.
  Pin later() const;
  /// Whether training can continue from what is shown.
  bool canContinue() const;
  /// The newest snapshots of the pins, null until wanted.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const;

 signals:
  /// A snapshot of what is shown.
  void looked(std::shared_ptr<const tfm::train::Snapshot> snapshot);
  /// A snapshot of pin A, beside what is shown.
  void pinLooked();

 private:
  using SnapshotPtr = std::shared_ptr<const train::Snapshot>;
  /// What to observe. Difference: both pins and nothing else.
  struct Wish {
    Comparison comparison = Comparison::Now;
    Pin later = Pin::A;                                ///< of a difference
    std::optional<train::Moment> shown;                ///< none: the present
    std::array<std::optional<train::Moment>, 2> pins;  ///< none: not wanted
    train::Watch watch;
  };
  struct Look {
    SnapshotPtr shown;
    std::array<SnapshotPtr, 2> pins;
    std::optional<train::Watch> beside;  ///< the watch of pin A's snapshot beside what is shown
  };
  static Look look(train::Observer& observer, const Wish& wish);
  void wish();
  void take(const Look& look);
  std::optional<train::Moment>& slot(Pin pin) { return pins_[std::size_t(pin)]; }

  std::vector<train::Moment> moments_;
  std::optional<train::Moment> moment_;  ///< chosen; none: the present
  std::array<std::optional<train::Moment>, 2> pins_;
  std::array<SnapshotPtr, 2> pin_looks_;
  std::optional<train::Watch> beside_;  ///< the watch of pin A's snapshot beside what is shown
  std::vector<std::shared_ptr<const ModelState>> left_;  ///< states of another branch
  Comparison comparison_ = Comparison::Now;
  train::Watch watch_;
  bool beside_pin_ = false;
  std::shared_ptr<train::Observer> observer_;  ///< used by one job at a time
  LatestJob<Look> job_{this};
};

}  // namespace tfm::ui
