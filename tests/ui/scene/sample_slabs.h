// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "ui/scene/matrix_slab.h"

namespace tfm::test {

/// A matrix full of zeros, in an encoder.
inline MatrixSlab slab(const QString& name, int rows, int cols, const QString& group = {},
                       int layer = 0) {
  return {.name = name,
          .group = group,
          .site = {Stack::Encoder, layer},
          .rows = rows,
          .cols = cols,
          .row_axis = QStringLiteral("hidden"),
          .col_axis = QStringLiteral("key"),
          .values =
              std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols))};
}

inline void put(MatrixSlab& slab, std::size_t at, float value) {
  std::vector<float> values(slab.values.begin(), slab.values.end());
  values[at] = value;
  slab.values = std::move(values);
}
inline void fill(MatrixSlab& slab, float value) {
  slab.values = std::vector<float>(slab.values.size(), value);
}

/// Small and thin matrices of very different shapes, as in an encoder-decoder of 4,665 parameters.
inline std::vector<MatrixSlab> smallModel() {
  std::vector<MatrixSlab> slabs{slab("tokens", 28, 8, "embedding"),
                                slab("positions", 15, 8, "embedding")};
  for (int layer = 1; layer <= 2; ++layer) {
    for (const char* name : {"query", "key", "value"}) {
      slabs.push_back(slab(name, 35, 8, "attention", layer));
      slabs.push_back(slab("bias", 35, 1, "attention", layer));
    }
    slabs.push_back(slab("output", 8, 35, "attention", layer));
    slabs.push_back(slab("bias", 1, 35, "attention", layer));
    slabs.push_back(slab("up", 5, 8, "feed-forward", layer));
    slabs.push_back(slab("down", 8, 5, "feed-forward", layer));
    slabs.push_back(slab("gain", 8, 1, "norm", layer));
  }
  slabs.push_back(slab("logits", 28, 8, "head", 3));
  return slabs;
}

/// Large matrices next to vectors as long as they are.
inline std::vector<MatrixSlab> largeModel() {
  std::vector<MatrixSlab> slabs;
  for (int layer = 0; layer < 4; ++layer) {
    for (const char* name : {"query", "key", "value", "output"})
      slabs.push_back(slab(name, 256, 256, "attention", layer));
    slabs.push_back(slab("up", 1024, 256, "feed-forward", layer));
    slabs.push_back(slab("bias", 1024, 1, "feed-forward", layer));
    slabs.push_back(slab("down", 256, 1024, "feed-forward", layer));
    slabs.push_back(slab("bias", 1, 1024, "feed-forward", layer));
  }
  return slabs;
}

inline int differingPixels(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  return count;
}

}  // namespace tfm::test
