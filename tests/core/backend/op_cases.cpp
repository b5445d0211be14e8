// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/backend/op_kinds.h"

namespace tfm::test {
namespace {

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
  all.push_back(makeCase("pad columns 1 -> 1", PadColumnsCase{1, 1, 1}));
  all.push_back(makeCase("pad columns 5 -> 17", PadColumnsCase{7, 5, 17}));
  all.push_back(makeCase("gate 1x1", GateCase{1, 1}));
  all.push_back(makeCase("gate 5x17", GateCase{5, 17}));
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
  for (const Sizes& s :
       {Sizes{"1x1->1", 1, 1, 1}, Sizes{"1x9->7", 1, 9, 7}, Sizes{"7x5->3", 7, 5, 3},
        Sizes{"3x17->33", 3, 17, 33}, Sizes{"19x35->8", 19, 35, 8}, Sizes{"33x16->16", 33, 16, 16},
        Sizes{"5x65->67", 5, 65, 67}, Sizes{"3x129->131", 3, 129, 131}}) {
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
  for (const auto& [name, weight] :
       {std::pair{"weight 0", 0.0}, {"weight 0.4", 0.4}, {"weight 1", 1.0}}) {
    const auto add = [&](const char* sizes, MaskedLayerNormCase op) {
      op.mask.weight = weight;
      all.push_back(makeCase(std::string("masked layer norm ") + sizes + ", " + name, op));
    };
    add("3 of 5", {5, 5, true, 1e-5, {3}});
    add("8 of 17", {5, 17, false, 1e-6, {8}});
    add("13 of 30", {5, 30, true, 1e-6, {13}});
    add("7 of 7", {1, 7, true, 0.3, {7}});
  }
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
  add("of more heads than a register holds", {3, 5, 7, 7, 3, 2, false}, {}, none);
  add("causal, of many padded heads", {3, 6, 6, 7, 2, 3, true}, padAtEnd(6, {0, 2, 5}), none);
  add("causal, more queries than keys", {2, 9, 5, 2, 3, 3, true}, {}, none);
  // Too large to be interleaved.
  add("33 on 50", {1, 33, 50, 2, 16, 17, false}, {}, none);
  add("causal 70, padded", {1, 70, 70, 1, 9, 10, true}, padAtEnd(70, {9}), none);
  add("causal 70 on 40", {1, 70, 40, 1, 12, 8, true}, {}, none);
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
