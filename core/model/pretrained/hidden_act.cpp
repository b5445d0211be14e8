// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/hidden_act.h"

#include <array>
#include <utility>

namespace tfm {

namespace {

constexpr std::array kNames{std::pair{"gelu", Activation::Gelu},
                            std::pair{"gelu_new", Activation::GeluTanh},
                            std::pair{"gelu_pytorch_tanh", Activation::GeluTanh},
                            std::pair{"relu", Activation::Relu},
                            std::pair{"silu", Activation::Silu},
                            std::pair{"swish", Activation::Silu}};

}  // namespace

Activation activationFrom(io::ObjectReader& reader, const std::string& usual,
                          std::string_view field) {
  const auto name = reader.get<std::string>(field, usual);
  for (const auto& [known, activation] : kNames)
    if (name == known) return activation;
  reader.throwInvalid(field, "gelu, gelu_new, gelu_pytorch_tanh, relu, silu or swish");
}

std::string activationName(Activation activation) {
  for (const auto& [name, known] : kNames)
    if (known == activation) return name;
  return "none";  // which no file has
}

}  // namespace tfm
