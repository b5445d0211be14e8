// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/named_tensor.h"

namespace tfm {

/// How the files of a family of encoders name their tensors.
struct EncoderNames {
  std::string_view family;                ///< in messages, "BERT"
  std::string_view prefix;                ///< of all names, if the file has any with it: "bert."
  std::vector<std::string_view> parts;    ///< prefixes of the encoder's names; others are of heads
  std::vector<std::string_view> ignored;  ///< of the encoder, but without numbers to read
};

/// The tensors of an encoder's file by name without prefix; records which were read.
class EncoderTensors {
 public:
  /// `tensors` must outlive this object; `where` names the file in errors.
  EncoderTensors(const io::NamedTensors& tensors, EncoderNames names, std::string where);

  /// A first dimension of 0 in `shape` accepts any number of rows. Throws Error if the tensor is
  /// missing, of another shape or not of real numbers.
  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape);
  /// Throws Error for an encoder tensor that was not read: the config describes another encoder.
  void refuseExtra() const;

 private:
  io::NamedTensors::const_iterator find(const std::string& name) const;

  const io::NamedTensors& tensors_;
  EncoderNames names_;
  std::string where_;
  std::string prefix_;
  std::set<std::string> wanted_;
};

/// The numbers of a tensor. Throws Error if one is not finite.
template <class Real>
std::vector<Real> finiteValues(const io::NamedTensor& tensor, std::string_view name,
                               const std::string& where);

}  // namespace tfm
