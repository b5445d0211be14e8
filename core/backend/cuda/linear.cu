// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/cublas_lt.h"
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"
#include "core/backend/cuda/tile.h"

namespace tfm::cuda {
namespace {

/// c += a b + bias for each group; the operands of the next group begin `step` numbers later.
template <class Real>
struct Product {
  Matrix<const Real> a, b;
  Sum<Real> c;
  Matrix<const Real> bias = {};
  std::int64_t a_step = 0, b_step = 0, c_step = 0, bias_step = 0;
  std::int64_t groups = 1;
};

template <class Sums, class Real>
__global__ void multiply(Product<Real> p, std::int64_t row_tiles, std::int64_t col_tiles) {
  const std::int64_t tiles = row_tiles * col_tiles;
  const std::int64_t group = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  p.a.data += group * p.a_step;
  p.b.data += group * p.b_step;
  p.c.cells.data += group * p.c_step;
  p.bias.data += p.bias ? group * p.bias_step : 0;
  const std::int64_t row = tile / col_tiles * Sums::kSize, col = tile % col_tiles * Sums::kSize;
  const Shared<Real> room(0, Sums::kRoom);
  Sums sums;
  sums.addProduct(room, p.a.cols, Window<Real>(p.a).from(row, 0), Window<Real>(p.b).from(0, col));
  sums.each([&](int, int r, int j, Real sum) {
    if (row + r >= p.c.cells.rows || col + j >= p.c.cells.cols) return;
    p.c.add(row + r, col + j, p.bias ? sum + p.bias.at(0, col + j) : sum);
  });
}

/// Whether NVIDIA's library has done it, where it is worth the call.
bool runByLibrary(const Product<float>& p) {
  constexpr std::int64_t kWorth = std::int64_t{1} << 20;
  const Matrix<float>& c = p.c.cells;
  CublasLt* library = current_place.library;
  // With a bias it cannot add, nor can it step over columns.
  if (library == nullptr || p.groups != 1 || c.rows * c.cols * p.a.cols < kWorth ||
      c.col_stride != 1 || (p.bias && !p.c.fresh) || !library->isThere())
    return false;
  const auto goesDown = [](const Matrix<const float>& m) { return m.col_stride != 1; };
  const auto stride = [&](const auto& m) { return goesDown(m) ? m.col_stride : m.row_stride; };
  const Scratch<std::byte> workspace(std::int64_t(CublasLt::kWorkspace));
  return library->multiply(
      {p.a.data, p.b.data, c.rows, c.cols, p.a.cols, goesDown(p.a), goesDown(p.b), stride(p.a),
       stride(p.b), c.data, c.row_stride, p.bias.data, !p.c.fresh, current_place.precision},
      workspace.data(), current_place.stream);
}

template <class Real>
void run(const Product<Real>& p) {
  if constexpr (std::is_same_v<Real, float>)
    if (runByLibrary(p)) return;
  const Matrix<Real>& c = p.c.cells;
  withTile<Real>(c.rows, c.cols, p.groups, [&]<class Sums>(const Sums&) {
    const std::int64_t row_tiles = tilesOf(c.rows, Sums::kSize);
    const std::int64_t col_tiles = tilesOf(c.cols, Sums::kSize);
    launch(multiply<Sums, Real>,
           {row_tiles * col_tiles * p.groups, kTileThreads, Sums::kRoom * sizeof(Real)}, p,
           row_tiles, col_tiles);
  });
}

/// The first columns of a group, `stride` apart.
template <class T>
Matrix<T> groupOf(Matrix<T> m, std::int64_t cols, std::int64_t stride = 1) {
  m.cols = cols;
  m.col_stride = stride;
  return m;
}
/// The rows of a group of weights.
template <class T>
Matrix<T> weightsOf(Matrix<T> m, std::int64_t rows) {
  m.rows = rows;
  return m;
}
template <class Real>
Sum<Real> in(const Sum<Real>& sum, const Matrix<Real>& part) {
  Sum<Real> own = sum;
  own.cells = part;
  return own;
}

/// Linear maps of groups of columns; see groupedLinear(). One group is a linear map.
template <class Real>
void forwardGroups(const OpCall<Real>& c, const GroupedLinearArguments& arguments) {
  const auto [groups, shuffle] = arguments;
  const Matrix<const Real> x = c.in(0), w = c.in(1), bias = c.in(2);
  const Matrix<Real> y = c.out(0);
  const std::int64_t in = w.cols, out = w.rows / groups;
  Product<Real> p{groupOf(x, in), weightsOf(w, out).transposed(),
                  groupOf(y, out, shuffle ? groups : 1)};
  p.bias = groupOf(bias, out);
  p.a_step = in;
  p.b_step = out * w.row_stride;
  p.c_step = shuffle ? 1 : out;
  p.bias_step = out;
  p.groups = groups;
  run(p);
}

template <class Real>
void backwardGroups(const OpCall<Real>& c, const GroupedLinearArguments& arguments) {
  // of each group:  dx = dy W,  dw = dy^T x,  db = the sum of dy's rows
  const std::int64_t groups = arguments.groups;
  const bool shuffle = arguments.shuffle;
  const Matrix<const Real> x = c.in(0), w = c.in(1), dy = c.dout(0);
  const Sum<Real> dx = c.din(0), dw = c.din(1), db = c.din(2);
  const std::int64_t in_cols = w.cols, out = w.rows / groups;
  const Matrix<const Real> dy_group = groupOf(dy, out, shuffle ? groups : 1);
  const std::int64_t dy_step = shuffle ? 1 : out;
  if (dx) {
    Product<Real> p{dy_group, weightsOf(w, out), in(dx, groupOf(dx.cells, in_cols))};
    p.a_step = dy_step;
    p.b_step = out * w.row_stride;
    p.c_step = in_cols;
    p.groups = groups;
    run(p);
  }
  if (dw) {
    Product<Real> p{dy_group.transposed(), groupOf(x, in_cols), in(dw, weightsOf(dw.cells, out))};
    p.a_step = dy_step;
    p.b_step = in_cols;
    p.c_step = out * dw.cells.row_stride;
    p.groups = groups;
    run(p);
  }
  if (!db) return;
  overSums<Real>(
      w.rows, dy.rows,
      [=] __device__(std::int64_t row, std::int64_t r) {
        return dy.at(r, shuffle ? row % out * groups + row / out : row);
      },
      [=] __device__(std::int64_t row, Real sum) { db.add(0, row, sum); });
}

struct LinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    forwardGroups(c, {});
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    backwardGroups(c, {});
  }
};

struct GroupedLinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    forwardGroups(c, c.template get<GroupedLinearArguments>());
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    backwardGroups(c, c.template get<GroupedLinearArguments>());
  }
};

}  // namespace

const DeviceOp kLinear = deviceOp<LinearKernels>("linear");
const DeviceOp kGroupedLinear = deviceOp<GroupedLinearKernels>("grouped linear");

}  // namespace tfm::cuda
