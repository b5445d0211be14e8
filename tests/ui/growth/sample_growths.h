// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/blocks/blocks.h"
#include "ui/growth/grown_cells.h"

namespace tfm::ui {

/// Repeatable values that look like trained ones.
class SampleValues {
 public:
  float next(double size = 0.4) {
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
      state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
      sum += static_cast<double>(state_ >> 40) / static_cast<double>(1ULL << 24) - 0.5;
    }
    return static_cast<float>(sum * 1.7 * size);
  }

 private:
  std::uint64_t state_ = 42;
};

/// `old` indices that stay, then `added` new ones.
inline expand::AxisMap longer(int old, int added, Added kind = Added::Free) {
  expand::AxisMap map;
  for (int i = 0; i < old; ++i) map.push_back({.source = i});
  for (int i = 0; i < added; ++i) map.push_back({.added = kind, .born = 1});
  return map;
}

/// `heads` heads that grow from `old` to `old` + `added` indices each; `dead` of them do not, and
/// are padded.
inline expand::AxisMap longerHeads(int heads, int old, int added, Added kind, int dead = 0) {
  expand::AxisMap map;
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < old; ++i) map.push_back({.source = head * old + i});
    for (int i = 0; i < added; ++i)
      map.push_back({.added = kind, .padding = head >= heads - dead, .born = 1});
  }
  return map;
}

/// Each of `old` indices repeated `times` times, with that share of its weight.
inline expand::AxisMap repeated(int old, int times, double share) {
  expand::AxisMap map;
  for (int time = 0; time < times; ++time)
    for (int i = 0; i < old; ++i) map.push_back({.source = i, .share = share});
  return map;
}

inline Dimension dimensionOf(Axis axis, std::int64_t size) { return {{axis, size}}; }

struct NameAndTag {
  NameAndTag(const char* n, const ParameterTag& t = {}) : name(n), tag(t) {}
  std::string name;
  ParameterTag tag;
};
inline ParameterTag feedForwardTag(std::int64_t layer, ParameterPart part,
                                   Term term = Term::Weight) {
  return {{Stack::Decoder, layer, 2, FeedForward::kKind}, part, term};
}
inline ParameterTag attentionTag(ParameterPart part) {
  return {{Stack::Decoder, 0, 0, SelfAttention::kKind}, part};
}

/// A matrix grown according to the maps, with sample values before and the resulting ones after.
inline GrownCells grown(const NameAndTag& named, Shape before, Shape after, expand::AxisMap rows,
                        expand::AxisMap cols, double factor = 1.0, bool broken = false,
                        bool centred = false) {
  SampleValues values;
  expand::GrownMatrix matrix;
  std::vector<float> old_values, new_values;
  expand::ParameterGrowth& growth = matrix.growth;
  growth.after.name = named.name;
  growth.after.tag = named.tag;
  growth.after.shape = std::move(after);
  growth.rows = std::move(rows);
  growth.cols = std::move(cols);
  growth.factor = factor;
  growth.centred_rows = centred;
  if (!before.empty()) {
    growth.before = growth.after;
    growth.before->shape = std::move(before);
    for (std::int64_t i = 0; i < growth.before->size(); ++i) old_values.push_back(values.next());
  }
  const std::int64_t old_cols = growth.before ? growth.before->cols() : 0;
  for (std::int64_t row = 0; row < growth.after.rows(); ++row) {
    for (std::int64_t col = 0; col < growth.after.cols(); ++col) {
      const std::int64_t from_row = growth.rows[static_cast<std::size_t>(row)].source;
      const std::int64_t from_col = growth.cols[static_cast<std::size_t>(col)].source;
      const expand::Entry entry = growth.entry(row, col);
      float value = 0.0F;
      if (from_row >= 0 && from_col >= 0) {
        value = static_cast<float>(
            old_values[static_cast<std::size_t>(from_row * old_cols + from_col)] *
            growth.scale(row, col));
        if (centred) value -= 0.01F;
      } else if (entry == expand::Entry::Free || entry == expand::Entry::Derived ||
                 (broken && entry == expand::Entry::Zero)) {
        value = values.next(0.3);
      }
      new_values.push_back(value);
    }
  }
  matrix.before = std::move(old_values);
  matrix.after = std::move(new_values);
  return GrownCells(std::move(matrix));
}

/// Feed-forward 5 to 9 on a hidden size of 8: the first weights are free, the second zero.
inline GrownCells feedForwardIn() {
  const auto shape = [](int inner) {
    return Shape{dimensionOf(Axis::FeedForward, inner), dimensionOf(Axis::Hidden, 8)};
  };
  return grown(
      {"decoder.layers.0.feed_forward.in.weight", feedForwardTag(0, ParameterPart::Linear1)},
      shape(5), shape(9), longer(5, 4), longer(8, 0));
}
inline GrownCells feedForwardOut(bool broken = false) {
  const auto shape = [](int inner) {
    return Shape{dimensionOf(Axis::Hidden, 8), dimensionOf(Axis::FeedForward, inner)};
  };
  return grown(
      {"decoder.layers.0.feed_forward.out.weight", feedForwardTag(0, ParameterPart::Linear2)},
      shape(5), shape(9), longer(8, 0), longer(5, 4, Added::Zero), 1.0, broken);
}
inline GrownCells feedForwardBias() {
  return grown({"decoder.layers.0.feed_forward.in.bias",
                feedForwardTag(0, ParameterPart::Linear1, Term::Bias)},
               {dimensionOf(Axis::FeedForward, 5)}, {dimensionOf(Axis::FeedForward, 9)},
               {{.source = 0}}, longer(5, 4));
}

/// Keys of seven heads from 5 to 8: the old ones are rescaled, the new ones zero.
inline GrownCells keys(int dead = 0) {
  const auto shape = [](int key) {
    return Shape{{{Axis::Head, 7}, {Axis::Key, key}}, dimensionOf(Axis::Hidden, 8)};
  };
  return grown({"decoder.layers.0.self_attention.key.weight", attentionTag(ParameterPart::Key)},
               shape(5), shape(8), longerHeads(7, 5, 3, Added::Zero, dead), longer(8, 0),
               std::sqrt(8.0 / 5.0));
}
inline GrownCells queries() {
  const auto shape = [](int key) {
    return Shape{{{Axis::Head, 7}, {Axis::Key, key}}, dimensionOf(Axis::Hidden, 8)};
  };
  return grown({"decoder.layers.0.self_attention.query.weight", attentionTag(ParameterPart::Query)},
               shape(5), shape(8), longerHeads(7, 5, 3, Added::Free), longer(8, 0));
}

/// Hidden 8 to 16: every component is there twice, and readers take half of each.
inline GrownCells duplicated() {
  const auto shape = [](int hidden) {
    return Shape{dimensionOf(Axis::FeedForward, 5), dimensionOf(Axis::Hidden, hidden)};
  };
  return grown(
      {"decoder.layers.1.feed_forward.in.weight", feedForwardTag(1, ParameterPart::Linear1)},
      shape(8), shape(16), longer(5, 0), repeated(8, 2, 0.5));
}

/// Hidden 8 to 12 by the mean of the old components.
inline GrownCells averaged() {
  expand::AxisMap cols = longer(8, 0);
  for (int i = 0; i < 4; ++i) cols.push_back({.source = expand::AxisIndex::kMean, .born = 1});
  const auto shape = [](int hidden) {
    return Shape{dimensionOf(Axis::Vocabulary, 12), dimensionOf(Axis::Hidden, hidden)};
  };
  return grown({"embedding.weight", {{Stack::Encoder}, ParameterPart::Embedding}}, shape(8),
               shape(12), longer(12, 0), std::move(cols));
}
inline GrownCells centred() {
  const auto shape = [](int hidden) {
    return Shape{dimensionOf(Axis::Hidden, hidden), dimensionOf(Axis::FeedForward, 5)};
  };
  return grown(
      {"decoder.layers.1.feed_forward.out.weight", feedForwardTag(1, ParameterPart::Linear2)},
      shape(8), shape(12), longer(8, 4, Added::Zero), longer(5, 0), 1.0, false, true);
}

/// A square matrix of `old` that becomes one of `old` + `added`.
inline GrownCells square(int old, int added) {
  const auto shape = [](int size) {
    return Shape{dimensionOf(Axis::Hidden, size), dimensionOf(Axis::FeedForward, size)};
  };
  return grown("large.weight", shape(old), shape(old + added), longer(old, added),
               longer(old, added, Added::Zero));
}

/// An entirely new matrix.
inline GrownCells newLayer() {
  expand::AxisMap rows(5, expand::AxisIndex{.added = Added::Zero, .born = 1});
  expand::AxisMap cols(8, expand::AxisIndex{.added = Added::Free, .born = 1});
  return grown(
      {"decoder.layers.2.feed_forward.out.weight", feedForwardTag(2, ParameterPart::Linear2)}, {},
      {dimensionOf(Axis::FeedForward, 5), dimensionOf(Axis::Hidden, 8)}, rows, cols);
}

/// An unchanged matrix.
inline GrownCells unchanged() {
  const Shape shape{dimensionOf(Axis::Output, 6), dimensionOf(Axis::Hidden, 8)};
  return grown("head.weight", shape, shape, longer(6, 0), longer(8, 0));
}

inline std::vector<GrownCells> sampleWall() {
  return {averaged(),       queries(),    keys(2),   feedForwardIn(), feedForwardBias(),
          feedForwardOut(), duplicated(), centred(), newLayer(),      unchanged()};
}

}  // namespace tfm::ui
