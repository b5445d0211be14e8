// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "ui/document/time_machine.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// The kept moments of the training, and what is shown: the present, a moment, one of two pins or
/// their difference.
class Moments : public QObject {
  Q_OBJECT

 public:
  Moments(OpenRun& run, Training& training);

  /// In order of time; two of the same step are before and after a change.
  const std::vector<train::Moment>& all() const { return time_.moments(); }
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
  bool showsNow() const { return time_.showsNow(); }
  /// Null while the present is shown.
  const train::Moment* shown() const { return time_.shown(); }
  /// Training::step() for the present; the later pin's step for a difference.
  std::int64_t shownStep() const;
  /// Whether training can continue from what is shown: not from a difference, nor from a pin that
  /// is no longer part of this training's history.
  bool canContinue() const { return time_.canContinue(); }

  /// Pins what is shown for comparison; pinsChanged() follows, with a delay for the present.
  void pin(Pin slot);
  /// Pins the kept moment nearest to `step`.
  void pin(Pin slot, std::int64_t step);
  void pin(Pin slot, const train::Moment& moment);
  void unpin(Pin slot);
  const std::optional<train::Moment>& pinned(Pin slot) const { return time_.pinned(slot); }
  std::optional<std::int64_t> pinnedStep(Pin slot) const;
  /// The later of the two pins; the other is subtracted from it.
  Pin laterPin() const { return time_.later(); }
  /// The newest snapshots of the pins, null until compare() or Wants::beside_pin needed them.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const {
    return time_.pinnedSnapshot(slot);
  }
  /// Difference: the snapshots hold the later pin minus the earlier one and name the parameters
  /// without a counterpart; see train::difference(). Both read the right answer to the question if
  /// the task knows it, else the later one's answer. Does nothing if a pin is missing.
  void compare(Comparison comparison);
  Comparison comparison() const { return time_.comparison(); }
  /// Memory for moments.
  void setBudget(std::int64_t bytes);

  /// For the document: starts with the present of another run; training continues with another
  /// model (`replace` passes it to the other rooms); the kept moments changed.
  void open();
  void continueWith(const train::Replacement& replacement, const std::function<void()>& replace);
  void take(std::vector<train::Moment> moments);
  /// What to observe in a shown moment; see TimeMachine::setWatch().
  void setWatch(const train::Watch& watch, bool beside_pin) { time_.setWatch(watch, beside_pin); }

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
  /// Calls `move` and emits what changed.
  void travel(const std::function<void()>& move);

  OpenRun& run_;
  Training& training_;
  TimeMachine time_;
  std::optional<std::int64_t> budget_;
};

}  // namespace tfm::ui
