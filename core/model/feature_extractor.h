// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/matrix_view.h"

namespace tfm {

/// Runs an encoder that is not trained: tokens in, its last hidden states out.
class FeatureExtractor {
 public:
  /// For an encoder that reads tokens and answers with its hidden states; `parameters` follow
  /// parameterLayout(config).
  FeatureExtractor(ModelConfig config, AlignedVector<float> parameters);

  const ModelConfig& config() const { return config_; }

  using Text = std::vector<std::int32_t>;
  /// Gets the features, tokens x hidden, of text number `text`; false stops.
  using Take = std::function<bool(std::size_t text, MatrixView<const float> features)>;

  /// Calls `take` in this thread for every text, shortest first and those of one length in their
  /// order. Only texts of one length run together, so none is padded; which ones does not depend on
  /// the threads, and so the features do not either. Returns false where `take` stopped it. Throws
  /// Error naming the text that is empty, too long, or has a token that the encoder does not know,
  /// and the text and tensor where numbers overflow.
  bool extract(std::span<const Text> texts, int threads, const Take& take) const;

 private:
  ModelConfig config_;
  AlignedVector<float> parameters_;
  std::unique_ptr<const Backend<float>> backend_;
  DeviceCopy<float> on_device_;  // of the parameters
};

}  // namespace tfm
