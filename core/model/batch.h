// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tfm {

/// One batch as a model reads it. Sequences are stored row after row: (batch x length), and all
/// have the same length; pad flags say which positions are not there. A part that the model does
/// not read is empty.
struct Batch {
  std::int64_t size = 0;           ///< number of sequences
  std::int64_t source_length = 0;  ///< positions the encoder reads; 0 without an encoder
  std::int64_t target_length = 0;  ///< positions the decoder reads; 0 without a decoder

  std::vector<std::int32_t> source;      ///< encoder tokens, size * source_length
  std::vector<std::uint8_t> source_pad;  ///< 1 where a source position is padding
  std::vector<double> source_features;   ///< instead of tokens: size * source_length * feature_size
  std::vector<std::int32_t> target;      ///< decoder input tokens, size * target_length
  std::vector<std::uint8_t> target_pad;  ///< 1 where the decoder may not look; empty: nowhere
  std::vector<double>
      memory;  ///< an encoder output from outside, size * source_length * memory size

  /// What should be answered: a token or label per decoder position (encoder position without a
  /// decoder), or one class a sequence.
  std::vector<std::int32_t> labels;
  /// The share of each label in the loss, 0 where it does not count. The loss is their weighted
  /// mean.
  std::vector<float> label_weights;
  /// Instead of labels: real targets of the mean squared error.
  std::vector<double> label_features;

  bool operator==(const Batch&) const = default;
};

}  // namespace tfm
