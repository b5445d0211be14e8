// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "core/expand/change.h"

namespace tfm::ui {

/// All that the Grow screen tells of a kind of expansion; see expand::KindRow for the engine. Texts
/// without a function are translated where they are shown, see GrowthWords.
struct GrowthKind {
  const char* name;
  const char* what;                  ///< is enlarged, in a few words
  std::vector<QRectF> there, added;  ///< the pictogram's blocks, in a square of 40
  /// Why no output changes, and what receives a gradient first.
  QString (*reason)(const expand::Change& change);
  QString (*learns)(const expand::Change& change);
  /// See GrowthWords::formula().
  QString (*formula)(const expand::Change& change);
  /// What the method adds to the section of Gesmundo and Maile, or its own paper; empty: nothing.
  QString (*paper)(const expand::Change& change);
  /// Fills in a small growth that is exact for the model.
  void (*suggest)(expand::Growth& growth, const ModelConfig& model);
};

const GrowthKind& growthKind(expand::Kind kind);

/// A small growth of this kind that is exact for the model, as the default of a card.
expand::Growth suggestedGrowth(expand::Kind kind, const ModelConfig& model);

}  // namespace tfm::ui
