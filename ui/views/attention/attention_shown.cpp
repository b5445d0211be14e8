// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/attention_shown.h"

#include "ui/views/kept_fields.h"

namespace tfm::ui {

std::vector<io::Field> fieldsOf(AttentionShown& s) {
  return {
      {"map", "Kind of attention, layer and head, counted from 0; -1: the mean",
       keptNumbers({&s.map.group, &s.map.layer, &s.map.head})},
      {"map_locked", "Pointing at others does not change it", io::SwitchSlot{&s.map_locked}},
      {"stage", "What the cells are",
       io::choice(s.stage, {"scores", "scaled", "masked", "softmax"})},
      {"form", "How they are drawn", io::choice(s.form, {"cells", "lines", "batch"})},
      {"rollout", "All layers multiplied", io::SwitchSlot{&s.rollout}},
      {"difference", "Minus pin A", io::SwitchSlot{&s.difference}},
      {"locked_cell", "Row and column, counted from 0", keptCell(s.locked.cell)},
  };
}

}  // namespace tfm::ui
