// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/io/named_tensor.h"

namespace tfm::train {

/// The largest whole number that JSON and F64 preserve.
inline constexpr std::int64_t kMaxCounted = std::int64_t{1} << 53;

/// Reads a document's tensors by name and records which were read.
class TensorReader {
 public:
  /// `tensors` must outlive the reader; `where` names their source in errors.
  TensorReader(const io::NamedTensors& tensors, std::string where)
      : tensors_(tensors), where_(std::move(where)) {}

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// Whether there is one whose name begins so.
  bool hasAny(const std::string& prefix) const;
  /// Throws Error if it is missing or has another element type.
  const io::NamedTensor& get(const std::string& name, io::DType dtype);
  /// A tensor of floats. Throws Error if it is missing or has another type or shape.
  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape);
  /// Throws Error for a tensor that was not read.
  void refuseExtra() const;

  const std::string& where() const { return where_; }

 private:
  const io::NamedTensors& tensors_;
  std::string where_;
  std::set<std::string> wanted_;
};

}  // namespace tfm::train
