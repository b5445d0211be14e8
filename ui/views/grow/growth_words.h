// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <span>

#include "core/expand/change.h"

namespace tfm::ui {

/// The texts of the Grow screen.
struct GrowthWords {
  Q_DECLARE_TR_FUNCTIONS(GrowthWords)

 public:
  static QString name(expand::Kind kind);
  /// What is enlarged, in a few words.
  static QString what(expand::Kind kind);
  /// "5 → 9", or the present size if nothing is planned.
  static QString sizes(expand::Kind kind, const ModelConfig& before, const ModelConfig& after);
  /// Why no output changes, in one sentence.
  static QString reason(const expand::Change& change);
  /// The expansion as a formula with this model's sizes, as rich text: new free parts are slanted,
  /// zeros underlined.
  static QString formula(const expand::Change& change);
  /// The formula's source, and the meaning of its typography.
  static QString source(const expand::Change& change);
  /// What receives a gradient at the next step, and what follows later.
  static QString learnsFirst(const expand::Change& change);
  /// The effect of Adam's first steps on new entries.
  static QString firstSteps();
  /// What is done wrong, as a menu text.
  static QString broken(expand::Break broken);
  /// All steps with their sizes: "Feed-forward width 5 → 7, Heads 7 → 8".
  static QString steps(std::span<const expand::Change> changes);
  /// What was applied: "Grown: Heads 7 → 8".
  static QString grown(std::span<const expand::Change> changes);
  /// A difference of outputs in two digits.
  static QString difference(double value) { return QString::number(value, 'g', 2); }
  /// Markdown for "Explain".
  static QString page();
};

}  // namespace tfm::ui
