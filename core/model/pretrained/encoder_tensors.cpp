// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/encoder_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/tensor/shape.h"

namespace tfm {

EncoderTensors::EncoderTensors(const io::NamedTensors& tensors, EncoderNames names,
                               std::string where)
    : tensors_(tensors), names_(std::move(names)), where_(std::move(where)) {
  const std::string inside = std::string(names_.prefix) + "embeddings.";
  const bool prefixed =
      std::ranges::any_of(tensors, [&](const auto& t) { return t.first.starts_with(inside); });
  if (prefixed) prefix_ = names_.prefix;
}

const io::NamedTensor& EncoderTensors::get(const std::string& name,
                                           const std::vector<std::int64_t>& shape) {
  const auto found = find(name);
  const std::string size = shape.front() == 0
                               ? "rows of " + sizeText({shape.begin() + 1, shape.end()})
                               : sizeText(shape);
  const std::string expected = "Expected " + size + " numbers, as the config says";
  if (found == tensors_.end()) {
    const std::string problem = "tensor " + io::inQuotes(prefix_ + name) + " is missing";
    for (const auto& [other, tensor] : tensors_)
      if (other.ends_with('.' + name))
        throw Error(problem, where_,
                    "The file has " + io::inQuotes(other) +
                        ": save the encoder alone, without the prefix " +
                        io::inQuotes(other.substr(0, other.size() - name.size())));
    throw Error(problem, where_,
                expected + ", in a file of a " + std::string(names_.family) + " encoder");
  }
  const io::NamedTensor& tensor = found->second;
  const auto fits = [](std::int64_t is, std::int64_t wanted) {
    return wanted == 0 ? is > 0 : is == wanted;
  };
  if (!std::ranges::equal(tensor.shape, shape, fits))
    throw Error("tensor " + io::inQuotes(found->first) + " is " + sizeText(tensor.shape), where_,
                expected);
  using enum io::DType;
  const std::array kReal{F64, F32, F16, BF16};
  if (std::ranges::find(kReal, tensor.dtype) == kReal.end())
    throw Error("tensor " + io::inQuotes(found->first) + " holds " +
                    std::string(io::dtypeName(tensor.dtype)),
                where_, "Expected F32, F64, F16 or BF16");
  wanted_.insert(found->first);
  return tensor;
}

void EncoderTensors::refuseExtra() const {
  for (const auto& [name, tensor] : tensors_) {
    if (wanted_.contains(name) || !name.starts_with(prefix_)) continue;
    const std::string_view inner = std::string_view(name).substr(prefix_.size());
    const bool ours = std::ranges::any_of(
        names_.parts, [&](std::string_view part) { return inner.starts_with(part); });
    if (ours && std::ranges::find(names_.ignored, inner) == names_.ignored.end())
      throw Error("tensor " + io::inQuotes(name) + " does not belong to the encoder", where_,
                  "The config.json describes an encoder without it");
  }
}

io::NamedTensors::const_iterator EncoderTensors::find(const std::string& name) const {
  const auto found = tensors_.find(prefix_ + name);
  const bool norm = name.find("LayerNorm.") != std::string::npos;
  if (found != tensors_.end() || !norm) return found;
  // The names in early releases, converted from TensorFlow checkpoints.
  const std::string stem = prefix_ + name.substr(0, name.rfind('.'));
  return tensors_.find(stem + (name.ends_with(".weight") ? ".gamma" : ".beta"));
}

template <class Real>
std::vector<Real> finiteValues(const io::NamedTensor& tensor, std::string_view name,
                               const std::string& where) {
  std::vector<Real> values;
  if constexpr (std::is_same_v<Real, float>)
    values = io::floatValues(tensor);
  else
    values = io::doubleValues(tensor);
  if (!std::ranges::all_of(values, [](Real x) { return std::isfinite(x); }))
    throw Error("tensor " + io::inQuotes(name) + " holds values that are not finite numbers", where,
                "The file is damaged or its training diverged");
  return values;
}

template std::vector<float> finiteValues(const io::NamedTensor&, std::string_view,
                                         const std::string&);
template std::vector<double> finiteValues(const io::NamedTensor&, std::string_view,
                                          const std::string&);

}  // namespace tfm
