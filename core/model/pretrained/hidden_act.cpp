// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/hidden_act.h"

#include <array>
#include <utility>

namespace tfm {

Activation activationFrom(io::ObjectReader& reader, const std::string& usual,
                          std::string_view field) {
  static constexpr std::array kNames{std::pair{"gelu", Activation::Gelu},
                                     std::pair{"gelu_new", Activation::GeluTanh},
                                     std::pair{"gelu_pytorch_tanh", Activation::GeluTanh},
                                     std::pair{"relu", Activation::Relu},
                                     std::pair{"silu", Activation::Silu},
                                     std::pair{"swish", Activation::Silu}};
  const auto name = reader.get<std::string>(field, usual);
  for (const auto& [known, activation] : kNames)
    if (name == known) return activation;
  reader.throwInvalid(field, "gelu, gelu_new, gelu_pytorch_tanh, relu, silu or swish");
}

}  // namespace tfm
