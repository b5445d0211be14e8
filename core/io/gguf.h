// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/io/stored_tensor.h"

namespace tfm::io {

/// A value of a GGUF file. Numbers of all kinds are double or, whole ones, std::int64_t.
using GgufValue = std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>>;

/// The header of a GGUF file (ggml's documentation, version 2 or 3): what it says, and its tensors,
/// whose numbers are read when they are asked for. Shapes are outermost first, as everywhere here.
struct GgufFile {
  std::map<std::string, GgufValue> values;
  StoredTensors tensors;
};

/// Throws Error naming the file and the place in it unless the header is valid and every tensor
/// lies inside the file. Nothing is allocated for what the file claims beyond its size.
GgufFile openGguf(const std::filesystem::path& path);

/// Writes version 3 with all tensors as F32, with AtomicFile: whole numbers as U32 or, negative or
/// larger ones, I64, their lists as I32, other numbers as F32. Throws Error.
void writeGguf(const std::filesystem::path& path, const GgufFile& file);

}  // namespace tfm::io
