// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/parameter_maps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/check.h"
#include "core/model/sinusoid.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::expand {
namespace {

/// Copies of a component share its weights in unequal parts: with equal ones, copies would always
/// receive equal gradients (LEMON, section 3.3).
class SplitShares {
 public:
  SplitShares(std::int64_t components, std::int64_t copies) : copies_(copies) {
    if (copies == 1) return;
    const Random random(0, streams::kShares.first);
    shares_.reserve(std::size_t(components * copies));
    for (std::int64_t component = 0; component < components; ++component) {
      const std::int64_t first = component * copies, last = first + copies - 1;
      double sum = 0.0;
      for (std::int64_t i = first; i <= last; ++i) {
        shares_.push_back(0.5 + random.uniform(std::uint64_t(i)));
        sum += shares_.back();
      }
      double others = 0.0;
      for (std::int64_t i = first; i < last; ++i) {
        shares_[std::size_t(i)] /= sum;
        others += shares_[std::size_t(i)];
      }
      shares_.back() = 1.0 - others;  // so that the sum is exactly 1
    }
  }

  double of(std::int64_t component, std::int64_t copy) const {
    return copies_ == 1 ? 1.0 : shares_[std::size_t(component * copies_ + copy)];
  }

 private:
  std::int64_t copies_;
  std::vector<double> shares_;  // of the copies of each component
};

class MapMaker {
 public:
  MapMaker(const ModelConfig& before, const Growth& growth, const Recipe& recipe,
           const ParameterLayout& old_layout)
      : before_(before),
        growth_(growth),
        recipe_(recipe),
        shares_(before.hidden, recipe.hidden_copies) {
    for (const ParameterInfo& p : old_layout.parameters) old_.emplace(p.tag, &p);
  }

  ParameterGrowth make(const ParameterInfo& after) const {
    ParameterGrowth p;
    p.after = after;
    if (isNewTable(after)) return tableFromSinusoid(p);
    const std::optional<ParameterTag> tag = tagBefore(after.tag);
    const auto found = tag ? old_.find(*tag) : old_.end();
    if (found == old_.end()) return newParameter(p);
    const ParameterInfo* source = found->second;
    p.before = *source;
    const std::size_t rows = after.shape.size() == 1 ? 0 : 1;
    p.rows = rows == 0 ? AxisMap{{0, 1.0, Added::Free, false, 0}}
                       : dimensionMap(after, source->shape.front(), after.shape.front());
    p.cols = dimensionMap(after, source->shape.back(), after.shape.back());
    setFactors(p);
    handOver(p);
    return p;
  }

 private:
  bool isNewTable(const ParameterInfo& after) const {
    return recipe_.sinusoid_to_table && after.tag.part == ParameterPart::Positions;
  }

  ParameterGrowth tableFromSinusoid(ParameterGrowth p) const {
    const std::int64_t length = p.after.rows();
    p.given = sinusoid(length, before_.hidden, sinusoidBase(before_), before_.sinusoid_repeats);
    p.before = p.after;
    p.before->shape.back().factors.front().size = before_.hidden;
    p.rows.resize(std::size_t(length));
    for (std::int64_t i = 0; i < length; ++i) p.rows[std::size_t(i)].source = i;
    p.cols = dimensionMap(p.after, p.before->shape.back(), p.after.shape.back());
    p.centred_cols = recipe_.hidden_method == HiddenMethod::Centre;
    p.fresh_moments = true;
    return p;
  }

  /// A parameter of a new layer: zero if it writes into the residual stream, otherwise free.
  ParameterGrowth newParameter(ParameterGrowth p) const {
    const bool norm = p.after.tag.ofNorm();
    const bool writes = !norm && recipe_.layer_method != LayerMethod::Gate && writesHidden(p.after);
    const bool gate = p.after.tag.part == ParameterPart::Gate;
    // Norms between a handed-over norm and its new place must have initial values.
    p.reset = recipe_.layer_method == LayerMethod::HandOver && norm;
    const Added added = writes || gate ? Added::Zero : Added::Free;
    p.rows.assign(std::size_t(p.after.rows()), {AxisIndex::kNew, 1.0, added, false, 0});
    p.cols.assign(std::size_t(p.after.cols()), {AxisIndex::kNew, 1.0, added, false, 0});
    if ((writes || gate) && growth_.broken == Break::RandomInsteadOfZero) p.violated = true;
    return p;
  }

  static bool writesHidden(const ParameterInfo& p) {
    return std::any_of(p.shape.begin(), p.shape.end(), [](const Dimension& d) {
      return d.factors.front().axis == Axis::Hidden && d.factors.front().added == Added::Zero;
    });
  }

  /// The tag before layers were inserted or unshared; nullopt for a parameter of a new layer.
  std::optional<ParameterTag> tagBefore(ParameterTag tag) const {
    std::int64_t& layer = tag.site.layer;
    if (layer < 0) return tag;
    const auto [first, count] = addedTo(tag.site.stack);
    const std::int64_t last = first + count - 1;
    // The last norm of the last new layer is the handed-over one.
    if (isLastNorm(tag) && count > 0 && layer == last)
      layer = first - 1;
    else if (layer >= first && layer <= last)
      return std::nullopt;
    else if (layer > last)
      layer -= count;
    layer = before_.holderOf(tag.site.stack, layer);
    return tag;
  }

  /// Resets the norm of the layer that hands its norm over.
  void handOver(ParameterGrowth& p) const {
    const ParameterTag& tag = p.after.tag;
    const auto [first, count] = addedTo(tag.site.stack);
    p.reset = isLastNorm(tag) && count > 0 && tag.site.layer == first - 1;
    p.fresh_moments = p.fresh_moments || p.reset;
  }

  IndexRun addedTo(Stack stack) const {
    return stack == Stack::Encoder ? IndexRun{recipe_.encoder_position, recipe_.encoder_added}
                                   : IndexRun{recipe_.decoder_position, recipe_.decoder_added};
  }

  /// Whether a parameter belongs to the last norm of its layer, under layer method hand_over.
  bool isLastNorm(const ParameterTag& tag) const {
    if (recipe_.layer_method != LayerMethod::HandOver || tag.part != ParameterPart::Norm)
      return false;
    const LayerConfig& layer = recipe_.after.layers(tag.site.stack)[std::size_t(tag.site.layer)];
    return tag.site.block == std::ssize(layer.blocks) - 1;
  }

  AxisMap dimensionMap(const ParameterInfo& p, const Dimension& before,
                       const Dimension& after) const {
    AxisMap map{{0, 1.0, Added::Free, false, 0}};
    for (std::size_t f = 0; f < after.factors.size(); ++f) {
      const AxisMap inner = factorMap(p, before.factors[f], after.factors[f]);
      AxisMap product;
      product.reserve(map.size() * inner.size());
      for (std::size_t o = 0; o < map.size(); ++o)
        for (std::size_t i = 0; i < inner.size(); ++i)
          product.push_back(combine(map[o], inner[i], before.factors[f].size));
      map = std::move(product);
    }
    for (std::size_t i = 0; i < map.size(); ++i) {
      AxisIndex& index = map[i];
      index.padding = !after.uses(std::int64_t(i));
      // Padding that comes into use is new.
      if (!index.padding && index.source >= 0 && !before.uses(index.source))
        index = {AxisIndex::kNew, 1.0, after.factors.back().added, false, 0};
    }
    return map;
  }

  static AxisIndex combine(const AxisIndex& outer, const AxisIndex& inner,
                           std::int64_t inner_before) {
    if (outer.source >= 0 && inner.source >= 0)
      return {outer.source * inner_before + inner.source, outer.share * inner.share, Added::Free,
              false, 0};
    if (inner.source == AxisIndex::kMean) return inner;
    AxisIndex index;
    const auto zero = [](const AxisIndex& i) {
      return i.source == AxisIndex::kNew && i.added == Added::Zero;
    };
    index.added = zero(outer) || zero(inner) ? Added::Zero : Added::Free;
    return index;
  }

  AxisMap factorMap(const ParameterInfo& p, const AxisSize& before, const AxisSize& after) const {
    const bool hidden = after.axis == Axis::Hidden && before.size != after.size;
    const std::int64_t copies = hidden ? recipe_.hidden_copies : 1;
    const bool reads = !p.tag.ofNorm() && after.added == Added::Free;
    const bool writes = !p.tag.ofNorm() && after.added == Added::Zero;
    AxisMap map(std::size_t(after.size), {AxisIndex::kNew, 1.0, after.added, false, 0});
    for (std::int64_t i = 0; i < after.size; ++i) {
      AxisIndex& index = map[std::size_t(i)];
      const std::int64_t copy = i / before.size;
      if (copy < copies) {
        index.source = i % before.size;
        index.added = Added::Free;
        if (hidden && reads) index.share = shares_.of(index.source, copy);
      } else if (hidden && writes && averages()) {
        index.source = AxisIndex::kMean;
      } else if (hidden && reads && (averages() || masks()) && !behindNorm(p)) {
        index.added = Added::Zero;
      } else if (hidden && masks() && !readUnmasked(p)) {
        index.added = Added::Free;
      }
    }
    return map;
  }

  bool averages() const {
    return recipe_.hidden_method == HiddenMethod::Average ||
           recipe_.hidden_method == HiddenMethod::Duplicate;
  }
  bool masks() const { return recipe_.hidden_method == HiddenMethod::Mask; }

  /// Whether a table is read without a masked norm: under post-norm by the first layer, and by a
  /// tied output without final norm.
  bool readUnmasked(const ParameterInfo& p) const {
    const bool embedding = p.tag.part == ParameterPart::Embedding;
    const bool table = embedding || p.tag.part == ParameterPart::Positions;
    if (before_.norm_placement == NormPlacement::Post) return table && !before_.embedding_norm;
    return before_.tie_output && !before_.final_norm && embedding &&
           p.tag.site.stack != Stack::Encoder;
  }

  bool behindNorm(const ParameterInfo& p) const {
    if (before_.norm_placement == NormPlacement::Post || before_.final_norm) return true;
    const auto& [site, part, term] = p.tag;
    const bool reads_memory =
        attendsToMemory(site.kind) && (part == ParameterPart::Key || part == ParameterPart::Value);
    return !reads_memory && site != Site{};
  }

  void setFactors(ParameterGrowth& p) const {
    const Dimension& first = p.after.shape.front();
    if (p.grows() && growth_.broken == Break::RandomInsteadOfZero) p.violated = hasZero(p);
    // Old keys are scaled to cancel the larger divisor in the softmax.
    for (std::size_t d = 0; d < p.after.shape.size(); ++d) {
      const AxisSize &key_before = p.before->shape[d].factors.back(),
                     &key = p.after.shape[d].factors.back();
      if (key.axis != Axis::Key || key.added != Added::Zero || key.size == key_before.size)
        continue;
      if (growth_.broken == Break::NoKeyRescale)
        p.violated = true;
      else
        p.factor = std::sqrt(double(key.size) / double(key_before.size));
    }
    if (rowOf(growth_.kind).axis != Axis::Hidden) return;
    const double kept = double(recipe_.hidden_copies * before_.hidden);
    // A norm inside a block, over another width, stays as it is.
    const bool of_stream = first.factors.front().axis == Axis::Hidden;
    if (p.after.tag.term == Term::Gain && of_stream && !masks()) {
      if (growth_.broken == Break::NoGainRescale)
        p.violated = true;
      else
        p.factor = std::sqrt(kept / double(growth_.size));
    }
    const bool norm = p.after.tag.ofNorm();
    const bool writes = !norm && writesHidden(p.after);
    if (!before_.norm_gain) {
      if (growth_.broken == Break::NoGainRescale)
        p.violated = true;
      else
        p.factor = streamFactor(p.after, std::sqrt(double(growth_.size) / kept));
    }
    if (recipe_.hidden_method == HiddenMethod::Centre && writes) {
      const bool over_rows =
          p.after.shape.size() == 2 && first.factors.front().axis == Axis::Hidden;
      (over_rows ? p.centred_rows : p.centred_cols) = true;
    }
    if (averages() && (writes || norm) && p.grows()) p.fresh_moments = true;
  }

  /// Without gains, the states of the stream become `scale` times as large as before.
  double streamFactor(const ParameterInfo& p, double scale) const {
    const bool table =
        p.tag.part == ParameterPart::Embedding || p.tag.part == ParameterPart::Positions;
    if (table && before_.embedding_norm) return 1.0;
    const auto reads = [](const Dimension& d) {
      return d.factors.front().axis == Axis::Hidden && d.factors.front().added == Added::Free;
    };
    return (writesHidden(p) ? scale : 1.0) / (std::ranges::any_of(p.shape, reads) ? scale : 1.0);
  }

  static bool hasZero(const ParameterGrowth& p) {
    const std::vector<IndexRun> cols = runsOf(p.cols);
    for (const IndexRun& row : runsOf(p.rows))
      for (const IndexRun& col : cols)
        if (p.entry(row.first, col.first) == Entry::Zero) return true;
    return false;
  }

  const ModelConfig& before_;
  const Growth& growth_;
  const Recipe& recipe_;
  const SplitShares shares_;
  std::map<ParameterTag, const ParameterInfo*> old_;
};

}  // namespace

std::vector<ParameterGrowth> parameterMaps(const ModelConfig& before, const Growth& growth,
                                           const Recipe& recipe, const ParameterLayout& old_layout,
                                           const ParameterLayout& new_layout, Work& work) {
  const MapMaker maker(before, growth, recipe, old_layout);
  std::vector<ParameterGrowth> maps;
  maps.reserve(new_layout.parameters.size());
  for (const ParameterInfo& after : new_layout.parameters) {
    maps.push_back(maker.make(after));
    work.advance(1);
  }
  return maps;
}

}  // namespace tfm::expand
