// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

/// How the tensors of a file that no family describes become a model of ours: a JSON file that
/// somebody wrote for it.
///
///     {"model": {...}, "tensors": {PATTERN: SOURCE, ...}, "ignored": [END, ...],
///      "tokenizer": {...}, "start": 2, "pad": 0, "ends": [3]}
///
/// `model` is a config as documents have it. A pattern is the name of a parameter of ours, in which
/// a `*` stands for any part between two dots; the first that fits counts, and a parameter that
/// none fits has the same name in the file. A source is a name, in which each `*` is what the
/// pattern's has in the same place, or null for zeros, or {"tensor": NAME, "transposed": true,
/// "times": 0.5, "part": 1, "parts": 3, "blocks": 4}: stored (in, out), multiplied, and the second
/// third of the rows, of each of 4 blocks where `blocks` is given; or, with {"first_row": 2,
/// "of_rows": 34}, the rows from there on of so many. Tensors that no parameter uses
/// are errors unless their names have one of the ends `ignored`.
///
/// `tokenizer` is a tokenizer.json, or the name of one beside the map; without it, texts are ids
/// with spaces between them. `start`, `pad`, `ends`, `mask`: what tokens do (see TokenRoles), ids
/// but for `mask`, a name.
struct ModelMap {
  ModelConfig config;
  Family family = {};          ///< without a config of its own
  std::string tokenizer = {};  ///< a tokenizer.json
  std::string tokens = {};     ///< `start`, `pad`, `ends` and `mask` as an object
};

/// `folder`: where a tokenizer that is named lies. Throws Error naming `where` and what is wrong.
ModelMap parseModelMap(std::string_view json, const std::string& where,
                       const std::filesystem::path& folder);
ModelMap readModelMap(const std::filesystem::path& path);

}  // namespace tfm
