// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/expand/growth.h"

namespace tfm::test {

/// An expansion with nothing chosen but its kind and size.
inline expand::Growth growthTo(expand::Kind kind, std::int64_t size) {
  expand::Growth growth;
  growth.kind = kind;
  growth.size = size;
  return growth;
}

inline expand::Growth hiddenTo(std::int64_t size,
                               expand::HiddenMethod method = expand::HiddenMethod::Automatic) {
  expand::Growth growth = growthTo(expand::Kind::Hidden, size);
  growth.hidden_method = method;
  return growth;
}

}  // namespace tfm::test
