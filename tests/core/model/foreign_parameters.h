// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm::test {

/// The parameters of a family's model from tensors in memory.
template <class Real>
AlignedVector<Real> parametersOf(std::string_view family, const ModelConfig& config,
                                 const io::NamedTensors& tensors, const std::string& where,
                                 std::string_view json = "{}") {
  return foreignParameters<Real>(familyNamed(family), config, json, io::storedTensors(tensors),
                                 where);
}

}  // namespace tfm::test
