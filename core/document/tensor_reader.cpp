// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/tensor_reader.h"

#include <algorithm>
#include <string_view>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/tensor/shape.h"

namespace tfm::train {

namespace {

[[noreturn]] void throwMissing(const std::string& name, const std::string& where) {
  throw Error("tensor '" + name + "' is missing", where,
              "The file is incomplete; save the document again");
}

[[noreturn]] void throwType(const std::string& name, std::string_view type,
                            const std::string& where, io::DType expected) {
  throw Error("tensor '" + name + "' holds " + std::string(type), where,
              "Expected " + std::string(io::dtypeName(expected)));
}

template <class Tensors>
bool beginsWith(const Tensors& tensors, const std::string& prefix) {
  const auto first = tensors.lower_bound(prefix);
  return first != tensors.end() && first->first.starts_with(prefix);
}

}  // namespace

bool TensorReader::has(const std::string& name) const {
  return file_.tensors.contains(name) || file_.stored.contains(name);
}

bool TensorReader::hasAny(const std::string& prefix) const {
  return beginsWith(file_.tensors, prefix) || beginsWith(file_.stored, prefix);
}

const io::NamedTensor& TensorReader::get(const std::string& name, io::DType dtype) {
  const auto found = file_.tensors.find(name);
  if (found == file_.tensors.end()) {
    if (file_.stored.contains(name)) throwType(name, file_.stored.at(name).type, where_, dtype);
    throwMissing(name, where_);
  }
  if (found->second.dtype != dtype)
    throwType(name, io::dtypeName(found->second.dtype), where_, dtype);
  wanted_.insert(name);
  return found->second;
}

void TensorReader::require(const std::string& name, const std::vector<std::int64_t>& shape) {
  const auto stored = file_.stored.find(name);
  const std::vector<std::int64_t>& own =
      stored != file_.stored.end() ? stored->second.shape : get(name, io::DType::F32).shape;
  if (own != shape)
    throw Error("tensor '" + name + "' is " + sizeText(own), where_,
                "The model's config needs " + sizeText(shape));
  wanted_.insert(name);
}

void TensorReader::read(const std::string& name, std::span<float> to) const {
  check(wanted_.contains(name), "a tensor is required before it is read");
  if (const auto stored = file_.stored.find(name); stored != file_.stored.end())
    return stored->second.read(0, to);
  const std::vector<float> values = io::floatValues(file_.tensors.at(name));
  std::ranges::copy(values, to.begin());
}

void TensorReader::refuseExtra() const {
  const auto refuse = [&](const std::string& name) {
    if (!wanted_.contains(name))
      throw Error("tensor '" + name + "' does not belong to the model", where_,
                  "The config in the file describes a model without it");
  };
  for (const auto& [name, tensor] : file_.tensors) refuse(name);
  for (const auto& [name, tensor] : file_.stored) refuse(name);
}

}  // namespace tfm::train
