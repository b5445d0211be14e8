// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/io/named_tensor.h"

namespace tfm::train {

/// The largest whole number that every reader of JSON and F64 keeps.
inline constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;

/// Fetches a document's tensors by name and remembers which were wanted.
class TensorReader {
 public:
  /// `tensors` must outlive the reader; `where` names their source in errors.
  TensorReader(const io::NamedTensors& tensors, std::string where)
      : tensors_(tensors), where_(std::move(where)) {}

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// Throws Error where it is missing or of another element type.
  const io::NamedTensor& get(const std::string& name, io::DType dtype);
  /// A tensor of floats. Throws Error where it is missing or of another type or shape.
  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape);
  /// Throws Error for a tensor that nobody wanted.
  void refuseExtra() const;

  const std::string& where() const { return where_; }

 private:
  const io::NamedTensors& tensors_;
  std::string where_;
  std::set<std::string> wanted_;
};

}  // namespace tfm::train
