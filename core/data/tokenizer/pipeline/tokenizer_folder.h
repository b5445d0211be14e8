// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"

namespace tfm::data {

/// The largest file of a tokenizer that is read.
inline constexpr std::uint64_t kMaxTokenizerBytes = 1 << 26;

/// The tokenizer of a GGUF file, or of a model's folder: its tokenizer.json, or a vocab.json with a
/// merges.txt, which are GPT-2's byte pairs. Its generation_config.json, else its config.json, says
/// which tokens end an answer. `rows`: of the model's token table. Throws the errors of
/// parsePipelineTokenizer(), and Error naming the folder if there is neither.
std::unique_ptr<PipelineTokenizer> readPipelineTokenizer(const std::filesystem::path& folder,
                                                         std::int64_t rows);

}  // namespace tfm::data
