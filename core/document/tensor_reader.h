// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/io/safetensors.h"

namespace tfm::train {

/// The largest whole number that JSON and F64 preserve.
inline constexpr std::int64_t kMaxCounted = std::int64_t{1} << 53;

/// Reads a document's tensors by name and records which were read.
class TensorReader {
 public:
  /// `file` must outlive the reader; `where` names it in errors.
  TensorReader(const io::TensorFile& file, std::string where)
      : file_(file), where_(std::move(where)) {}

  bool has(const std::string& name) const;
  /// Whether there is one whose name begins so.
  bool hasAny(const std::string& prefix) const;
  /// Throws Error if it is missing or has another element type.
  const io::NamedTensor& get(const std::string& name, io::DType dtype);
  /// Throws Error if a tensor of floats is missing or has another type or shape.
  void require(const std::string& name, const std::vector<std::int64_t>& shape);
  /// All numbers of a tensor that require() accepted.
  void read(const std::string& name, std::span<float> to) const;
  /// Throws Error for a tensor that was not read.
  void refuseExtra() const;

  const std::string& where() const { return where_; }

 private:
  const io::TensorFile& file_;
  std::string where_;
  std::set<std::string> wanted_;
};

}  // namespace tfm::train
