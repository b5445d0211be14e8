// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/expand/recipe.h"

namespace tfm::expand {
namespace {

/// Properties that determine which methods are exact.
struct Facts {
  bool layer_norm;  ///< a norm subtracts the mean
  bool free_mean;   ///< norms in the residual stream leave it an arbitrary mean
  bool all_normed;  ///< every reader of the stream is behind a norm
  bool features;    ///< the input is features
  bool max_pools;   ///< layers take the larger of two states, component by component
  bool tied;        ///< the output reads the states with the columns of the embedding
  bool units;       ///< the states begin with DExTra units
  bool whole;       ///< the new size is a multiple of the old
  bool repeats;     ///< the new size is at least twice the old
  bool no_gain;     ///< norms have no factors that could be adjusted
  bool scalable;    ///< what is added to the stream can be multiplied by a factor
};

Facts factsOf(const ModelConfig& c, const Growth& growth) {
  const bool norms = c.architecture != Architecture::Attention;
  const bool pre = c.norm_placement == NormPlacement::Pre;
  return {norms && c.norm == NormKind::LayerNorm,
          !pre || c.embedding_norm,
          !pre || c.final_norm,
          c.input == InputKind::Features,
          c.changesLength() && c.pooling.kind == Pooling::Max,
          c.tie_output && c.embedding_size == 0,
          c.hasEmbeddingUnits() && c.readsTokens(),
          growth.size % c.hidden == 0,
          growth.size >= 2 * c.hidden,
          norms && !c.norm_gain,
          pre && (c.embedding_norm ||
                  (c.input != InputKind::Features && c.positions != Positions::Sinusoidal))};
}

/// Why a method is not exact for the model; empty if it is.
std::string objection(HiddenMethod method, const Facts& f) {
  const bool copies = method == HiddenMethod::Average || method == HiddenMethod::Duplicate;
  if (f.units && method != HiddenMethod::Automatic && !(copies && f.whole))
    return "the embeddings end with a norm, which only whole copies preserve";
  // Without factors of norms, all that writes into the stream is multiplied, and its readers
  // divide.
  if (f.no_gain && method != HiddenMethod::Automatic && !(copies && f.whole)) {
    if (f.layer_norm || !f.scalable)
      return "the norms have no factors that could make up for the new components";
    if (f.tied) return "the output shares the embedding, and the norms have no factors";
  }
  switch (method) {
    case HiddenMethod::Automatic:
      return {};
    case HiddenMethod::ZeroPad:
      return f.layer_norm ? "LayerNorm subtracts the mean, which zeros change" : "";
    case HiddenMethod::Centre:
      if (!f.layer_norm) return "RMSNorm keeps the mean, so centring changes the answers";
      if (f.free_mean)
        return "after a norm in the residual stream the states have no fixed mean to subtract";
      if (!f.all_normed) return "the output reads the states without a norm, so their mean matters";
      if (f.features) return "the input features are not centred";
      if (f.max_pools) return "pooling keeps the larger of two states, which centring changes";
      return f.tied ? "the output shares the embedding, which centring changes" : "";
    case HiddenMethod::Average:
      if (!f.layer_norm && !f.whole)
        return "RMSNorm includes the means; only whole copies preserve it";
      if (f.layer_norm && f.free_mean && !f.whole)
        return "after a norm in the residual stream only whole copies preserve mean and variance";
      if (f.features) return "the input features cannot be copied";
      if (f.max_pools && !f.whole)
        return "pooling keeps the larger of two states, and a mean of maxima is no maximum of "
               "means";
      if (f.tied && (f.repeats || !f.all_normed))
        return "the output shares the embedding, whose copies would be counted more than once";
      return {};
    case HiddenMethod::Duplicate:
      if (!f.whole) return "the new size must be a multiple of the old";
      if (f.features) return "the input features cannot be copied";
      return f.tied ? "the output shares the embedding, whose copies would be counted twice" : "";
    case HiddenMethod::Mask:
      return f.layer_norm ? "" : "only LayerNorm can be masked";
  }
  return {};
}

constexpr HiddenMethod kMethods[] = {HiddenMethod::ZeroPad, HiddenMethod::Centre,
                                     HiddenMethod::Average, HiddenMethod::Duplicate};

std::string methodName(HiddenMethod method) {
  switch (method) {
    case HiddenMethod::Automatic:
      return "automatic";
    case HiddenMethod::ZeroPad:
      return "zero_pad";
    case HiddenMethod::Centre:
      return "centre";
    case HiddenMethod::Average:
      return "average";
    case HiddenMethod::Duplicate:
      return "duplicate";
    case HiddenMethod::Mask:
      return "mask";
  }
  return {};
}

/// A hint naming what would be exact.
std::string alternatives(const ModelConfig& c, const Growth& growth, const Facts& facts) {
  std::string words;
  for (const HiddenMethod method : kMethods)
    if (objection(method, facts).empty())
      words += (words.empty() ? "" : ", ") + ("method " + methodName(method));
  if (facts.layer_norm && !facts.features && !facts.tied && !facts.whole)
    words +=
        (words.empty() ? "" : ", ") +
        ("hidden size " + std::to_string((growth.size / c.hidden + 1) * c.hidden) + " by copies");
  if (growth.size >= 2 * c.hidden && c.hidden > 1) {
    Growth first = growth;
    first.size = 2 * c.hidden - 1;
    const Facts nearer = factsOf(c, first);
    if (!objection(HiddenMethod::Average, facts).empty() &&
        objection(HiddenMethod::Average, nearer).empty())
      words += (words.empty() ? "" : ", ") +
               ("several steps by means, the first to at most hidden size " +
                std::to_string(first.size));
  }
  if (objection(HiddenMethod::Mask, facts).empty())
    words += (words.empty() ? "" : ", ") + std::string("a masked norm (method mask)");
  return "Exact: " + (words.empty() ? "none; " : words + ". Or ") + "allow an inexact expansion";
}

HiddenMethod decide(const ModelConfig& c, const Growth& growth, const Facts& facts) {
  if (growth.broken == Break::ZeroPadUnderLayerNorm) return HiddenMethod::ZeroPad;
  if (growth.hidden_method != HiddenMethod::Automatic) return growth.hidden_method;
  // Copies preserve a sinusoid; centring would make it a learned table.
  const bool sinusoid = c.positions == Positions::Sinusoidal;
  if (facts.layer_norm && sinusoid && objection(HiddenMethod::Duplicate, facts).empty())
    return HiddenMethod::Duplicate;
  for (const HiddenMethod method : kMethods)
    if (objection(method, facts).empty()) return method;
  return growth.allow_inexact ? HiddenMethod::ZeroPad : HiddenMethod::Automatic;
}

/// What follows from the hidden size keeps to the old one.
void keepSizes(const ModelConfig& before, ModelConfig& after) {
  for (auto* layers : {&after.encoder_layers, &after.decoder_layers})
    for (LayerConfig& layer : *layers)
      for (BlockConfig& block : layer.blocks) block.keepSizes(before.hidden);
  if (before.embedding_size > 0) after.embedding_base = before.embeddingBase();
}

void scaleEps(ModelConfig& c, double factor) {
  c.embedding_norm_eps *= factor;
  // The states keep their mean square.
  if (!c.norm_gain) return;
  for (auto* layers : {&c.encoder_layers, &c.decoder_layers})
    for (LayerConfig& layer : *layers)
      for (BlockConfig& block : layer.blocks) block.norm_eps *= factor;
  c.encoder_final_norm_eps *= factor;
  c.decoder_final_norm_eps *= factor;
}

/// A sinusoid remains one if its columns are only padded with zeros or only repeated.
void growSinusoid(const ModelConfig& before, const Growth& growth, Recipe& recipe) {
  ModelConfig& c = recipe.after;
  if (c.positions == Positions::Relative) c.sinusoid_size = sinusoidBase(before);
  if (c.positions != Positions::Sinusoidal) return;
  const bool plain = sinusoidBase(before) == before.hidden;
  const bool repeated = plain || before.sinusoid_repeats;
  const bool padded = plain || !before.sinusoid_repeats;
  if (growth.broken == Break::SinusoidRecomputed) {
    c.sinusoid_size = 0;
    c.sinusoid_repeats = false;
  } else if (recipe.hidden_method == HiddenMethod::Duplicate && repeated) {
    c.sinusoid_size = sinusoidBase(before);
    c.sinusoid_repeats = true;
  } else if ((recipe.hidden_method == HiddenMethod::ZeroPad ||
              recipe.hidden_method == HiddenMethod::Mask) &&
             padded) {
    c.sinusoid_size = sinusoidBase(before);
  } else {
    c.positions = Positions::Learned;
    c.sinusoid_size = 0;
    c.sinusoid_repeats = false;
    recipe.sinusoid_to_table = true;
    recipe.notes.emplace_back("The sinusoid becomes a learned position table");
  }
}

void checkGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  if (growth.size <= before.hidden)
    refuse(growth, "the hidden size is already " + std::to_string(before.hidden),
           "Choose at least " + std::to_string(before.hidden + 1));
  if (before.output == OutputKind::None)
    refuse(growth, "the model's output is its hidden states, whose size would change",
           "Grow another size");
  if (before.embedding_map || before.output_transform)
    refuse(growth,
           before.embedding_map ? "a map brings the embeddings to the hidden size"
                                : "a map, an activation and a norm stand before the output",
           "Grow another size: for this one no exact method is known here");
  if (before.tie_output && before.embedding_size > 0 && !before.projectsOutput())
    refuse(growth, "the output compares the states with the token table, whose width stays",
           "Grow another size");
  if (before.mask_size > 0 && step < before.mask_begin + before.mask_steps)
    refuse(growth, "an earlier growth is still masked",
           "Train until step " + std::to_string(before.mask_begin + before.mask_steps));
}

}  // namespace

HiddenMethod hiddenMethod(const ModelConfig& before, const Growth& growth) {
  return decide(before, growth, factsOf(before, growth));
}

std::int64_t sinusoidBase(const ModelConfig& config) {
  return config.sinusoid_size > 0 ? config.sinusoid_size : config.hidden;
}

Recipe growHidden(const ModelConfig& before, const Growth& growth, std::int64_t step) {
  checkGrowth(before, growth, step);
  const Facts facts = factsOf(before, growth);
  Recipe recipe;
  recipe.hidden_method = decide(before, growth, facts);
  if (recipe.hidden_method == HiddenMethod::Automatic)
    refuse(growth,
           "no method is exact for this model at hidden size " + std::to_string(growth.size) +
               ": " + objection(HiddenMethod::ZeroPad, facts),
           alternatives(before, growth, facts));
  // The remainder after whole copies can only be means.
  if (recipe.hidden_method == HiddenMethod::Duplicate && !facts.whole && growth.allow_inexact)
    recipe.hidden_method = HiddenMethod::Average;
  if (const std::string reason = objection(recipe.hidden_method, facts); !reason.empty()) {
    if (!growth.allow_inexact && growth.broken != Break::ZeroPadUnderLayerNorm)
      refuse(growth, methodName(recipe.hidden_method) + " would change the answers: " + reason,
             alternatives(before, growth, facts));
    recipe.exact = false;
    recipe.inexact = reason;
  }
  ModelConfig& after = recipe.after = before;
  after.hidden = growth.size;
  after.mask_size = after.mask_begin = 0;
  keepSizes(before, after);
  if (before.input == InputKind::Features && before.feature_size == 0)
    after.feature_size = before.hidden;
  if (growth.broken == Break::EmbeddingScaleRecomputed)
    after.embedding_scale *= std::sqrt(double(growth.size) / double(before.hidden));
  const bool copies = recipe.hidden_method == HiddenMethod::Average ||
                      recipe.hidden_method == HiddenMethod::Duplicate;
  if (copies) {
    recipe.hidden_copies = growth.size / before.hidden;
    recipe.notes.emplace_back(
        "Embeddings, output maps and norms get new optimizer moments: copies share the gradient of "
        "one component");
  }
  growSinusoid(before, growth, recipe);
  if (recipe.hidden_method == HiddenMethod::Mask) {
    after.mask_size = before.hidden;
    after.mask_begin = step;
    after.mask_steps = growth.mask_steps;
    recipe.notes.emplace_back("The weight of the new components grows during training");
  } else if (growth.broken != Break::NoEpsRescale) {
    scaleEps(after, double(recipe.hidden_copies * before.hidden) / double(growth.size));
  }
  return recipe;
}

}  // namespace tfm::expand
