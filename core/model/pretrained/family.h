// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/stored_tensor.h"
#include "core/model/model_config.h"
#include "core/program/parameter_layout.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// Where the numbers of one of our parameters are in a foreign file, and what is done to them. A
/// vector counts as a matrix with one column. Our rows are outputs, (out, in).
struct ForeignTensor {
  std::string name;                      ///< without the family's prefix; empty: zeros
  std::vector<std::int64_t> shape;       ///< that it must have; a first 0: any number of rows
  bool transposed = false;               ///< stored (in, out)
  std::int64_t first = 0;                ///< the row of the tensor that is our first one
  std::int64_t block = 0;                ///< our rows come in blocks of so many; 0: all together
  std::int64_t every = 0;                ///< rows from the first one of a block to that of the next
  double factor = 1.0;                   ///< of all numbers
  double plus = 0.0;                     ///< then added to them
  std::string other = {};                ///< a name of the same tensor in some files
  std::string added = {};                ///< a tensor whose first row is added to all rows
  std::vector<std::string> copies = {};  ///< tensors that must have the same numbers
  bool optional = false;                 ///< zeros in a file that does not have it

  /// The tensor's row that is ours.
  std::int64_t rowOf(std::int64_t ours) const {
    return first + (block > 0 ? ours / block * every + ours % block : ours);
  }
};

/// The rows and columns of a parameter; a vector is one column.
inline std::int64_t rowsOf(const ParameterInfo& p) {
  return p.shape.size() == 1 ? p.cols() : p.rows();
}
inline std::int64_t colsOf(const ParameterInfo& p) { return p.shape.size() == 1 ? 1 : p.cols(); }

/// What a file says beside the config of our model.
struct ForeignModel {
  const ModelConfig& config;
  const io::StoredTensors& tensors;
  /// What the tensors need of the config.json, as Family::factors gives it.
  std::vector<double> factors = {};
};

/// A family of models: how its config.json and its tensors are read. Another family is a row of
/// families().
struct Family {
  std::string_view type;   ///< its "model_type"
  std::string_view words;  ///< in messages: "BERT encoder"
  ModelConfig (*config)(std::string_view json, const std::string& where) = nullptr;
  std::function<ForeignTensor(const ForeignModel& model, const ParameterInfo& parameter)> tensor;
  std::string_view begins = "";  ///< as the names of its classes in "architectures"
  std::string_view prefix = "";  ///< of all names, if the file has any with it: "bert."
  /// Beginnings of names without prefix, one of which every file has.
  std::vector<std::string_view> marks = {};
  /// Beginnings of the names of the model; tensors with others are of heads.
  std::vector<std::string_view> parts = {""};
  /// Ends of names without numbers to read.
  std::vector<std::string> ignored = {};
  /// Factors, or rows to leave out, that follow from the config.json, in the family's own order.
  std::vector<double> (*factors)(std::string_view json, const std::string& where) = nullptr;
  /// A tensor that files with a head for hidden tokens have; empty: none is read. Its maps and norm
  /// are ParameterPart::Transform, TransformNorm and Output.
  std::string_view masked_head = "";

  // For writing, see foreignFiles():
  /// The fields of the config.json of a model that may be of this family, as a JSON object: reading
  /// it tells whether it is. `pad`: the pad's id. Null: the family is read only.
  std::string (*fields)(const ModelConfig& config, std::int64_t pad) = nullptr;
  std::string_view class_name = "";  ///< of the library, which opens it
  std::string_view bare_class = "";  ///< the same without a head
};

/// The blocks of most families.
inline constexpr BlockKind kAttends = SelfAttention::kKind, kCrosses = CrossAttention::kKind,
                           kFeeds = FeedForward::kKind;

/// How a family names a map or norm, in layers or outside.
struct ForeignPart {
  BlockKind kind;
  ParameterPart part;
  std::string_view name;
  bool transposed = false;  ///< its weight is stored (in, out)
  std::int64_t third = -1;  ///< of a matrix that holds three maps
};
/// The tensor of a parameter, by the row that has it: "NAME.weight" or ".bias", in layers after
/// `layers` and the layer's number.
ForeignTensor foreignTensor(std::span<const ForeignPart> parts, std::string_view layers,
                            const ParameterInfo& parameter);

const std::vector<Family>& families();
/// Whether it is part of a head, whose names have no prefix.
bool isOfHead(const ParameterInfo& parameter);

/// The row with that type, which there must be.
const Family& familyNamed(std::string_view type);

/// The model of a config.json and a file with these tensors: with the head for hidden tokens if the
/// file has it (ModelConfig::output_transform, tied, with bias). Throws the errors of
/// Family::config.
ModelConfig foreignConfig(const Family& family, std::string_view json, const std::string& where,
                          const io::StoredTensors& tensors);
/// An encoder without such a head, whose parameters are the first ones of it.
ModelConfig withoutHead(ModelConfig config);

/// What became of a tensor of a foreign file.
struct MappedTensor {
  std::string name, type;           ///< as in the file
  std::vector<std::int64_t> shape;  ///< as in the file
  std::string done;                 ///< "transposed, rows 33 to 48"; empty: as it is
  std::string ours;                 ///< the parameter; empty: not used
  std::vector<std::int64_t> our_shape = {};
};

/// How the tensors of a file become the parameters of the family's model of that config; `json`:
/// its config.json. In the order of the parameters, then those not used. Nothing but shapes and
/// types is read. Throws Error naming a tensor that is missing or of a wrong shape, and what was
/// expected, or one of the model that the config does not have.
std::vector<MappedTensor> tensorMap(const Family& family, const ModelConfig& config,
                                    std::string_view json, const io::StoredTensors& tensors,
                                    const std::string& where);

/// The parameters, in the order of parameterLayout(). Throws the errors of tensorMap(), and Error
/// naming a tensor that is not finite, or differs from a copy of it.
template <class Real>
AlignedVector<Real> foreignParameters(const Family& family, const ModelConfig& config,
                                      std::string_view json, const io::StoredTensors& tensors,
                                      const std::string& where);

}  // namespace tfm
