// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_shown.h"

#include <limits>

#include "ui/views/kept_fields.h"

namespace tfm::ui {

std::vector<io::Field> fieldsOf(ElasticShown& s) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return {
      {"look", "Drawn as", io::choice(s.look, {"matrices", "space"})},
      {"layer", "The shown one, counted from 0", keptNumbers({&s.layer})},
      {"widths", "Of the chosen submodel, layer by layer",
       io::IntegersSlot{&s.submodel.widths, 0, kMost}},
      {"heads", "The same", io::IntegersSlot{&s.submodel.heads, 0, kMost}},
      {"locked_cell", "Row and column, counted from 0", keptCell(s.locked)},
      {"axis", "What the plot compares the accuracy with",
       io::choice(s.axis, {"parameters", "operations", "milliseconds"})},
      {"table", "In place of the plot", io::SwitchSlot{&s.table}},
      {"from_zero", "The axis of accuracies begins at 0", io::SwitchSlot{&s.from_zero}},
  };
}

}  // namespace tfm::ui
