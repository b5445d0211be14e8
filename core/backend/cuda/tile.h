// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

#include "core/backend/cuda/stream.h"
#include "core/backend/cuda/tensor_core.h"

// Products of matrices, tile by tile: a block computes a tile, and each of its threads `parts` x
// `parts` cells of it, which stay in registers. The operands go through shared memory, a strip of
// kDepth columns and rows at a time, rounded if the precision asks for it; the tensor cores then
// multiply large tiles.
namespace tfm::cuda {

constexpr int kSide = 16;  // threads along a side of a tile
constexpr unsigned kTileThreads = kSide * kSide;
constexpr int kDepth = 16;

template <class Real, int parts_, Precision precision = Precision::Float>
struct Tile {
  using Number = Real;
  static constexpr int parts = parts_;
  static constexpr int kSize = kSide * parts;
  static constexpr bool kOnTensorCores = precision != Precision::Float;
  // Larger than the tile, so that writing down a strip, and the reads of a warp, hit different
  // banks.
  static constexpr int kStride = kSize + (kOnTensorCores ? 8 : 1);
  /// Shared numbers of a product.
  static constexpr int kRoom = (kOnTensorCores ? kSize : 2 * kDepth) * kStride;
  Real cells[parts][parts] = {};

  /// Where the thread's cells are. The threads of a row are neighbours.
  __device__ static int row(int i) { return int(threadIdx.x) / kSide + i * kSide; }
  __device__ static int col(int j) { return int(threadIdx.x) % kSide + j * kSide; }

  /// this += a b, summed over 0 .. depth - 1. a(row, k) and b(k, col) are 0 outside their matrix.
  /// Called by all threads of the block.   room: kRoom numbers
  template <class A, class B>
  __device__ void addProduct(const Shared<Real>& room, std::int64_t depth, const A& a, const B& b) {
    constexpr int b_room = kDepth * kStride;
    [[maybe_unused]] std::conditional_t<kOnTensorCores, Warp, Nothing> warp;
    for (std::int64_t first = 0; first < depth; first += kDepth) {
      __syncthreads();  // the room may still be read
      for (int i = 0; i < parts; ++i) {
        // Neighbouring threads read adjacent memory.
        const int n = int(threadIdx.x) + i * int(kTileThreads);
        const int a_row = a.goesDown() ? n % kSize : n / kDepth;
        const int a_k = a.goesDown() ? n / kSize : n % kDepth;
        const int b_col = b.goesDown() ? n / kDepth : n % kSize;
        const int b_k = b.goesDown() ? n % kDepth : n / kSize;
        room[a_k * kStride + a_row] = first + a_k < depth ? near(a(a_row, first + a_k)) : Real(0);
        room[b_room + b_k * kStride + b_col] =
            first + b_k < depth ? near(b(first + b_k, b_col)) : Real(0);
      }
      __syncthreads();
      if constexpr (kOnTensorCores)
        warp.addStrip(room, b_room);
      else
        addStrip(room, b_room);
    }
    if constexpr (kOnTensorCores) {  // whose sums are in other places than the threads' cells
      __syncthreads();
      warp.write(room);
      __syncthreads();
      each([&](int, int r, int c, Real& cell) { cell += room[r * kStride + c]; });
    }
  }

  /// Calls work(i, row in the tile, column in the tile, cell) for the thread's cells, its row i.
  template <class Work>
  __device__ void each(const Work& work) {
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < parts; ++j) work(i, row(i), col(j), cells[i][j]);
  }

  /// Calls work(row, column, cell, cell of the other tile).
  template <class Work>
  __device__ void eachWith(const Tile& other, const Work& work) {
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < parts; ++j) work(row(i), col(j), cells[i][j], other.cells[i][j]);
  }

 private:
  __device__ static Real near(Real x) {
    if constexpr (kOnTensorCores) return rounded<precision>(x);
    return x;
  }

  /// A warp's share of the tile: 16 rows of half of the columns.
  struct Warp {
    using Product = WarpProduct<precision>;
    static constexpr int kProducts = kSize / 2 / Product::kCols;
    static_assert(kSize == 4 * Product::kRows && kTileThreads == 8 * kWarp);
    typename Product::Sums sums[kProducts];

    __device__ static int firstRow() { return int(threadIdx.x / kWarp) % 4 * Product::kRows; }
    __device__ static int firstCol(int i) {
      return int(threadIdx.x / kWarp) / 4 * (kSize / 2) + i * Product::kCols;
    }
    __device__ void addStrip(const Shared<Real>& room, int b_room) {
      for (int first = 0; first < kDepth; first += Product::kDepth) {
        const typename Product::Left a(
            [&](int r, int k) { return room[(first + k) * kStride + firstRow() + r]; });
        for (int i = 0; i < kProducts; ++i)
          sums[i].add(a, typename Product::Right([&](int k, int c) {
                        return room[b_room + (first + k) * kStride + firstCol(i) + c];
                      }));
      }
    }
    __device__ void write(const Shared<Real>& room) const {
      for (int i = 0; i < kProducts; ++i)
        for (int n = 0; n < 4; ++n)
          room[(firstRow() + sums[i].row(n)) * kStride + firstCol(i) + sums[i].col(n)] =
              sums[i].numbers[n];
    }
  };
  struct Nothing {};

  __device__ void addStrip(const Shared<Real>& room, int b_room) {
    for (int k = 0; k < kDepth; ++k) {
      Real down[parts], across[parts];
      for (int i = 0; i < parts; ++i) down[i] = room[k * kStride + row(i)];
      for (int j = 0; j < parts; ++j) across[j] = room[b_room + k * kStride + col(j)];
      for (int i = 0; i < parts; ++i)
        for (int j = 0; j < parts; ++j) cells[i][j] += down[i] * across[j];
    }
  }
};

/// A matrix from a row and column on, up to an end; 0 beyond.
template <class Real>
struct Window {
  Matrix<const Real> whole;
  std::int64_t row = 0, col = 0;
  std::int64_t row_end = 0, col_end = 0;

  Window() = default;
  __device__ explicit Window(const Matrix<const Real>& m)
      : whole(m), row_end(m.rows), col_end(m.cols) {}
  __device__ Window(const Matrix<const Real>& m, std::int64_t first_row, std::int64_t rows,
                    std::int64_t first_col, std::int64_t cols)
      : whole(m),
        row(first_row),
        col(first_col),
        row_end(first_row + rows),
        col_end(first_col + cols) {}

  __device__ Window from(std::int64_t rows, std::int64_t cols) const {
    Window w = *this;
    w.row += rows;
    w.col += cols;
    return w;
  }
  __device__ Window transposed() const {
    return {whole.transposed(), col, col_end - col, row, row_end - row};
  }
  /// Whether columns are contiguous in memory, not rows.
  __device__ bool goesDown() const { return whole.row_stride < whole.col_stride; }
  __device__ Real operator()(std::int64_t r, std::int64_t c) const {
    return row + r < row_end && col + c < col_end ? whole.at(row + r, col + c) : Real(0);
  }
};

/// A tile that the threads share.
template <class Real, int size>
struct SharedTile {
  const Shared<Real>& cells;

  __device__ bool goesDown() const { return false; }
  __device__ Real operator()(std::int64_t r, std::int64_t c) const {
    return c < size ? cells[r * size + c] : Real(0);
  }
};

// Cells of a thread along each side of a large tile: what fits into registers and shared memory.
template <class Real>
constexpr int kLargeParts = sizeof(Real) == sizeof(float) ? 4 : 2;

constexpr std::int64_t tilesOf(std::int64_t size, int tile) { return (size + tile - 1) / tile; }

/// Whether large tiles are mostly full and many enough to keep a GPU busy.
template <class Real>
bool useLargeTiles(std::int64_t rows, std::int64_t cols, std::int64_t groups) {
  constexpr std::int64_t size = Tile<Real, kLargeParts<Real>>::kSize;
  constexpr std::int64_t few = 64;
  return rows > size / 2 && cols > size / 2 &&
         tilesOf(rows, size) * tilesOf(cols, size) * groups >= few;
}

/// Calls work(tile of the kind to be used) for the given numbers of rows and columns of groups, on
/// the host.
template <class Real, class Work>
void withTile(std::int64_t rows, std::int64_t cols, std::int64_t groups, const Work& work) {
  if (!useLargeTiles<Real>(rows, cols, groups)) return work(Tile<Real, 1>());
  if constexpr (std::is_same_v<Real, float>) {
    if (current_place.precision == Precision::Tf32)
      return work(Tile<float, kLargeParts<float>, Precision::Tf32>());
    if (current_place.precision == Precision::Bf16)
      return work(Tile<float, kLargeParts<float>, Precision::Bf16>());
  }
  work(Tile<Real, kLargeParts<Real>>());
}

}  // namespace tfm::cuda
