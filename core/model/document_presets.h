// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_config.h"

namespace tfm {

// The models of the documents that the program grew out of, for the table of presets.

/// The annotated encoder-decoder at the size that it trains, at the size whose parameters it
/// counts, each stack of that with heads of 17, and its attention alone.
ModelConfig annotatedRot13();
ModelConfig annotatedEncoderDecoder();
ModelConfig annotatedEncoder();
ModelConfig annotatedDecoder();
ModelConfig annotatedAttention();
/// The model of the expansions notebook, and its components alone.
ModelConfig expansionsNotebook();
ModelConfig expansionsLayer();
ModelConfig expansionsFeedForward();
ModelConfig expansionsAttention();
/// The encoder of the encoder-layer notebook: one layer three times, or three of their own.
ModelConfig encoderLayerShared();
ModelConfig encoderLayerIndependent();

}  // namespace tfm
