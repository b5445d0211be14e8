// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/model/model_config.h"
#include "core/model/pretrained/model_map.h"

namespace tfm::data {

/// The largest file of a tokenizer that is read.
inline constexpr std::uint64_t kMaxTokenizerBytes = 1 << 26;

/// The tokenizer of a GGUF file, or of a model's folder: its tokenizer.json, or the SentencePiece
/// model tokenizer.model, spiece.model, sentencepiece.bpe.model or source.spm, or a vocab.json with
/// a merges.txt, which are GPT-2's byte pairs. `config`: of the model, which has a row for each
/// token. Its generation_config.json, else its config.json, says which tokens end an answer;
/// config.json says which is the pad of an encoder and begins the answers of a decoder with one;
/// special_tokens_map.json, tokenizer_config.json or the names "[MASK]" and "<mask>" which one an
/// encoder fills in. Throws the errors of parsePipelineTokenizer(), and Error naming the folder if
/// there is neither.
std::unique_ptr<PipelineTokenizer> readPipelineTokenizer(const std::filesystem::path& folder,
                                                         const ModelConfig& config);
/// The one of a map (see ModelMap), of which `where` is the file.
std::unique_ptr<PipelineTokenizer> mappedTokenizer(const ModelMap& map, const std::string& where);
/// Whether it is one for BERT's pieces (see EncoderTokens): there is no tokenizer.json, or its
/// model is WordPiece.
bool hasWordPieces(const std::filesystem::path& folder);

}  // namespace tfm::data
