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

/// How the first values of a parameter are drawn.
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
/// In files and names of tensors: "encoder".
std::string_view stackName(Stack stack);

/// A kind of block by its name in files and in names of tensors: "self_attention". The name is a
/// literal; without one there is no block.
struct BlockKind {
  std::string_view name;
  auto operator<=>(const BlockKind&) const = default;
};

/// Where in a model a step or a parameter stands.
struct Site {
  Stack stack = Stack::None;  ///< None: the output, or a single attention
  std::int64_t layer = -1;    ///< of the stack; -1: outside its layers
  std::int64_t block = -1;    ///< of the layer; -1: outside its blocks
  BlockKind kind = {};        ///< of the block
  auto operator<=>(const Site&) const = default;
};

/// What a parameter belongs to at its site, by its name in names of tensors. A kind of block may
/// have parts of its own.
struct ParameterPart {
  std::string_view name;    ///< a literal
  std::int64_t number = 0;  ///< from 1 where a block has several of that name
  auto operator<=>(const ParameterPart&) const = default;

  static const ParameterPart None, Embedding, Positions, EmbeddingNorm, FinalNorm;
  static const ParameterPart Norm;  ///< of a block
  static const ParameterPart Query, Key, Value;
  static const ParameterPart Output;  ///< of an attention or, outside the stacks, of the model
  static const ParameterPart Linear1, Linear2;
  static const ParameterPart Gate;  ///< of a layer
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
inline constexpr ParameterPart ParameterPart::Gate{"gate"};
/// In names of tensors: "query", "group3".
std::string partName(ParameterPart part);

/// Weight and bias of a linear map or table, gain and shift of a norm.
enum class Term { Weight, Bias, Gain, Shift };

/// What a parameter is, whatever its name. No two parameters of a layout that composites built are
/// the same.
struct ParameterTag {
  Site site;
  ParameterPart part = {};
  Term term = Term::Weight;
  auto operator<=>(const ParameterTag&) const = default;
  /// Norms are not linear maps: growth treats their parameters apart.
  bool ofNorm() const { return term == Term::Gain || term == Term::Shift; }
};

/// One learned tensor. Matrices are stored (out, in), vectors as one row.
struct ParameterInfo {
  std::string name;
  Shape shape;
  InitialRule initial;
  ParameterTag tag;
  std::int64_t offset = 0;  ///< of the first element in the arena of all parameters

  std::int64_t rows() const { return shape.size() == 1 ? 1 : shape.front().size(); }
  std::int64_t cols() const { return shape.back().size(); }
  std::int64_t size() const { return rows() * cols(); }
};

/// All parameters of a model, one after the other in one arena.
struct ParameterLayout {
  std::vector<ParameterInfo> parameters;
  std::int64_t total = 0;

  /// The parameter of that name, or nullptr.
  const ParameterInfo* find(std::string_view name) const;
  /// The parameter with that tag, or nullptr.
  const ParameterInfo* find(const ParameterTag& tag) const;
};

/// A parameter's matrix inside an arena of `layout.total` numbers.
template <class Real>
MatrixView<Real> parameterView(Real* arena, const ParameterInfo& info) {
  return {arena + info.offset, info.rows(), info.cols()};
}

/// Draws the first values of every parameter. Each has its own random stream, named by its position
/// in the layout, and the values are the same in float and double up to rounding.
template <class Real>
void initialize(const ParameterLayout& layout, std::uint64_t seed, AlignedVector<Real>& values);

}  // namespace tfm
