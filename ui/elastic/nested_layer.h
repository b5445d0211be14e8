// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <vector>

#include "core/model/model_state.h"

namespace tfm::ui {

/// The two matrices of one feed-forward, both transposed so that a column is one unit: what the
/// unit reads from the hidden state, and what it writes back. The first columns of both form a
/// smaller feed-forward.
struct NestedLayer {
  QString name;               ///< "encoder layer 1"
  int units = 0;              ///< columns of both
  int hidden = 0;             ///< rows of both
  std::vector<float> reads;   ///< hidden x units: linear1, transposed
  std::vector<float> writes;  ///< hidden x units: linear2
};

/// The names of the layers with a feed-forward, encoder first.
QStringList layerNames(const ModelConfig& config);

/// Layer `layer` of the model, counted as in Submodel::widths.
NestedLayer nestedLayer(const ModelState& state, std::size_t layer);

}  // namespace tfm::ui
