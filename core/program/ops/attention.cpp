// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/attention.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/attention.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kKeyPad };
enum Output : std::size_t { kMixed, kProbabilities, kDropped, kScores, kMasked };

template <class Real>
cpu::AttentionTensors<Real> tensorsOf(const OpCall<Real>& c) {
  return {.q = c.in(kQuery),
          .k = c.in(kKey),
          .v = c.in(kValue),
          .key_pad = c.ids(kKeyPad),
          .scores = c.out(kScores),
          .masked = c.out(kMasked),
          .probabilities = c.out(kProbabilities),
          .dropped = c.out(kDropped),
          .mixed = c.out(kMixed),
          .dmixed = c.dout(kMixed),
          .dq = c.din(kQuery),
          .dk = c.din(kKey),
          .dv = c.din(kValue),
          .dropout = {c.template get<AttentionArguments>().dropout, c.position}};
}

struct AttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    attend(c.template get<AttentionArguments>().shape, tensorsOf(c));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    attendBackward(c.template get<AttentionArguments>().shape, tensorsOf(c));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    // A causal row reads half of the keys on average; the formula counts all of them.
    return s.batch * s.heads * s.queries * s.keys * (2 * s.key_size + 2 * s.value_size + 5);
  }
};

Op attentionOp() {
  return makeOp<AttentionKernels>("attention", "mixed = softmax(q k^T / sqrt(key size) + mask) v");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(attentionOp);
const Op kAttention = cpu::onChosenTarget([] { return HWY_DYNAMIC_DISPATCH(attentionOp)(); });

TensorId attention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k, TensorId v,
                   TensorId key_pad, const AttentionShape& s, double dropout_rate) {
  check(b.tensor(q).rows == s.batch * s.queries && b.tensor(k).rows == s.batch * s.keys &&
            b.tensor(v).rows == s.batch * s.keys,
        "attention: one row per position of each sequence");
  check(b.tensor(q).cols == s.heads * s.key_size && b.tensor(k).cols == s.heads * s.key_size &&
            b.tensor(v).cols == s.heads * s.value_size,
        "attention: heads * size columns");
  check(!s.causal || s.queries == s.keys, "attention: as many queries as keys under a causal mask");
  const std::int64_t rows = s.batch * s.heads * s.queries;
  const auto score = [&](const char* name) { return b.activation(path + name, rows, s.keys); };
  const bool drops = b.training() && dropout_rate > 0.0;
  const TensorId scores = b.keepsScores() ? score(".scores") : kNoTensor;
  const TensorId masked = b.keepsScores() ? score(".masked_scores") : kNoTensor;
  const TensorId probabilities = score(".probabilities");
  const TensorId dropped = drops ? score(".dropped_probabilities") : kNoTensor;
  const TensorId mixed = b.activation(path + ".mixed", s.batch * s.queries, s.heads * s.value_size);
  const DropoutArguments dropout =
      drops ? DropoutArguments{dropout_rate, b.nextDropoutStream(), s.heads * s.queries}
            : DropoutArguments{};
  b.append({&kAttention,
            path,
            {q, k, v, key_pad},
            {mixed, probabilities, dropped, scores, masked},
            AttentionArguments{s, dropout}});
  return mixed;
}

}  // namespace tfm::ops
#endif
