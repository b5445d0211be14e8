// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>

#include "core/report/numbers.h"
#include "ui/document/forward.h"
#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/lines_layout.h"
#include "ui/views/attention/attention_maps.h"
#include "ui/views/question_field.h"

namespace tfm::ui {

/// The maps that Attention shows: of one moment or one text, or of two that are compared.
struct AttentionContent {
  AttentionMaps maps;                   ///< of a difference, those of the later moment or text
  std::optional<AttentionMaps> minus;   ///< of a difference, those of the earlier
  std::optional<AttentionMaps> second;  ///< of the second text, shown beside the first
  std::optional<AttentionMaps> pinned;  ///< what pin A did with the same input
  QString title, why_empty;             ///< said where two moments share no map

  /// This map, or the first if there is no such map; requires maps.
  MapId mapOr(const MapId& map) const;
  /// The earlier of two moments that a map compares; null if it is no difference. `less_pin`: pin A
  /// is subtracted where it has the map.
  const AttentionMaps* subtrahend(const MapId& map, bool less_pin) const;
  /// The later of the two, or the only one.
  const AttentionMaps& minuend(const MapId& map, bool less_pin) const;

  /// The part of the model behind a map, as the target of an intervention; "" for a mean over
  /// layers.
  std::string partOf(const MapId& map) const;
  /// The same for a cell of a map; "" if that is a mean over heads.
  std::string partOf(const MapId& map, const Cell& cell) const;
  /// The cell of a map that another screen's token is: the strongest that it looks at, or that
  /// looks at it. None where the map has nothing to do with it.
  std::optional<Cell> cellOf(const MapId& map, const ReadToken& token,
                             const AttentionChoice& choice) const;
};

/// Where the numbers of the large map come from, with those of all other heads and layers; nothing
/// for a map that is less another text's or pin A's.
report::Source sourceOf(const AttentionContent& content, const AttentionChoice& choice,
                        bool less_pin);

/// The strongest cell of a row or column of a map.
Cell strongestCell(const AttentionMaps& maps, const AttentionChoice& choice, const Token& token);

/// What to show of a look at the model. Nothing while its texts cannot be read: what is shown
/// stays.
std::optional<AttentionContent> contentOf(const std::shared_ptr<const train::Snapshot>& snapshot,
                                          const Observing& observing, TextsShown shown);

}  // namespace tfm::ui
