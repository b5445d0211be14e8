// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// What a dimension of a tensor counts. Growth, nesting and labels follow these tags.
enum class Axis {
  Vocabulary,
  Position,
  Embedding,  ///< width of token tables that is not the hidden size
  Hidden,
  Head,
  Query,  ///< queries that share the keys and values of a head
  Key,
  Value,
  FeedForward,
  Dextra,    ///< widths inside a DExTra unit, which expansions keep
  Group,     ///< of a grouped map
  Memory,    ///< width of an encoder output from outside the model
  Output,    ///< classes or features in the model's output
  Layer,     ///< one number for a whole layer
  Sinusoid,  ///< components of the sinusoid of a distance
  Segment,   ///< another segment, the same segment
  Bucket,    ///< distances that share a number
};

/// The name of an axis as shown to users, e.g. "feed-forward".
std::string_view axisName(Axis axis);

/// What entries added along an axis must be for the grown model to compute the same function: a new
/// entry is zero if any of the axes it is new along requires it (Gesmundo and Maile 2023, section
/// 3).
enum class Added { Free, Zero };

/// One factor of a dimension.
struct AxisSize {
  Axis axis;
  std::int64_t size;
  Added added = Added::Free;
  /// For each index of the preceding factor, how many entries of this one are in use; the rest are
  /// stored and stay zero. Empty: all are in use.
  std::vector<std::int64_t> in_use = {};
  bool operator==(const AxisSize&) const = default;
};

/// One dimension of a tensor: the product of its factors, the first varying slowest. For example,
/// the rows of a query matrix are heads x key size, so the rows of a head are contiguous.
struct Dimension {
  std::vector<AxisSize> factors;

  Dimension(std::initializer_list<AxisSize> f) : factors(f) {}
  std::int64_t size() const;
  /// Whether the entry at `index` is in use (see AxisSize::in_use).
  bool uses(std::int64_t index) const;
  /// The names of the factors, e.g. "head x key".
  std::string name() const;
  bool operator==(const Dimension&) const = default;
};

/// The dimensions of a tensor, outermost first.
using Shape = std::vector<Dimension>;

/// The sizes of the dimensions, e.g. {35, 8}.
std::vector<std::int64_t> sizes(const Shape& shape);
/// Sizes as text, e.g. "35 x 8".
std::string sizeText(const std::vector<std::int64_t>& sizes);

}  // namespace tfm
