// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/suggestion.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/expand/change.h"

namespace tfm::ui {
namespace {

using expand::Growth;
using expand::Kind;

constexpr std::int64_t kMaxTried = 64;

bool isExact(const Growth& growth, const ModelConfig& model) {
  try {
    return expand::outlineGrowth(model, growth).exact;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Growth suggestedGrowth(Kind kind, const ModelConfig& model) {
  Growth growth;
  growth.kind = kind;
  const std::vector<std::int64_t> sizes = expand::chosenSizes(model, growth);
  const std::int64_t size = sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
  if (kind == Kind::Layers) {
    const bool decoder = model.hasDecoder();
    if (model.hasEncoder() && decoder) growth.stacks = expand::Stacks::Decoder;
    growth.size = std::int64_t((decoder ? model.decoder_layers : model.encoder_layers).size()) + 1;
    growth.unshare = model.share_layers;
    return growth;
  }
  if (kind == Kind::Heads) {
    growth.size = size + 1;
    return growth;
  }
  // About one and a half times as large; the next one that needs no excuse.
  growth.size = size + std::max<std::int64_t>(2, size / 2);
  for (std::int64_t more = 0; more <= std::max(kMaxTried, size) && !isExact(growth, model); ++more)
    ++growth.size;
  return growth;
}

}  // namespace tfm::ui
