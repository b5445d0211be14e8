// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "ui/document/time_machine.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// The kept moments of the training, and which of them is shown: the present, a moment, one of two
/// pins or their difference.
class Moments : public QObject {
  Q_OBJECT

 public:
  Moments(OpenRun& run, Training& training);

  /// In the order of time; two at one step lie before and after a change.
  const std::vector<train::Moment>& all() const { return time_.moments(); }
  /// Of what is shown.
  const ModelConfig& model() const;
  const ParameterLayout& layout() const;

  /// Shows a kept moment: model(), layout() and the snapshots are of it from now on. Training goes
  /// on meanwhile, or stays paused: looking back changes nothing.
  void showAt(std::size_t index);
  /// The newest kept moment that is not later than `step`.
  void show(std::int64_t step);
  /// The kept moment so many before or after what is shown; after the last comes the present.
  void moveBy(int moments);
  void showNow();
  bool showsNow() const { return time_.showsNow(); }
  /// Null while the present is shown.
  const train::Moment* shown() const { return time_.shown(); }
  /// Of the present: Training::step(); of a difference: that of the later pin.
  std::int64_t shownStep() const;
  /// Whether training can go on from what is shown: not from a difference, nor from a pin of a
  /// training that was gone back behind.
  bool canContinue() const { return time_.canContinue(); }

  /// Keeps what is shown for comparison; pinsChanged() follows, soon where that is the present.
  void pin(Pin slot);
  /// Keeps the kept moment nearest to `step`.
  void pin(Pin slot, std::int64_t step);
  void pin(Pin slot, const train::Moment& moment);
  void unpin(Pin slot);
  const std::optional<train::Moment>& pinned(Pin slot) const { return time_.pinned(slot); }
  std::optional<std::int64_t> pinnedStep(Pin slot) const;
  /// Which of two pins is the later one, from which the other is subtracted.
  Pin laterPin() const { return time_.later(); }
  /// The newest looks at the pins, each null until compare() or Wants::beside_pin needed it.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const {
    return time_.pinnedSnapshot(slot);
  }
  /// Difference: the snapshots hold the numbers of the later pin minus those of the earlier one and
  /// say what has no partner; see train::difference(). Both read the right answer to the question,
  /// where the task knows it, else that of the later one. Nothing happens where a pin is missing.
  void compare(Comparison comparison);
  Comparison comparison() const { return time_.comparison(); }
  /// Memory for moments.
  void setBudget(std::int64_t bytes);

  /// For the document: begins with the present of another run, hears that training goes on with
  /// another model (`replace` gives it to the other rooms), or which moments are kept now.
  void open();
  void goOnWith(const train::Replacement& replacement, const std::function<void()>& replace);
  void take(std::vector<train::Moment> moments);
  /// What is looked for in a moment that is shown; see TimeMachine::setWatch().
  void setWatch(const train::Watch& watch, bool beside_pin) { time_.setWatch(watch, beside_pin); }

 signals:
  /// model() and layout() are others, of the same document.
  void shapeChanged();
  /// all() are others.
  void momentsChanged();
  /// Something else is shown: the present, a moment, a pin or a difference.
  void momentChanged();
  void pinsChanged();
  /// pinnedSnapshot(Pin::A) is a new look, for Wants::beside_pin.
  void pinLooked();
  /// A look at what is shown, where that is not the present.
  void looked(std::shared_ptr<const tfm::train::Snapshot> snapshot);

 private:
  /// Does `move` and tells what is shown after it.
  void travel(const std::function<void()>& move);

  OpenRun& run_;
  Training& training_;
  TimeMachine time_;
  std::optional<std::int64_t> budget_;
};

}  // namespace tfm::ui
