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

/// Runs a frozen encoder on texts: tokens in, last hidden states out.
class FeatureExtractor {
 public:
  /// The encoder reads tokens and has no output layer (OutputKind::None); `parameters` follow
  /// parameterLayout(config).
  FeatureExtractor(ModelConfig config, AlignedVector<float> parameters);

  const ModelConfig& config() const { return config_; }

  using Text = std::vector<std::int32_t>;
  /// Receives the features of a text, tokens x hidden; returns false to stop.
  using Take = std::function<bool(std::size_t text, MatrixView<const float> features)>;

  /// Calls `take` in this thread for every text, shortest first, in order for equal lengths. Only
  /// texts of equal length run together, so there is no padding and features do not depend on the
  /// number of threads. Returns false if `take` stopped it. Throws Error naming the text if it is
  /// empty, too long or has an unknown token, and the text and tensor if values overflow.
  bool extract(std::span<const Text> texts, int threads, const Take& take) const;

 private:
  ModelConfig config_;
  AlignedVector<float> parameters_;
  std::unique_ptr<const Backend<float>> backend_;
  DeviceCopy<float> on_device_;  // of the parameters
};

}  // namespace tfm
