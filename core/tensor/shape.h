// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tfm {

/// What a dimension of a tensor counts. Growth, nesting and labels are rules over these tags.
enum class Axis {
  Vocabulary,
  Position,
  Hidden,
  Head,
  Key,
  Value,
  FeedForward,
  Memory,  ///< width of an encoder output that comes from outside the model
  Output,  ///< classes or features that the model answers with
  Layer,   ///< one number for a whole layer
};

/// The tag in the words of the interface, e.g. "feed-forward".
std::string_view axisName(Axis axis);

/// What entries that are added along an axis must be for a grown model to compute what it did: a
/// new entry is zero where any of its new axes says so (Gesmundo and Maile 2023, section 3).
enum class Added { Free, Zero };

/// One factor of a dimension.
struct AxisSize {
  Axis axis;
  std::int64_t size;
  Added added = Added::Free;
  /// For each index of the factor before it, how many of this one's are in use; what lies beyond is
  /// stored and stays zero. Empty: all are.
  std::vector<std::int64_t> in_use = {};
  bool operator==(const AxisSize&) const = default;
};

/// One dimension of a tensor: the product of its factors, the first varying slowest.
/// The rows of a query matrix are heads x key size, so that a head's rows are contiguous.
struct Dimension {
  std::vector<AxisSize> factors;

  Dimension(std::initializer_list<AxisSize> f) : factors(f) {}
  std::int64_t size() const;
  /// Whether an index is one in use.
  bool uses(std::int64_t index) const;
  /// For example "heads x key".
  std::string name() const;
  bool operator==(const Dimension&) const = default;
};

/// The dimensions of a tensor, outermost first.
using Shape = std::vector<Dimension>;

std::int64_t elementCount(const Shape& shape);
/// Sizes only, e.g. {35, 8}.
std::vector<std::int64_t> sizes(const Shape& shape);
/// For example "35 x 8".
std::string sizeText(const std::vector<std::int64_t>& sizes);

}  // namespace tfm
