// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/vocabulary.h"

namespace tfm::data {

/// A question and its answer, unpadded. Text: a window and the same window shifted by one
/// character. Masked: the answer has the hidden tokens, and pads at all other positions. Classes:
/// the answer is the id of the class. Numbers: there are no ids, see TextCodec::rightNumbers().
struct Example {
  Ids source;
  Ids target;
  bool operator==(const Example&) const = default;
};

}  // namespace tfm::data
