// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/observe/position_links.h"
#include "core/program/program.h"

namespace tfm::observe {

/// For each position of a sequence of states, the positions of its stack's input that it holds, in
/// order: one, or several where pooling has joined them. What truncation dropped is held by none.
using Held = PositionLinks;

/// Held of each tensor of a program, by TensorId; null for tensors whose rows are not positions.
/// Follows the states through all steps, so it knows every way in which a model changes lengths. An
/// up-sampled position stands for the one at its place in the input again.
std::vector<std::shared_ptr<const Held>> heldPositions(const Program& program);

/// The label of each position: its token, or "(the, film)" where it holds several. Empty unless
/// there is a label for all that is held.
std::vector<std::string> heldLabels(const std::vector<std::string>& labels, const Held& held);

}  // namespace tfm::observe
