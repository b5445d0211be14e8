// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

// Encoders of PyTorch: nn.TransformerEncoder, or a single nn.TransformerEncoderLayer.

/// The encoder that a config.json describes with the arguments of nn.TransformerEncoderLayer and
/// nn.TransformerEncoder by their names, which have PyTorch's defaults: d_model, nhead (both
/// required), dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias;
/// num_layers, and norm, whether a norm follows the last layer, with the eps norm_eps (needed where
/// layer_norm_eps is not PyTorch's default). share_layers: all layers are one
/// object. It reads rows of d_model numbers and ends with its states. Throws Error naming `where`,
/// the field, its value and what is allowed; also for a field that is not known.
ModelConfig torchEncoderConfig(std::string_view json, const std::string& where);

/// Whether its input counts sequences first, then positions.
bool isBatchFirst(std::string_view json, const std::string& where);

/// Tensors have the names of a state_dict(): "layers.0.self_attn.in_proj_weight" and so on, without
/// "layers.0." for a single layer, or those of the encoder-layer notebook
/// ("network.0.block1.0.mha..."). Layers that are said to be shared must not differ.
Family torchEncoderFamily();

}  // namespace tfm
