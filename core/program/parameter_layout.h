// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/aligned_vector.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/shape.h"

namespace tfm {

/// Initializers of parameters.
///   XavierUniform: uniform +-sqrt(6 / (in + out)) (Glorot and Bengio 2010)
///   LecunNormal: truncated normal of variance 1 / in, as flax's lecun_normal
///   HeNormal: normal of variance 2 / in (He et al. 2015)
///   Normal: normal of the given standard deviation
///   Constant: the given value
enum class InitialValues { XavierUniform, LecunNormal, HeNormal, Normal, Constant };

struct InitialRule {
  InitialValues kind = InitialValues::Constant;
  double value = 0.0;  ///< standard deviation of Normal, value of Constant
  bool operator==(const InitialRule&) const = default;
};

enum class Stack { None, Encoder, Decoder };
/// As in files and tensor names: "encoder".
std::string_view stackName(Stack stack);

/// A kind of block, identified by its name in files and tensor names: "self_attention". Empty: no
/// block.
struct BlockKind {
  std::string_view name;  ///< a literal
  auto operator<=>(const BlockKind&) const = default;
};

/// The place of a step or parameter in a model.
struct Site {
  Stack stack = Stack::None;  ///< None: the output, or a single attention
  std::int64_t layer = -1;    ///< index in the stack; -1: outside layers
  std::int64_t block = -1;    ///< index in the layer; -1: outside blocks
  BlockKind kind = {};        ///< of the block
  auto operator<=>(const Site&) const = default;
};

/// What a parameter belongs to at its site, identified by its name in tensor names. Blocks may
/// define their own.
struct ParameterPart {
  std::string_view name;    ///< a literal
  std::int64_t number = 0;  ///< from 1 if a block has several of that name
  auto operator<=>(const ParameterPart&) const = default;

  static const ParameterPart None, Embedding, Positions, EmbeddingNorm, FinalNorm;
  static const ParameterPart Norm;  ///< of a block
  static const ParameterPart Query, Key, Value;
  static const ParameterPart Output;  ///< of an attention or, outside stacks, of the model
  static const ParameterPart Linear1, Linear2;
  static const ParameterPart Up;                        ///< what gates a feed-forward
  static const ParameterPart Gate;                      ///< of a layer
  static const ParameterPart EmbeddingMap;              ///< to the hidden size
  static const ParameterPart Transform, TransformNorm;  ///< before the output
};
inline constexpr ParameterPart ParameterPart::None{};
inline constexpr ParameterPart ParameterPart::Embedding{"embedding"};
inline constexpr ParameterPart ParameterPart::Positions{"positions"};
inline constexpr ParameterPart ParameterPart::EmbeddingNorm{"embedding_norm"};
inline constexpr ParameterPart ParameterPart::FinalNorm{"final_norm"};
inline constexpr ParameterPart ParameterPart::Norm{"norm"};
inline constexpr ParameterPart ParameterPart::Query{"query"};
inline constexpr ParameterPart ParameterPart::Key{"key"};
inline constexpr ParameterPart ParameterPart::Value{"value"};
inline constexpr ParameterPart ParameterPart::Output{"output"};
inline constexpr ParameterPart ParameterPart::Linear1{"linear1"};
inline constexpr ParameterPart ParameterPart::Linear2{"linear2"};
inline constexpr ParameterPart ParameterPart::Up{"up"};
inline constexpr ParameterPart ParameterPart::Gate{"gate"};
inline constexpr ParameterPart ParameterPart::EmbeddingMap{"embedding_map"};
inline constexpr ParameterPart ParameterPart::Transform{"transform"};
inline constexpr ParameterPart ParameterPart::TransformNorm{"transform_norm"};
/// As in tensor names: "query", "map3".
std::string partName(ParameterPart part);

/// Weight and bias of a linear map or embedding, gain and shift of a norm.
enum class Term { Weight, Bias, Gain, Shift };

/// Identifies a parameter independently of its name; unique within a model's layout.
struct ParameterTag {
  Site site;
  ParameterPart part = {};
  Term term = Term::Weight;
  auto operator<=>(const ParameterTag&) const = default;
  /// Growth treats the parameters of norms separately, as norms are not linear.
  bool ofNorm() const { return term == Term::Gain || term == Term::Shift; }
};

/// One learned tensor. Matrices are stored (out, in), vectors as one row.
struct ParameterInfo {
  std::string name;
  Shape shape;
  InitialRule initial;
  ParameterTag tag;
  std::int64_t offset = 0;  ///< of its first element in the arena of all parameters

  std::int64_t rows() const { return shape.size() == 1 ? 1 : shape.front().size(); }
  std::int64_t cols() const { return shape.back().size(); }
  std::int64_t size() const { return rows() * cols(); }
};

/// The parameters of a model, stored consecutively in one arena.
struct ParameterLayout {
  std::vector<ParameterInfo> parameters;
  std::int64_t total = 0;

  /// The parameter with that name, or nullptr.
  const ParameterInfo* find(std::string_view name) const;
  /// The parameter with that tag, or nullptr.
  const ParameterInfo* find(const ParameterTag& tag) const;
};

/// A parameter as a view of the arena.
template <class Real>
MatrixView<Real> parameterView(Real* arena, const ParameterInfo& info) {
  return {arena + info.offset, info.rows(), info.cols()};
}

/// Sets the initial values of all parameters. Each has its own random stream, chosen by its index
/// in the layout; float and double values are equal up to rounding.
template <class Real>
void initialize(const ParameterLayout& layout, std::uint64_t seed, AlignedVector<Real>& values);

}  // namespace tfm
