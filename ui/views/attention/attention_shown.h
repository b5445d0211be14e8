// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/io/fields.h"
#include "ui/heatmap/lines_layout.h"
#include "ui/heatmap/map_stack.h"
#include "ui/views/attention/attention_maps.h"

namespace tfm::ui {

/// What is locked in the large map.
struct AttentionLock {
  std::optional<Cell> cell;
  std::optional<Token> token;  ///< among the lines
  bool operator==(const AttentionLock&) const = default;

  explicit operator bool() const { return cell || token; }
};

/// What the Attention screen shows, as a value.
struct AttentionShown {
  enum class Form { Cells, Lines, Batch };

  MapId map;                ///< the large one
  bool map_locked = false;  ///< hovering the small ones does not change it
  AttentionStage stage = AttentionStage::Softmax;
  Form form = Form::Cells;
  /// Asked for; shown where the map has them.
  bool rollout = false, difference = false;
  AttentionLock locked;
  bool operator==(const AttentionShown&) const = default;
};

/// Its fields, for documents.
std::vector<io::Field> fieldsOf(AttentionShown& shown);

}  // namespace tfm::ui
