// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/ask/observer.h"
#include "core/live/moment_ring.h"
#include "ui/document/latest_job.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// One of two moments pinned for comparison.
enum class Pin { A, B };

/// Which of two pinned moments is shown. Now: neither, but the present or the chosen moment.
/// Difference: the later minus the earlier one.
enum class Comparison { Now, A, B, Difference };

/// The kept moments of the training, and what is shown: the present, a moment, one of two pins or
/// their difference. Moments are observed on another thread, the newest request first.
class Moments : public QObject {
  Q_OBJECT

 public:
  Moments(OpenRun& run, Training& training) : run_(run), training_(training) {}

  /// In order of time; two of the same step are before and after a change.
  const std::vector<train::Moment>& all() const { return moments_; }
  /// Of what is shown.
  const ModelConfig& model() const;
  const ParameterLayout& layout() const;

  /// Shows a kept moment: model(), layout() and the snapshots are of it from now on. Training is
  /// not affected.
  void showAt(std::size_t index);
  /// Shows the newest kept moment that is not later than `step`.
  void show(std::int64_t step);
  /// Moves by this many kept moments; after the last comes the present.
  void moveBy(int moments);
  void showNow();
  bool showsNow() const { return shown() == nullptr; }
  /// Null while the present is shown; the later pin for a difference.
  const train::Moment* shown() const;
  /// Training::step() for the present; the later pin's step for a difference.
  std::int64_t shownStep() const;
  /// Whether training can continue from what is shown: not from a difference, nor from a pin that
  /// is no longer part of this training's history.
  bool canContinue() const;

  /// Pins what is shown for comparison; pinsChanged() follows, with a delay for the present.
  void pin(Pin slot);
  /// Pins the kept moment nearest to `step`.
  void pin(Pin slot, std::int64_t step);
  void pin(Pin slot, const train::Moment& moment);
  void unpin(Pin slot);
  const std::optional<train::Moment>& pinned(Pin slot) const { return pins_[std::size_t(slot)]; }
  std::optional<std::int64_t> pinnedStep(Pin slot) const;
  /// The later of the two pins, B if they are equal; the other is subtracted from it. Both must be
  /// set.
  Pin laterPin() const;
  /// The newest snapshots of the pins, null until compare() or Wants::beside_pin needed them.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const {
    return pin_looks_[std::size_t(slot)];
  }
  /// Difference: the snapshots hold the later pin minus the earlier one and name the parameters
  /// without a counterpart; see train::difference(). Both read the right answer to the question if
  /// the task knows it, else the later one's answer. Does nothing if a pin is missing.
  void compare(Comparison comparison);
  Comparison comparison() const { return comparison_; }

  /// For the document: starts with the present of another run; training continues with another
  /// model (`replace` passes it to the other rooms); the kept moments changed.
  void open();
  void continueWith(const train::Replacement& replacement, const std::function<void()>& replace);
  void take(std::vector<train::Moment> moments);
  /// What to observe in a shown moment from now on; `beside_pin`: also in pin A, beside it or the
  /// present.
  void setWatch(const train::Watch& watch, bool beside_pin);
  /// `input` is what the shown moment read; pin A, shown beside it, reads the same answer where the
  /// right one is not known.
  void readBeside(const train::ProbeInput& input);

 signals:
  /// model() and layout() changed within the same document.
  void shapeChanged();
  /// all() changed.
  void momentsChanged();
  /// What is shown changed: the present, a moment, a pin or a difference.
  void momentChanged();
  void pinsChanged();
  /// pinnedSnapshot(Pin::A) was updated, for Wants::beside_pin.
  void pinLooked();
  /// A snapshot of what is shown, if that is not the present.
  void looked(std::shared_ptr<const tfm::train::Snapshot> snapshot);

 private:
  using SnapshotPtr = std::shared_ptr<const train::Snapshot>;
  /// What to observe. Difference: both pins and nothing else.
  struct Wish {
    Comparison comparison = Comparison::Now;
    Pin later = Pin::A;                                ///< of a difference
    std::optional<train::Moment> shown;                ///< none: the present
    std::array<std::optional<train::Moment>, 2> pins;  ///< none: not wanted
    train::Watch watch;
    std::optional<train::ProbeInput> beside;  ///< what pin A reads; none: its own answer
  };
  struct Look {
    SnapshotPtr shown;
    std::array<SnapshotPtr, 2> pins;
    std::optional<train::Watch> beside;  ///< the watch of pin A's snapshot beside what is shown
  };

  /// Calls `move` and emits what changed.
  void travel(const std::function<void()>& move);
  /// Training continued from an earlier step, after this many common events: later moments belong
  /// to another branch, from which training cannot continue. If one of them was shown, shows the
  /// present.
  void leaveBranch(std::int64_t step, std::int64_t events);
  /// Shows the present or a pin, without signals. Ignored if a pin it needs is not set.
  void setComparison(Comparison comparison);
  /// Requests snapshots of what is shown and of the pins.
  void wish();
  static Look look(train::Observer& observer, const Wish& wish);
  void takeLook(const Look& look);

  OpenRun& run_;
  Training& training_;
  std::vector<train::Moment> moments_;
  std::optional<train::Moment> moment_;  ///< chosen; none: the present
  std::array<std::optional<train::Moment>, 2> pins_;
  std::array<SnapshotPtr, 2> pin_looks_;
  std::optional<train::Watch> beside_;  ///< the watch of pin A's snapshot beside what is shown
  std::vector<std::shared_ptr<const ModelState>> left_;  ///< states of another branch
  Comparison comparison_ = Comparison::Now;
  train::Watch watch_;
  bool beside_pin_ = false;
  std::optional<train::ProbeInput> beside_input_;  ///< see readBeside()
  std::shared_ptr<train::Observer> observer_;      ///< used by one job at a time
  LatestJob job_{this};
};

}  // namespace tfm::ui
