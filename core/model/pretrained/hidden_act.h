// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/backend/op_arguments.h"
#include "core/io/fields.h"

namespace tfm {

/// The activation that "hidden_act" names in a config.json of the transformers library, or `usual`.
/// Throws Error for one that there is not here.
Activation activationFrom(io::ObjectReader& reader, const std::string& usual);

}  // namespace tfm
