// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <cstddef>
#include <string>
#include <vector>

#include "core/program/tensor_change.h"
#include "ui/views/flow/flow_layout.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// A part of a model that could be different, named as interventions name it.
struct FlowPart {
  QString name;        ///< "this number", "head 3", "layer 1"
  std::string target;  ///< see observe::Intervention
  bool operator==(const FlowPart&) const = default;
};

/// What a number belongs to, the smallest part first: the number itself, its token, neuron, head,
/// block and layer. A score is its attention cell, as it cannot be changed itself. A model may
/// refuse some of them, see Interventions::require().
std::vector<FlowPart> partsAt(const FlowRun& run, const observe::NumberPlace& place);
/// A block and its layer, or a layer.
std::vector<FlowPart> partsAt(const FlowRun& run, std::size_t node);

/// The step that makes a tensor, else the first that reads it; kNoNode for none.
std::size_t stepAt(const FlowRun& run, TensorId tensor);

/// The cells of a tile that a change in force changes, in pixels of the diagram; empty for none.
QRectF changedCells(const FlowRun& run, const FlowTile& tile, const TensorChange& change);
/// Whether a change switches off: what it changes is 0.
bool switchesOff(const TensorChange& change);

}  // namespace tfm::ui
