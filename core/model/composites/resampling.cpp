// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {

StackOutput poolBlock(ModelBuilder& m, const Place& place, const StackOutput& x) {
  const PoolingConfig& pooling = m.config.pooling;
  if (x.rows.length < pooling.shortest()) return x;
  const SequencePooling sequence = pooling.of(x.rows.length);
  const IdPooling pads = pooling.padding_spreads ? IdPooling::Max : IdPooling::Min;
  return {ops::sequencePool(m.program, place.path + ".pooled", x.states, sequence, pooling.kind),
          {x.rows.sequences, sequence.pooledLength()},
          ops::poolIds(m.program, place.path + ".pooled_pad", x.pad, sequence, pads),
          2 * x.stride};
}

StackOutput upsampleBlock(ModelBuilder& m, const Place& place, const StackOutput& x,
                          const StackOutput& whole, std::int64_t factor) {
  const SequenceUpsampling sequence{x.rows.length, factor, whole.rows.length,
                                    m.config.pooling.separate_cls};
  const TensorId copies = ops::upsample(m.program, place.path + ".upsampled", x.states, sequence);
  return {ops::add(m.program, place.path + ".upsampled_residual", copies, whole.states), whole.rows,
          whole.pad, whole.stride};
}

}  // namespace tfm
