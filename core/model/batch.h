// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tfm {

/// One batch of model inputs. Sequences are stored row by row, (batch x length), padded to one
/// length; pad flags mark the padding. Inputs that the model does not read are empty.
struct Batch {
  std::int64_t size = 0;           ///< number of sequences
  std::int64_t source_length = 0;  ///< positions the encoder reads; 0 without an encoder
  std::int64_t target_length = 0;  ///< positions the decoder reads; 0 without a decoder

  std::vector<std::int32_t> source;      ///< encoder tokens, size * source_length
  std::vector<std::uint8_t> source_pad;  ///< 1 where a source position is padding
  std::vector<double> source_features;   ///< instead of tokens: size * source_length * feature_size
  std::vector<std::int32_t> target;      ///< decoder input tokens, size * target_length
  std::vector<std::uint8_t> target_pad;  ///< 1 where a target position is padding; empty: none
  /// External encoder output, size * source_length * memory_size; empty: `source` as one-hot rows.
  std::vector<double> memory;

  /// Targets: a token or label per decoder position (encoder position without a decoder), or one
  /// class per sequence.
  std::vector<std::int32_t> labels;
  /// Weight of each label in the loss, a weighted mean; 0: ignored.
  std::vector<float> label_weights;
  /// Instead of labels: real-valued targets of the mean squared error, a row per label.
  std::vector<double> label_features;
  double label_tolerance = 0.0;  ///< the largest error of a number that counts as right

  bool operator==(const Batch&) const = default;
};

}  // namespace tfm
