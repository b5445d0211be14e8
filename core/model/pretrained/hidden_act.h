// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/backend/op_arguments.h"
#include "core/io/fields.h"

namespace tfm {

/// The activation that a field of a config.json names, as the transformers library does, or
/// `usual`. Throws Error for an unsupported one.
Activation activationFrom(io::ObjectReader& reader, const std::string& usual,
                          std::string_view field = "hidden_act");

/// The same name, or the first of several, for files of the library.
std::string activationName(Activation activation);

}  // namespace tfm
