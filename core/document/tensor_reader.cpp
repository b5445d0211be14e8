// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/tensor_reader.h"

#include "core/base/error.h"
#include "core/tensor/shape.h"

namespace tfm::train {

bool TensorReader::hasAny(const std::string& prefix) const {
  const auto first = tensors_.lower_bound(prefix);
  return first != tensors_.end() && first->first.starts_with(prefix);
}

const io::NamedTensor& TensorReader::get(const std::string& name, io::DType dtype) {
  const auto found = tensors_.find(name);
  if (found == tensors_.end())
    throw Error("tensor '" + name + "' is missing", where_,
                "The file is incomplete; save the document again");
  if (found->second.dtype != dtype)
    throw Error("tensor '" + name + "' holds " + std::string(io::dtypeName(found->second.dtype)),
                where_, "Expected " + std::string(io::dtypeName(dtype)));
  wanted_.insert(name);
  return found->second;
}

const io::NamedTensor& TensorReader::get(const std::string& name,
                                         const std::vector<std::int64_t>& shape) {
  const io::NamedTensor& t = get(name, io::DType::F32);
  if (t.shape != shape)
    throw Error("tensor '" + name + "' is " + sizeText(t.shape), where_,
                "The model's config needs " + sizeText(shape));
  return t;
}

void TensorReader::refuseExtra() const {
  for (const auto& [name, tensor] : tensors_)
    if (!wanted_.contains(name))
      throw Error("tensor '" + name + "' does not belong to the model", where_,
                  "The config in the file describes a model without it");
}

}  // namespace tfm::train
