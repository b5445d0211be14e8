// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <span>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The line under a printed figure: "sentiment · 3,000 steps · seeds 1, 2, 3 · 2,000 held-out
/// examples". Unknown parts are left out: an empty task, no steps, seeds or examples.
struct FigureCaption {
  QString task;
  std::int64_t steps = 0;
  std::vector<std::uint64_t> seeds;
  bool held_out = true;                               ///< whether the examples were not trained on
  QString note;                                       ///< anything else to know
  std::int64_t least_examples = 0, max_examples = 0;  ///< of one measurement

  /// Adds a measurement on this many examples.
  void count(std::int64_t examples);
  QString text() const;
};

/// The caption of what was measured.
FigureCaption captionOf(std::span<const ElasticMark> marks, const QString& task, std::int64_t steps,
                        bool held_out = true);

/// Writes a caption, wrapped, along the lower edge of `area`; returns what is left above it. An
/// empty caption takes nothing.
QRectF paintCaption(QPainter& painter, const QRectF& area, const FigureCaption& caption,
                    const QFont& font, const Palette& palette);

}  // namespace tfm::ui
