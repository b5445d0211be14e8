// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cuda/device.h"

// Products of matrices, tile by tile: a block computes a tile, and each of its threads `parts` x
// `parts` cells of it, which stay in registers. What the threads multiply goes through shared
// memory, a strip of kDepth columns and rows at a time.
namespace tfm::cuda {

constexpr int kSide = 16;  // threads along a side of a tile
constexpr unsigned kTileThreads = kSide * kSide;
constexpr int kDepth = 16;

template <class Real, int parts>
struct Tile {
  static constexpr int kSize = kSide * parts;
  // One more than the tile has, so that writing down a strip reaches different banks.
  static constexpr int kStride = kSize + 1;
  /// Shared numbers of a product.
  static constexpr int kRoom = 2 * kDepth * kStride;
  Real cells[parts][parts] = {};

  /// Where the thread's cells are. The threads of a row are neighbours.
  __device__ static int row(int i) { return int(threadIdx.x) / kSide + i * kSide; }
  __device__ static int col(int j) { return int(threadIdx.x) % kSide + j * kSide; }

  /// this += a b, summed over 0 .. depth - 1. a(row, k) and b(k, col) are 0 outside their matrix.
  /// All threads of the block come here.   room: kRoom numbers
  template <class A, class B>
  __device__ void addProduct(const Shared<Real>& room, std::int64_t depth, const A& a, const B& b) {
    constexpr int b_room = kDepth * kStride;
    for (std::int64_t first = 0; first < depth; first += kDepth) {
      __syncthreads();  // the room may still be read
      for (int i = 0; i < parts; ++i) {
        // Neighbouring threads read what lies side by side in memory.
        const int n = int(threadIdx.x) + i * int(kTileThreads);
        const int a_row = a.goesDown() ? n % kSize : n / kDepth;
        const int a_k = a.goesDown() ? n / kSize : n % kDepth;
        const int b_col = b.goesDown() ? n / kDepth : n % kSize;
        const int b_k = b.goesDown() ? n % kDepth : n / kSize;
        room[a_k * kStride + a_row] = first + a_k < depth ? a(a_row, first + a_k) : Real(0);
        room[b_room + b_k * kStride + b_col] =
            first + b_k < depth ? b(first + b_k, b_col) : Real(0);
      }
      __syncthreads();
      for (int k = 0; k < kDepth; ++k) {
        Real down[parts], across[parts];
        for (int i = 0; i < parts; ++i) down[i] = room[k * kStride + row(i)];
        for (int j = 0; j < parts; ++j) across[j] = room[b_room + k * kStride + col(j)];
        for (int i = 0; i < parts; ++i)
          for (int j = 0; j < parts; ++j) cells[i][j] += down[i] * across[j];
      }
    }
  }

  /// Calls work(i, row in the tile, column in the tile, cell) for the thread's cells, its row i.
  template <class Work>
  __device__ void each(const Work& work) {
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < parts; ++j) work(i, row(i), col(j), cells[i][j]);
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
  /// Whether a column lies side by side in memory, not a row.
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

}  // namespace tfm::cuda
