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

/// One of two moments that are kept for comparison.
enum class Pin { A, B };

/// What of two pinned moments is shown. Now: neither, but the present or the chosen moment.
/// Difference: the later one minus the earlier one.
enum class Comparison { Now, A, B, Difference };

/// Looks inside kept moments of a training, on another thread, the newest wish first.
class TimeMachine : public QObject {
  Q_OBJECT

 public:
  /// Forgets all moments and pins; shows the present.
  void open(std::shared_ptr<const data::TextCodec> codec);
  /// Those that were left are of this course again where they are among them.
  void setMoments(std::vector<train::Moment> moments);
  const std::vector<train::Moment>& moments() const { return moments_; }
  /// Training went on from this step and after this many common events: what was later is of
  /// another course and cannot be gone on from. Where what was shown is among it, the present is
  /// shown.
  void leaveCourse(std::int64_t step, std::int64_t events);

  /// What is looked for from now on in a moment that is shown; `beside_pin`: and in pin A beside
  /// it or beside the present.
  void setWatch(const train::Watch& watch, bool beside_pin);

  void show(const train::Moment& moment);
  void showNow();
  void pin(Pin slot, const train::Moment& moment);
  void unpin(Pin slot);
  /// Ignored where a pin that it needs is not set.
  void compare(Comparison comparison);

  bool showsNow() const { return !shown(); }
  /// Null while the present is shown. Difference: the later pin.
  const train::Moment* shown() const;
  Comparison comparison() const { return comparison_; }
  const std::optional<train::Moment>& pinned(Pin slot) const;
  /// The pin whose moment comes later in the training, B where they are the same; both are set.
  Pin later() const;
  /// Whether training can go on from what is shown.
  bool canContinue() const;
  /// The newest looks at the pins, each null until it was wanted.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const;

 signals:
  /// A look at what is shown.
  void looked(std::shared_ptr<const tfm::train::Snapshot> snapshot);
  /// A look at pin A, beside what is shown.
  void pinLooked();

 private:
  using SnapshotPtr = std::shared_ptr<const train::Snapshot>;
  /// What to look at. Difference: both pins and nothing else.
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
    std::optional<train::Watch> beside;  ///< what pin A was looked at with, beside what is shown
  };
  static Look look(train::Observer& observer, const Wish& wish);
  void wish();
  void take(const Look& look);
  std::optional<train::Moment>& slot(Pin pin) { return pins_[std::size_t(pin)]; }

  std::vector<train::Moment> moments_;
  std::optional<train::Moment> moment_;  ///< chosen; none: the present
  std::array<std::optional<train::Moment>, 2> pins_;
  std::array<SnapshotPtr, 2> pin_looks_;
  std::optional<train::Watch> beside_;  ///< pin A's look is one beside what is shown, with this
  std::vector<std::shared_ptr<const ModelState>> left_;  ///< states of another course
  Comparison comparison_ = Comparison::Now;
  train::Watch watch_;
  bool beside_pin_ = false;
  std::shared_ptr<train::Observer> observer_;  ///< used by one look at a time
  LatestJob<Look> job_{this};
};

}  // namespace tfm::ui
