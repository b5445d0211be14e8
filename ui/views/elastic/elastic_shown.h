// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/io/fields.h"
#include "core/model/submodel.h"
#include "ui/elastic/elastic_mark.h"
#include "ui/figure/items.h"

namespace tfm::ui {

/// What the Elastic screen shows, as a value.
struct ElasticShown {
  enum class Look { Matrices, Space };

  Look look = Look::Matrices;
  int layer = 0;
  Submodel submodel;           ///< the chosen one
  std::optional<Cell> locked;  ///< of the layer's matrices
  CostAxis axis = CostAxis::Parameters;
  bool table = false;      ///< in place of the plot
  bool from_zero = false;  ///< the accuracy axis
  bool operator==(const ElasticShown&) const = default;
};

/// Its fields, for documents.
std::vector<io::Field> fieldsOf(ElasticShown& shown);

}  // namespace tfm::ui
