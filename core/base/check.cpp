// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"

#include <stdexcept>
#include <string>

namespace tfm {

void failCheck(const char* contract, const std::source_location& place) {
  throw std::logic_error(std::string("contract broken: ") + contract + " (" + place.file_name() +
                         ":" + std::to_string(place.line()) + ")");
}

}  // namespace tfm
