// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/catalog.h"

#include <map>

#include "core/model/blocks/blocks.h"
#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

AttentionKind kindOf(const Site& site) {
  if (attendsToMemory(site.kind)) return AttentionKind::Cross;
  return site.stack == Stack::Decoder ? AttentionKind::DecoderSelf : AttentionKind::EncoderSelf;
}

}  // namespace

std::vector<AttentionSite> attentionSites(const Program& program) {
  std::vector<AttentionSite> sites;
  std::map<AttentionKind, std::int64_t> layers;
  const auto held = heldPositions(program);
  for (const Step& step : program.steps) {
    if (step.op != &ops::kAttention) continue;
    const AttentionKind kind = kindOf(step.site);
    sites.push_back({step.path, kind, layers[kind]++,
                     std::any_cast<const AttentionArguments&>(step.arguments).shape,
                     held[std::size_t(step.inputs[0])], held[std::size_t(step.inputs[1])]});
  }
  return sites;
}

}  // namespace tfm::observe
