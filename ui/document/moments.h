// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/document/window_state.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// One of two moments pinned for comparison.
enum class Pin { A, B };
inline constexpr std::array kPins{Pin::A, Pin::B};

/// Which of two pinned moments is shown. Now: neither, but the present or the chosen moment.
/// Difference: the later minus the earlier one.
enum class Comparison { Now, A, B, Difference };

/// The kept moments of the training, and what is shown: the present, a moment, one of two pins or
/// their difference.
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
  /// The earlier pin for a difference, which is subtracted from shown(); otherwise null.
  const train::Moment* subtracted() const;
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
  /// Difference: the snapshots hold the later pin minus the earlier one and name the parameters
  /// without a counterpart; see train::difference(). Both read the right answer to the question if
  /// the task knows it, else the later one's answer. Does nothing if a pin is missing.
  void compare(Comparison comparison);
  Comparison comparison() const { return comparison_; }

  /// Adds them, and which of them is shown, to what a document keeps.
  void keepIn(train::WindowState& window) const;

  /// For the document: starts with another run and what its window showed; training continues with
  /// another model (`replace` passes it to the other rooms); the kept moments changed.
  void open(const train::WindowState& window);
  void continueWith(const train::Replacement& replacement, const std::function<void()>& replace);
  void take(std::vector<train::Moment> moments);

 signals:
  /// model() and layout() changed within the same document.
  void shapeChanged();
  /// all() changed.
  void momentsChanged();
  /// What is shown changed: the present, a moment, a pin or a difference.
  void momentChanged();
  void pinsChanged();

 private:
  /// Calls `move` and emits what changed.
  void travel(const std::function<void()>& move);
  /// Training continued from an earlier step, after this many common events: later moments belong
  /// to another branch, from which training cannot continue. If one of them was shown, shows the
  /// present.
  void leaveBranch(std::int64_t step, std::int64_t events);
  bool isLeft(const train::Moment& moment) const;
  /// Shows the present or a pin, without signals. Ignored if a pin it needs is not set.
  void setComparison(Comparison comparison);

  OpenRun& run_;
  Training& training_;
  std::vector<train::Moment> moments_;
  std::optional<train::Moment> moment_;  ///< chosen; none: the present
  std::array<std::optional<train::Moment>, 2> pins_;
  std::vector<std::shared_ptr<const ModelState>> left_;  ///< states of another branch
  Comparison comparison_ = Comparison::Now;
};

}  // namespace tfm::ui
