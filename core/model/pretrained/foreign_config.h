// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/io/fields.h"
#include "core/model/model_config.h"

namespace tfm {

// What the config.json files of the transformers library have in common.

/// Larger sizes are refused, so that a malicious file cannot allocate memory.
inline constexpr std::int64_t kMaxPretrainedSize = 10'000'000;

/// The longest context of a model that is opened; longer ones are cut to it, which changes nothing
/// within it.
inline constexpr std::int64_t kLongestContext = 4096;

/// Rows for kinds of segments in written files of encoders, all zeros: as many as usual.
inline constexpr std::int64_t kWrittenTypes = 2;

/// The output of a decoder in files that have one beside the token table.
inline constexpr const char* kOutputName = "lm_head.weight";

/// Reads fields that the file of `whom` ("a BERT encoder") must have, and checks them. Throws Error
/// for the first that is missing or out of range.
void readNeeded(io::ObjectReader& reader, std::span<const io::Field> fields,
                const std::string& whom);
/// The same, and `others`, which keep their values where they are missing.
void readSizes(io::ObjectReader& reader, std::span<const io::Field> needed,
               std::span<const io::Field> others, const std::string& whom);

/// The sizes that most families have, all required.
struct PretrainedSizes {
  std::int64_t vocabulary = 0, positions = 0, hidden = 0, layers = 0, heads = 0, inner = 0;

  std::int64_t head() const { return hidden / heads; }
};
/// How a family calls them.
struct SizeNames {
  const char* hidden = "hidden_size";
  const char* layers = "num_hidden_layers";
  const char* heads = "num_attention_heads";
  const char* inner = "intermediate_size";
};
/// Throws Error as readNeeded(), and for a width that the heads do not share equally.
PretrainedSizes readPretrainedSizes(io::ObjectReader& reader, const std::string& whom,
                                    const SizeNames& names = {});
/// "num_key_value_heads", or `usual` where it is missing. Throws Error if it does not divide the
/// heads of queries.
std::int64_t keyHeads(io::ObjectReader& reader, std::int64_t heads, std::int64_t usual);

/// An encoder without output: norms after each block and after the embeddings; "hidden_act", or
/// `usual_activation`. Throws Error for an unsupported activation.
ModelConfig pretrainedEncoder(io::ObjectReader& reader, std::int64_t vocabulary,
                              std::int64_t positions, std::int64_t hidden,
                              const std::string& usual_activation);

/// A whole number of at least 1, or `usual` where it is missing or null.
std::int64_t sizeOr(io::ObjectReader& reader, const char* name, std::int64_t usual);

/// A decoder that answers with the next token: pre-norm, with a norm after the last layer and an
/// output without bias.
ModelConfig pretrainedDecoder(std::int64_t vocabulary, std::int64_t positions, std::int64_t hidden);

/// An encoder and a decoder without sizes, which answers with the next token.
ModelConfig pretrainedEncoderDecoder();

/// Throws Error for a switch that must be as the family usually has it.
void requireSwitch(io::ObjectReader& reader, const char* name, bool usual);

/// Reads past the fields of the library's files on which the states do not depend. Throws Error
/// naming any other field that was not read before, unless it has the value that changes nothing.
/// `encoder_decoder`: whether the file is of one.
void refuseOtherFields(io::ObjectReader& reader, bool encoder_decoder = false);

/// The sizes of the first layer of a stack, as fields of a config.json give them to all layers.
LayerSizes sizesOfFirst(const ModelConfig& config, Stack stack);

/// validate(), with the file as the place of an Error.
void validateAt(const ModelConfig& config, const std::string& where);

}  // namespace tfm
