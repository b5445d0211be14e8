// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "tests/core/backend/op_case.h"
#include "tests/core/backend/plain_ops.h"

namespace tfm::test {
namespace {

constexpr OpInput kAbsent{};

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

/// 1 for the last `padded[b]` of `length` positions of sequence b.
Ids padAtEnd(std::int64_t length, const std::vector<std::int64_t>& padded) {
  Ids flags;
  for (const std::int64_t count : padded)
    for (std::int64_t i = 0; i < length; ++i) flags.push_back(i >= length - count ? 1 : 0);
  return flags;
}

void addSimpleCases(std::vector<OpCase>& all) {
  all.push_back(makeCase("embedding 1", EmbeddingCase{{0}, 1, 1, 1.0}));
  all.push_back(makeCase("embedding, repeated ids", EmbeddingCase{{3, 0, 3, 6, 3}, 7, 9, 2.5}));
  all.push_back(makeCase("add positions 1", AddPositionsCase{1, 1, 1, 1}));
  all.push_back(makeCase("add positions, longer table", AddPositionsCase{3, 5, 7, 9}));
  all.push_back(makeCase("add 1x1", AddCase{1, 1}));
  all.push_back(makeCase("add 5x17", AddCase{5, 17}));
  all.push_back(makeCase("dropout 0.5", DropoutCase{7, 9, {0.5, Random(3, 8, 2), 0}}));
  all.push_back(makeCase("dropout 0.1, later rows", DropoutCase{5, 17, {0.1, Random(3, 8), 11}}));
  all.push_back(makeCase("squared error 1", SquaredErrorCase{1, 1, 1.0}));
  all.push_back(makeCase("squared error 5x9", SquaredErrorCase{5, 9, 1.0 / 45.0}));
  all.push_back(makeCase("cross-entropy 1", CrossEntropyCase{{0}, 3}));
  all.push_back(makeCase("cross-entropy 7x28", CrossEntropyCase{{27, 0, 5, 5, 13, 1, 26}, 28}));
  all.push_back(makeCase("mean pool 1", MeanPoolCase{{0}, 1, 1}));
  all.push_back(makeCase("mean pool, pads", MeanPoolCase{padAtEnd(5, {0, 3, 5, 1}), 5, 9}));
}

void addMapCases(std::vector<OpCase>& all) {
  struct Sizes {
    const char* name;
    std::int64_t rows, in, out;
  };
  for (const Sizes& s : {Sizes{"1x1->1", 1, 1, 1}, Sizes{"1x9->7", 1, 9, 7},
                         Sizes{"7x5->3", 7, 5, 3}, Sizes{"3x17->33", 3, 17, 33},
                         Sizes{"19x35->8", 19, 35, 8}, Sizes{"33x16->16", 33, 16, 16}}) {
    const std::string name = std::string("linear ") + s.name;
    all.push_back(makeCase(name, LinearCase{s.rows, s.in, s.out, false}));
    all.push_back(makeCase(name + " bias", LinearCase{s.rows, s.in, s.out, true}));
  }
  for (const auto& [name, kind] : {std::pair{"relu", Activation::Relu},
                                   {"gelu", Activation::Gelu},
                                   {"gelu tanh", Activation::GeluTanh}}) {
    all.push_back(makeCase(std::string(name) + " 1x1", ActivationCase{1, 1, kind}));
    all.push_back(makeCase(std::string(name) + " 7x19", ActivationCase{7, 19, kind}));
  }
  for (const std::int64_t cols : {1, 3, 8, 17, 30}) {
    const std::string width = std::to_string(cols);
    all.push_back(makeCase("layer norm " + width, LayerNormCase{5, cols, false, 1e-5}));
    all.push_back(makeCase("layer norm bias " + width, LayerNormCase{5, cols, true, 1e-6}));
    all.push_back(makeCase("RMS norm " + width, RmsNormCase{5, cols, 1e-6}));
  }
  all.push_back(makeCase("RMS norm, large eps", RmsNormCase{1, 5, 0.3}));
  all.push_back(makeCase("layer norm, large eps", LayerNormCase{1, 5, true, 0.3}));
}

void addAttentionCases(std::vector<OpCase>& all) {
  const Dropout none;
  const Dropout some{0.3, Random(5, 6, 7), 0};
  const auto add = [&](const char* name, AttentionShape s, const Ids& pad, const Dropout& dropout) {
    all.push_back(makeCase(std::string("attention ") + name, AttentionCase{s, pad, dropout, true}));
  };
  // batch, queries, keys, heads, key size, value size, causal
  add("of one", {1, 1, 1, 1, 1, 1, false}, {}, none);
  add("of one key", {2, 3, 1, 2, 3, 5, false}, {}, none);
  add("3x3", {2, 3, 3, 2, 2, 2, false}, {}, none);
  add("5 on 7, key < value", {2, 5, 7, 3, 3, 5, false}, {}, none);
  add("9 on 17, key > value", {1, 9, 17, 2, 9, 4, false}, {}, none);
  add("17 on 33, whole tiles of values", {1, 17, 33, 1, 17, 16, false}, {}, none);
  add("16 on 16", {1, 16, 16, 2, 8, 8, false}, {}, none);
  add("causal 1", {2, 1, 1, 1, 3, 3, true}, {}, none);
  add("causal 7", {2, 7, 7, 2, 5, 3, true}, {}, none);
  add("causal 18", {1, 18, 18, 1, 4, 6, true}, {}, none);
  add("padded", {3, 5, 7, 2, 3, 5, false}, padAtEnd(7, {0, 3, 6}), none);
  add("causal and padded", {2, 7, 7, 2, 5, 5, true}, padAtEnd(7, {2, 0}), none);
  add("dropout", {2, 5, 7, 2, 3, 5, false}, {}, some);
  add("dropout, causal, padded", {2, 7, 7, 3, 4, 3, true}, padAtEnd(7, {1, 3}), some);
  add("dropout, later rows", {2, 3, 5, 2, 4, 3, false}, {}, {0.5, Random(5, 6, 7), 60});

  all.push_back(makeCase("attention without scores kept",
                         AttentionCase{{2, 5, 7, 2, 3, 5, false}, {}, none, false}));
  // A score near -10000 has only three decimals in single precision, and so has the row made from
  // it.
  all.push_back(
      makeCase("attention with all keys padded",
               AttentionCase{{2, 3, 5, 2, 4, 3, false}, padAtEnd(5, {5, 2}), none, true}));
  all.back().float_tolerance = 2e-3;
}

}  // namespace

std::vector<OpCase> opCases() {
  std::vector<OpCase> all;
  addSimpleCases(all);
  addMapCases(all);
  addAttentionCases(all);
  return all;
}

}  // namespace tfm::test
