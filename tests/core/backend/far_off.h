// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/backend/check_backend.h"

namespace tfm::test {

/// "" or the first op that is further from the reference's than the tolerance.
template <class Real>
std::string farOff(const CheckBackend<Real>& check, double tolerance) {
  for (const OpDifference& d : check.worst())
    if (d.forward > tolerance || d.backward > tolerance)
      return std::string(d.op) + " is off by " + std::to_string(d.forward) + ", backward by " +
             std::to_string(d.backward);
  return {};
}

}  // namespace tfm::test
