// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/expand/growth.h"
#include "core/io/fields.h"

namespace tfm::ui {

/// What the Grow screen shows, as a value.
struct GrowShown {
  enum class Look { All, One, Space };

  Look look = Look::All;
  std::string matrix;  ///< the selected one, by its parameter
  expand::Plan plan;
  int growth = -1;  ///< the selected one of the plan
  bool operator==(const GrowShown&) const = default;
};

/// Its fields, for documents.
std::vector<io::Field> fieldsOf(GrowShown& shown);

}  // namespace tfm::ui
