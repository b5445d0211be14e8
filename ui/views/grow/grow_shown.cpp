// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/grow_shown.h"

#include "ui/views/kept_fields.h"

namespace tfm::ui {

std::vector<io::Field> fieldsOf(GrowShown& s) {
  const io::TextSlot plan{
      [&s] { return s.plan.empty() ? std::string() : expand::toJson(s.plan); },
      [&s](const std::string& json) { s.plan = expand::planFromJson(json, "plan"); }};
  return {
      {"look", "Drawn as", io::choice(s.look, {"all", "one", "space"})},
      {"matrix", "The selected parameter", io::text(s.matrix)},
      {"plan", "The planned expansions, as for expand --plan", plan},
      {"selected", "Which of them, counted from 0; -1: none", keptNumbers({&s.growth})},
  };
}

}  // namespace tfm::ui
