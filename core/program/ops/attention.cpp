// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/attention.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/backend/cpu/attention.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/aligned_vector.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kKeyPad, kBias };
enum Output : std::size_t { kMixed, kProbabilities, kDropped, kScores, kMasked, kSoftmaxRows };

template <class Real>
cpu::AttentionTensors<Real> tensorsOf(const OpCall<Real>& c) {
  return {.q = c.in(kQuery),
          .k = c.in(kKey),
          .v = c.in(kValue),
          .key_pad = c.ids(kKeyPad),
          .bias = c.in(kBias),
          .scores = c.out(kScores),
          .masked = c.out(kMasked),
          .probabilities = c.out(kProbabilities),
          .dropped = c.out(kDropped),
          .mixed = c.out(kMixed),
          .dmixed = c.dout(kMixed),
          .dq = c.din(kQuery),
          .dk = c.din(kKey),
          .dv = c.din(kValue),
          .dbias = c.din(kBias),
          .dropout = {c.template get<AttentionArguments>().dropout, *c.position},
          .changes = c.template get<AttentionArguments>().changes};
}

/// The tensors of a call without maps, with maps that nobody keeps: a reference for backends that
/// do without.
template <class Real>
class PassingMaps {
 public:
  explicit PassingMaps(const OpCall<Real>& c) : tensors(tensorsOf(c)) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    const std::int64_t rows = s.batch * s.heads * s.queries, size = rows * s.keys;
    const bool drops = tensors.dropout.rate > 0.0;
    memory_.resize(std::size_t((drops ? 3 : 2) * size + tensors.mixed.size()));
    Real* next = memory_.data();
    const auto room = [&](std::int64_t of_rows, std::int64_t cols) {
      return MatrixView<Real>(std::exchange(next, next + of_rows * cols), of_rows, cols);
    };
    tensors.probabilities = room(rows, s.keys);
    tensors.masked = room(rows, s.keys);
    if (drops) tensors.dropped = room(rows, s.keys);
    mixed_ = room(tensors.mixed.rows, tensors.mixed.cols);
  }

  void forward(const AttentionShape& s, MatrixView<Real> softmax_rows) const {
    attend(s, tensors);
    for (std::int64_t i = 0; i < softmax_rows.rows; ++i) {
      const std::span<const Real> row(tensors.masked.row(i), std::size_t(s.keys));
      const Real top = *std::ranges::max_element(row);
      Real sum = 0;
      for (const Real score : row) sum += std::exp(score - top);
      softmax_rows.at(i, 0) = top;
      softmax_rows.at(i, 1) = sum;
    }
  }
  void backward(const AttentionShape& s) {
    tensors.mixed = mixed_;  // a backward pass writes no outputs
    attend(s, tensors);
    attendBackward(s, tensors);
  }

  cpu::AttentionTensors<Real> tensors;

 private:
  AlignedVector<Real> memory_;
  MatrixView<Real> mixed_;
};

struct AttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    if (c.out(kSoftmaxRows)) return PassingMaps<Real>(c).forward(s, c.out(kSoftmaxRows));
    attend(s, tensorsOf(c));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    if (c.out(kSoftmaxRows)) return PassingMaps<Real>(c).backward(s);
    attendBackward(s, tensorsOf(c));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    // A causal row reads half of the keys on average; the formula counts all of them.
    const std::int64_t cells = s.batch * s.heads * s.queries * s.keys;
    return cells * (2 * s.key_size + 2 * s.value_size + 5) + c.in(kBias).size();
  }
};

Op attentionOp() {
  return makeOp<AttentionKernels>("attention",
                                  "mixed = softmax((q k^T + bias) / sqrt(key size) + mask) v");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(attentionOp);
namespace {

using namespace explain;
using namespace HWY_NAMESPACE;

/// A cell of an attention map, or the row of a query, key or value.
struct Cell {
  std::int64_t batch, head, query;
};

struct AttentionExplained {
  static constexpr std::string_view kOutputs = "mixed probabilities|p dropped scores masked~scores",
                                    kInputs = "q k v pad bias";
  static std::string sentence(const StepReader& s) {
    const AttentionShape& a = s.get<AttentionArguments>().shape;
    const std::string with = "with queries and keys of " + numbers(a.key_size);
    return (a.heads == 1 ? "1 head, " + with + ", compares "
                         : std::to_string(a.heads) + " heads, each " + with + ", compare ") +
           "each of " + counted(a.queries, "position") + " with each of " + std::to_string(a.keys) +
           (a.causal ? " that is not later" : "") +
           (a.window > 0 ? ", of the last " + std::to_string(a.window) : "") + ", and " +
           (a.heads == 1 ? "mixes" : "mix") + " values of " + numbers(a.value_size) +
           " by how well they fit";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    if (of.gradient) return of.of == StepNumber::Of::Input ? ofInput(c, of) : ofMap(c, of);
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    if (of.index == kMixed) {
      const Cell at{of.row / s.queries, of.col / s.value_size, of.row % s.queries};
      Explanation e{"mixed[i, c] = sum_j probabilities[i, j] v[j, c]"};
      for (std::int64_t j = 0; j < s.keys; ++j)
        product(e, c, 1,
                {out(weights(c), rowOf(s, at), j), in(kValue, at.batch * s.keys + j, of.col)});
      return e;
    }
    const Cell at{of.row / (s.heads * s.queries), of.row / s.queries % s.heads, of.row % s.queries};
    switch (of.index) {
      case kProbabilities: {
        // The number's own term comes first.
        Explanation e{"probabilities[i, j] = exp(masked scores[i, j]) / sum_k exp(...[i, k])"};
        e.rule = Explanation::Rule::Share;
        double top = -std::numeric_limits<double>::infinity();
        for (std::int64_t j = 0; j < s.keys; ++j) top = std::max(top, masked(c, at, j).value());
        for (std::int64_t k = 0; k < s.keys; ++k) {
          const std::int64_t j = (of.col + k) % s.keys;
          Contribution term{std::exp(masked(c, at, j).value() - top), {out(kMasked, of.row, j)}};
          // Without kept scores, what they are made of.
          if (!c.out(kMasked)) term.sources = sourcesOf(masked(c, at, j));
          e.terms.push_back(std::move(term));
        }
        return e;
      }
      case kDropped: {
        const CellChange change = changeOf(c, of);
        Explanation e{"dropped[i, j] = factor probabilities[i, j] keep / (1 - rate) + added"};
        e.constant = change.added;
        if (change.factor != 0.0 && keeps(c, of.row, of.col))
          product(e, c, change.factor / (1.0 - rate(c)), {out(kProbabilities, of.row, of.col)});
        return e;
      }
      case kMasked:
        return masked(c, at, of.col);
      default:
        return score(c, at, of.col);
    }
  }

 private:
  static std::int64_t rowOf(const AttentionShape& s, const Cell& at) {
    return (at.batch * s.heads + at.head) * s.queries + at.query;
  }
  template <class Real>
  static std::size_t weights(const OpCall<Real>& c) {
    return c.out(kDropped) ? kDropped : kProbabilities;
  }
  template <class Real>
  static double rate(const OpCall<Real>& c) {
    return c.template get<AttentionArguments>().dropout.rate;
  }
  template <class Real>
  static bool keeps(const OpCall<Real>& c, std::int64_t row, std::int64_t col) {
    const AttentionArguments& a = c.template get<AttentionArguments>();
    return a.dropout.rate == 0.0 || Dropout(a.dropout, *c.position).keeps(row, a.shape.keys, col);
  }
  template <class Real>
  static auto changesOf(const OpCall<Real>& c, std::int64_t row) {
    return std::ranges::equal_range(c.template get<AttentionArguments>().changes, row, {},
                                    &CellChange::row);
  }
  /// All changes of a cell in one.
  template <class Real>
  static CellChange changeOf(const OpCall<Real>& c, const StepNumber& cell) {
    CellChange all{cell.row, cell.col, 1.0, 0.0};
    for (const CellChange& one : changesOf(c, cell.row)) {
      if (one.col != cell.col) continue;
      all.factor *= one.factor;
      all.added = one.of(all.added);
    }
    return all;
  }
  static std::vector<StepNumber> sourcesOf(const Explanation& e) {
    std::vector<StepNumber> all;
    for (const Contribution& term : e.terms)
      all.insert(all.end(), term.sources.begin(), term.sources.end());
    return all;
  }

  template <class Real>
  static Explanation score(const OpCall<Real>& c, const Cell& at, std::int64_t key) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    Explanation e{"scores[i, j] = sum_k q[i, k] k[j, k] + bias[i, j]"};
    for (std::int64_t k = at.head * s.key_size; k < (at.head + 1) * s.key_size; ++k)
      product(
          e, c, 1,
          {in(kQuery, at.batch * s.queries + at.query, k), in(kKey, at.batch * s.keys + key, k)});
    if (c.in(kBias)) product(e, c, 1, {in(kBias, rowOf(s, at), key)});
    return e;
  }
  template <class Real>
  static Explanation masked(const OpCall<Real>& c, const Cell& at, std::int64_t key) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    Explanation e{"masked scores[i, j] = scores[i, j] / sqrt(key size) + mask"};
    if (s.hides(at.query, key)) {
      e.constant = -std::numeric_limits<double>::infinity();
      return e;
    }
    const double scale = 1.0 / std::sqrt(double(s.key_size));
    if (c.out(kScores)) {
      product(e, c, scale, {out(kScores, rowOf(s, at), key)});
    } else {
      e.terms = score(c, at, key).terms;
      for (Contribution& term : e.terms) {
        term.amount *= scale;
        term.factor *= scale;
      }
    }
    const auto pad = c.ids(kKeyPad);
    const std::int64_t row = at.batch * s.keys + key;
    if (!pad.empty())
      e.terms.push_back({pad[std::size_t(row)] != 0 ? kPadScore : 0.0, {in(kKeyPad, row, 0)}});
    return e;
  }

  /// The gradient of a number of a map, which is computed on the way to the inputs'.
  template <class Real>
  static Explanation ofMap(const OpCall<Real>& c, const StepNumber& of) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    const Cell at{of.row / (s.heads * s.queries), of.row / s.queries % s.heads, of.row % s.queries};
    const auto to = [&](std::size_t output, std::int64_t key) {
      return d(out(output, of.row, key));
    };
    if (of.index == weights(c)) {
      Explanation e{"dprobabilities[i, j] = sum_c dmixed[i, c] v[j, c]"};
      for (std::int64_t k = at.head * s.value_size; k < (at.head + 1) * s.value_size; ++k)
        product(e, c, 1,
                {d(out(kMixed, at.batch * s.queries + at.query, k)),
                 in(kValue, at.batch * s.keys + of.col, k)});
      return e;
    }
    if (of.index == kProbabilities) {
      Explanation e{"dprobabilities[i, j] = ddropped[i, j] factor keep / (1 - rate)"};
      const double factor = changeOf(c, of).factor;
      if (factor != 0.0 && keeps(c, of.row, of.col)) {
        const StepNumber dropped = to(kDropped, of.col);
        const double kept = factor / (1.0 - rate(c));
        e.terms.push_back(term(ofMap(c, dropped).value() * kept, kept, {dropped}));
      }
      return e;
    }
    const double scale = 1.0 / std::sqrt(double(s.key_size));
    if (of.index == kScores) {
      const StepNumber cell = to(kMasked, of.col);
      return {"dscores[i, j] = dmasked scores[i, j] / sqrt(key size)",
              {term(ofMap(c, cell).value() * scale, scale, {cell})}};
    }
    Explanation e{"dmasked scores[i, j] = sum_k dprobabilities[i, k] p[i, k] ([k = j] - p[i, j])"};
    const double own = numberIn(c, out(kProbabilities, of.row, of.col));
    for (std::int64_t k = 0; k < s.keys; ++k) {
      const StepNumber p = out(kProbabilities, of.row, k), dp = to(kProbabilities, k);
      const double factor = (k == of.col ? 1.0 : 0.0) - own, share = numberIn(c, p) * factor;
      if (share != 0.0)
        e.terms.push_back(term(ofMap(c, dp).value() * share, factor, {dp, p},
                               {out(kProbabilities, of.row, of.col)}));
    }
    return e;
  }

  /// The gradient of a score by itself. One of a query or key has many of them, so this does not
  /// look at all keys for each: sum_k dprobabilities[i, k] p[i, k] = sum_c dmixed[i, c] mixed[i,
  /// c], less the part of mixed that was added to changed cells.
  template <class Real>
  static double scoreGradient(const OpCall<Real>& c, const StepNumber& of) {
    const AttentionArguments& a = c.template get<AttentionArguments>();
    const AttentionShape& s = a.shape;
    const Cell at{of.row / (s.heads * s.queries), of.row / s.queries % s.heads, of.row % s.queries};
    const std::int64_t row = at.batch * s.queries + at.query;
    const std::int64_t first = at.head * s.value_size, end = first + s.value_size;
    const auto weightGradient = [&](std::int64_t key) {
      double sum = 0.0;
      for (std::int64_t k = first; k < end; ++k)
        sum += numberIn(c, d(out(kMixed, row, k))) *
               numberIn(c, in(kValue, at.batch * s.keys + key, k));
      return sum;
    };
    double own = weightGradient(of.col) * changeOf(c, of).factor;
    if (!keeps(c, of.row, of.col)) own = 0.0;
    double all = 0.0;
    for (std::int64_t k = first; k < end; ++k)
      all += numberIn(c, d(out(kMixed, row, k))) * numberIn(c, out(kMixed, row, k));
    for (std::int64_t key = 0; key < s.keys && !a.changes.empty(); ++key)
      if (const double added = changeOf(c, out(kDropped, of.row, key)).added; added != 0.0)
        all -= added * weightGradient(key);
    return numberIn(c, out(kProbabilities, of.row, of.col)) * (own / (1.0 - rate(c)) - all) /
           std::sqrt(double(s.key_size));
  }

  template <class Real>
  static Explanation ofInput(const OpCall<Real>& c, const StepNumber& of) {
    const AttentionShape& s = c.template get<AttentionArguments>().shape;
    const auto dscore = [&](const Cell& at, std::int64_t key) {
      return d(out(kScores, rowOf(s, at), key));
    };
    // dscore times a number.
    const auto add = [&](Explanation& e, const StepNumber& gradient, const StepNumber& by) {
      e.terms.push_back(term(scoreGradient(c, gradient) * numberIn(c, by), 1.0, {gradient, by}));
    };
    switch (of.index) {
      case kQuery: {
        const Cell at{of.row / s.queries, of.col / s.key_size, of.row % s.queries};
        Explanation e{"dq[i, k] = sum_j dscores[i, j] k[j, k]"};
        for (std::int64_t j = 0; j < s.keys; ++j)
          add(e, dscore(at, j), in(kKey, at.batch * s.keys + j, of.col));
        return e;
      }
      case kKey: {
        Explanation e{"dk[j, k] = sum_i dscores[i, j] q[i, k]"};
        for (std::int64_t i = 0; i < s.queries; ++i) {
          const Cell at{of.row / s.keys, of.col / s.key_size, i};
          add(e, dscore(at, of.row % s.keys), in(kQuery, at.batch * s.queries + i, of.col));
        }
        return e;
      }
      case kValue: {
        Explanation e{"dv[j, c] = sum_i dmixed[i, c] probabilities[i, j]"};
        for (std::int64_t i = 0; i < s.queries; ++i) {
          const Cell at{of.row / s.keys, of.col / s.value_size, i};
          product(e, c, 1,
                  {d(out(kMixed, at.batch * s.queries + i, of.col)),
                   out(weights(c), rowOf(s, at), of.row % s.keys)});
        }
        return e;
      }
      default: {
        const StepNumber cell = d(out(kScores, of.row, of.col));
        return {"dbias[i, j] = dscores[i, j]", {term(ofMap(c, cell).value(), 1.0, {cell})}};
      }
    }
  }
};

}  // namespace

const Op kAttention = explained<AttentionExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(attentionOp)(); }));

TensorId attention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k, TensorId v,
                   TensorId key_pad, const AttentionShape& s, double dropout_rate, TensorId bias) {
  check(b.tensor(q).rows == s.batch * s.queries && b.tensor(k).rows == s.batch * s.keys &&
            b.tensor(v).rows == s.batch * s.keys,
        "attention: one row per position of each sequence");
  check(b.tensor(q).cols == s.heads * s.key_size && b.tensor(k).cols == s.heads * s.key_size &&
            b.tensor(v).cols == s.heads * s.value_size,
        "attention: heads * size columns");
  check(!s.causal || s.queries == s.keys, "attention: as many queries as keys under a causal mask");
  check(s.window == 0 || s.causal, "attention: a window only under a causal mask");
  const std::int64_t rows = s.batch * s.heads * s.queries;
  check(bias == kNoTensor || (b.tensor(bias).rows == rows && b.tensor(bias).cols == s.keys),
        "attention: one bias a query and key of every head");
  const auto score = [&](const std::string& name) {
    return b.activation(path + name, rows, s.keys);
  };
  const bool drops = b.training() && dropout_rate > 0.0;
  const TensorId scores = b.keepsScores() ? score(".scores") : kNoTensor;
  const TensorId masked = b.keepsScores() ? score(".masked_scores") : kNoTensor;
  const std::string map = ".probabilities";
  std::vector<CellChange> changes = cellChanges(b.changes(), path + map, s);
  const bool changed = !changes.empty();
  check(!(drops && changed), "attention: what is trained is not changed");
  const bool kept = b.isWatched() || changed;
  const TensorId probabilities = kept ? score(changed ? map + kBefore : map) : kNoTensor;
  const TensorId dropped = changed         ? score(map)
                           : drops && kept ? score(".dropped_probabilities")
                                           : kNoTensor;
  const TensorId softmax_rows = kept ? kNoTensor : b.activation(path + ".softmax_rows", rows, 2);
  const TensorId mixed = b.activation(path + ".mixed", s.batch * s.queries, s.heads * s.value_size);
  const DropoutArguments dropout =
      drops ? DropoutArguments{dropout_rate, b.nextDropoutStream(), s.heads * s.queries}
            : DropoutArguments{};
  b.append({&kAttention,
            path,
            {q, k, v, key_pad, bias},
            {mixed, probabilities, dropped, scores, masked, softmax_rows},
            AttentionArguments{s, dropout, std::move(changes)}});
  return mixed;
}

}  // namespace tfm::ops
#endif
