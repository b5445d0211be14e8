// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/core/backend/op_case.h"
#include "tests/core/backend/plain_ops.h"

namespace tfm::test {

/// How each op is called at given sizes. A new op is one more struct here and its rows in
/// op_cases.cpp.

inline constexpr OpInput kAbsent{};

/// Makes a row from a type with inputs(), outputs(), forward(), backward() and reference().
template <class OpType>
OpCase makeCase(std::string name, OpType op) {
  OpCase c;
  c.name = std::move(name);
  c.inputs = op.inputs();
  c.outputs = op.outputs();
  c.forward = [op](const Backend<double>& b, const OpCall<double>& call) { op.forward(b, call); };
  c.backward = [op](const Backend<double>& b, const OpCall<double>& call) { op.backward(b, call); };
  c.forward_float = [op](const Backend<float>& b, const OpCall<float>& call) {
    op.forward(b, call);
  };
  c.backward_float = [op](const Backend<float>& b, const OpCall<float>& call) {
    op.backward(b, call);
  };
  c.reference = [op](const std::vector<PlainMatrix>& in) { return op.reference(in); };
  return c;
}

struct EmbeddingCase {
  Ids ids;
  std::int64_t vocabulary, hidden;
  double scale;

  std::vector<OpInput> inputs() const { return {{{vocabulary, hidden}}}; }
  std::vector<Size> outputs() const { return {{std::int64_t(ids.size()), hidden}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.embedding(c.out[0], ids, c.in[0], Real(scale));
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.embeddingBackward(c.din[0], ids, c.dout, Real(scale));
  }
  Outputs reference(const Outputs& in) const { return plainEmbedding(ids, in[0], scale); }
};

struct AddPositionsCase {
  std::int64_t sequences, length, longest, hidden;

  std::vector<OpInput> inputs() const {
    return {{{sequences * length, hidden}}, {{longest, hidden}}};
  }
  std::vector<Size> outputs() const { return {{sequences * length, hidden}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.addPositions(c.out[0], c.in[0], c.in[1], length);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.addPositionsBackward(c.din[0], c.din[1], c.dout, length);
  }
  Outputs reference(const Outputs& in) const { return plainAddPositions(in[0], in[1], length); }
};

struct LinearCase {
  std::int64_t rows, in, out;
  bool bias;

  std::vector<OpInput> inputs() const {
    return {{{rows, in}}, {{out, in}}, bias ? OpInput{{1, out}} : kAbsent};
  }
  std::vector<Size> outputs() const { return {{rows, out}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.linear(c.out[0], c.in[0], c.in[1], c.in[2]);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.linearBackward(c.din[0], c.din[1], c.din[2], c.dout, c.in[0], c.in[1]);
  }
  Outputs reference(const Outputs& in) const { return plainLinear(in[0], in[1], in[2]); }
};

struct PadColumnsCase {
  std::int64_t rows, from, to;

  std::vector<OpInput> inputs() const { return {{{rows, from}}}; }
  std::vector<Size> outputs() const { return {{rows, to}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.padColumns(c.out[0], c.in[0]);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.padColumnsBackward(c.din[0], c.dout);
  }
  Outputs reference(const Outputs& in) const { return plainPadColumns(in[0], to); }
};

struct ActivationCase {
  std::int64_t rows, cols;
  Activation kind;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}}; }
  std::vector<Size> outputs() const { return {{rows, cols}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.activation(c.out[0], c.in[0], kind);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.activationBackward(c.din[0], c.dout, c.in[0], kind);
  }
  Outputs reference(const Outputs& in) const { return plainActivation(in[0], kind); }
};

struct AddCase {
  std::int64_t rows, cols;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}, {{rows, cols}}}; }
  std::vector<Size> outputs() const { return {{rows, cols}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.add(c.out[0], c.in[0], c.in[1]);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.addBackward(c.din[0], c.din[1], c.dout);
  }
  Outputs reference(const Outputs& in) const { return plainAdd(in[0], in[1]); }
};

struct GateCase {
  std::int64_t rows, cols;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}, {{rows, cols}}, {{1, 1}}}; }
  std::vector<Size> outputs() const { return {{rows, cols}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.gate(c.out[0], c.in[0], c.in[1], c.in[2]);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.gateBackward(c.din[0], c.din[1], c.din[2], c.dout, c.in[0], c.in[1], c.in[2]);
  }
  Outputs reference(const Outputs& in) const { return plainGate(in[0], in[1], in[2]); }
};

struct DropoutCase {
  std::int64_t rows, cols;
  Dropout dropout;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}}; }
  std::vector<Size> outputs() const { return {{rows, cols}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.dropout(c.out[0], c.in[0], dropout);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.dropoutBackward(c.din[0], c.dout, dropout);
  }
  Outputs reference(const Outputs& in) const { return plainDropout(in[0], dropout); }
};

struct LayerNormCase {
  std::int64_t rows, cols;
  bool bias;
  double eps;

  std::vector<OpInput> inputs() const {
    return {{{rows, cols}}, {{1, cols}}, bias ? OpInput{{1, cols}} : kAbsent};
  }
  std::vector<Size> outputs() const { return {{rows, cols}, {rows, 2}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.layerNorm(c.out[0], c.out[1], c.in[0], c.in[1], c.in[2], Real(eps));
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.layerNormBackward(c.din[0], c.din[1], c.din[2], c.dout, c.in[0], c.in[1], c.out[1]);
  }
  Outputs reference(const Outputs& in) const { return plainLayerNorm(in[0], in[1], in[2], eps); }
};

struct MaskedLayerNormCase {
  std::int64_t rows, cols;
  bool bias;
  double eps;
  ColumnMask mask;

  std::vector<OpInput> inputs() const {
    return {{{rows, cols}}, {{1, cols}}, bias ? OpInput{{1, cols}} : kAbsent};
  }
  std::vector<Size> outputs() const { return {{rows, cols}, {rows, 2}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.maskedLayerNorm(c.out[0], c.out[1], c.in[0], c.in[1], c.in[2], Real(eps), mask);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.maskedLayerNormBackward(c.din[0], c.din[1], c.din[2], c.dout, c.in[0], c.in[1], c.out[1],
                              mask);
  }
  Outputs reference(const Outputs& in) const {
    return plainMaskedLayerNorm(in[0], in[1], in[2], eps, mask);
  }
};

struct RmsNormCase {
  std::int64_t rows, cols;
  double eps;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}, {{1, cols}}}; }
  std::vector<Size> outputs() const { return {{rows, cols}, {rows, 1}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.rmsNorm(c.out[0], c.out[1], c.in[0], c.in[1], Real(eps));
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.rmsNormBackward(c.din[0], c.din[1], c.dout, c.in[0], c.in[1], c.out[1]);
  }
  Outputs reference(const Outputs& in) const { return plainRmsNorm(in[0], in[1], eps); }
};

struct AttentionCase {
  AttentionShape s;
  Ids key_pad;
  Dropout dropout;
  bool scores;

  std::vector<OpInput> inputs() const {
    return {{{s.batch * s.queries, s.heads * s.key_size}},
            {{s.batch * s.keys, s.heads * s.key_size}},
            {{s.batch * s.keys, s.heads * s.value_size}}};
  }
  std::vector<Size> outputs() const {
    const Size cells{s.batch * s.heads * s.queries, s.keys};
    return {{s.batch * s.queries, s.heads * s.value_size},
            cells,
            dropout.rate > 0.0 ? cells : Size{},
            scores ? cells : Size{},
            scores ? cells : Size{}};
  }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    AttentionTensors<Real> t;
    t.q = c.in[0], t.k = c.in[1], t.v = c.in[2];
    t.key_pad = key_pad;
    t.mixed = c.out[0], t.probabilities = c.out[1], t.dropped = c.out[2];
    t.scores = c.out[3], t.masked = c.out[4];
    t.dropout = dropout;
    b.attention(s, t);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    AttentionGradients<Real> t;
    t.q = c.in[0], t.k = c.in[1], t.v = c.in[2];
    t.probabilities = c.out[1], t.dropped = c.out[2], t.dmixed = c.dout;
    t.dq = c.din[0], t.dk = c.din[1], t.dv = c.din[2];
    t.dropout = dropout;
    b.attentionBackward(s, t);
  }
  Outputs reference(const Outputs& in) const {
    return plainAttention(s, in[0], in[1], in[2], key_pad, dropout);
  }
};

struct MeanPoolCase {
  Ids pad;
  std::int64_t length, hidden;

  std::int64_t rows() const { return std::int64_t(pad.size()); }
  std::vector<OpInput> inputs() const { return {{{rows(), hidden}}}; }
  std::vector<Size> outputs() const { return {{rows() / length, hidden}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.meanPool(c.out[0], c.in[0], pad, length);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.meanPoolBackward(c.din[0], c.dout, pad, length);
  }
  Outputs reference(const Outputs& in) const { return plainMeanPool(in[0], pad, length); }
};

struct CrossEntropyCase {
  Ids labels;
  std::int64_t outputs_of_model;

  std::int64_t rows() const { return std::int64_t(labels.size()); }
  std::vector<OpInput> inputs() const {
    return {{{rows(), outputs_of_model}}, {{rows(), 1}, false}};
  }
  std::vector<Size> outputs() const { return {{1, 1}, {rows(), outputs_of_model}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.crossEntropy(c.out[0], c.out[1], c.in[0], labels, c.in[1]);
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.crossEntropyBackward(c.din[0], c.dout, c.out[1], labels, c.in[1]);
  }
  Outputs reference(const Outputs& in) const { return plainCrossEntropy(in[0], labels, in[1]); }
};

struct SquaredErrorCase {
  std::int64_t rows, cols;
  double scale;

  std::vector<OpInput> inputs() const { return {{{rows, cols}}, {{rows, cols}, false}}; }
  std::vector<Size> outputs() const { return {{1, 1}}; }
  template <class Real>
  void forward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.squaredError(c.out[0], c.in[0], c.in[1], Real(scale));
  }
  template <class Real>
  void backward(const Backend<Real>& b, const OpCall<Real>& c) const {
    b.squaredErrorBackward(c.din[0], c.dout, c.in[0], c.in[1], Real(scale));
  }
  Outputs reference(const Outputs& in) const { return plainSquaredError(in[0], in[1], scale); }
};

}  // namespace tfm::test
