// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/reproduce/claim.h"

namespace tfm::reproduce {

/// The notebook's encoder, whose three layers are one object, and the same with three copies of it:
/// trained side by side in double, without dropout, to give back their input.
struct CopiesTraining {
  Numbers shared, copies;  ///< mean squared error before each step and after the last
  double difference = 0;   ///< the largest between their outputs in the end
};
CopiesTraining trainCopies(std::int64_t steps);

/// Of 2 sequences of 3 positions: for each row (sequence, position) of the encoder's output, 1 for
/// each row of the input that it depends on. Without `batch_first`, the encoder takes the first
/// axis for the positions.
std::vector<Numbers> reachOfInputs(bool batch_first);

}  // namespace tfm::reproduce
