// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/hidden_act.h"

#include <array>
#include <utility>

namespace tfm {

Activation activationFrom(io::ObjectReader& reader, const std::string& usual) {
  static constexpr std::array kNames{
      std::pair{"gelu", Activation::Gelu}, std::pair{"gelu_new", Activation::GeluTanh},
      std::pair{"gelu_pytorch_tanh", Activation::GeluTanh}, std::pair{"relu", Activation::Relu}};
  const auto name = reader.get<std::string>("hidden_act", usual);
  for (const auto& [known, activation] : kNames)
    if (name == known) return activation;
  reader.throwInvalid("hidden_act", "gelu, gelu_new, gelu_pytorch_tanh or relu");
}

}  // namespace tfm
