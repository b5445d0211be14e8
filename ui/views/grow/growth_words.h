// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <span>

#include "core/expand/change.h"

namespace tfm::ui {

/// The words of the Grow screen.
struct GrowthWords {
  Q_DECLARE_TR_FUNCTIONS(GrowthWords)

 public:
  static QString name(expand::Kind kind);
  /// What becomes larger, in a few words.
  static QString what(expand::Kind kind);
  /// "5 → 9", or the present size where nothing is planned.
  static QString sizes(expand::Kind kind, const ModelConfig& before, const ModelConfig& after);
  /// Why every output stays what it was, in one sentence.
  static QString reason(const expand::Change& change);
  /// The expansion with this model's numbers in it, as rich text: new free parts and zeros stand
  /// in frames.
  static QString formula(const expand::Change& change);
  /// Where the formula is from, and what its letters' looks mean.
  static QString source(const expand::Change& change);
  /// What receives a gradient at the next step, and what waits.
  static QString learnsFirst(const expand::Change& change);
  /// What Adam's first steps on new entries do to the loss.
  static QString firstSteps();
  /// What is done wrong, as a menu says it.
  static QString broken(expand::Break broken);
  /// All steps with their sizes: "Feed-forward width 5 → 7, Heads 7 → 8".
  static QString steps(std::span<const expand::Change> changes);
  /// What was applied: "Grown: Heads 7 → 8".
  static QString grown(std::span<const expand::Change> changes);
  /// Markdown for "Explain".
  static QString page();
};

}  // namespace tfm::ui
