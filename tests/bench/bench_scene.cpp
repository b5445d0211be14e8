// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the 3-D scene. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

namespace {

using namespace tfm;
using namespace tfm::ui;

constexpr int kRows = 256;
constexpr int kCols = 1024;
constexpr int kMatrices = 6;
constexpr int kFrames = 40;
constexpr int kTurns = 8;

std::vector<float> wave(int phase) {
  std::vector<float> values(static_cast<std::size_t>(kRows) * kCols);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::sin(0.37f * static_cast<float>(i) + static_cast<float>(phase));
  return values;
}

void measure(const char* what, const std::function<void(int)>& frame) {
  frame(0);
  QElapsedTimer timer;
  timer.start();
  for (int i = 0; i < kFrames; ++i) frame(i);
  const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6 / kFrames;
  std::printf("%-24s %7.2f ms/frame %7.1f frames/s\n", what, milliseconds, 1000 / milliseconds);
}

/// Every row of eight blocks gets new rows behind it and new columns at its end.
expand::GrownMatrix grownFrom(const MatrixSlab& slab) {
  constexpr int kBlocks = 8, kNewRows = 4, kNewCols = 64;
  expand::GrownMatrix matrix;
  for (int i = 0; i < slab.rows; ++i) {
    matrix.growth.rows.push_back({.source = i});
    if ((i + 1) % (slab.rows / kBlocks) == 0)
      for (int k = 0; k < kNewRows; ++k) matrix.growth.rows.push_back({.added = Added::Zero});
  }
  for (int i = 0; i < slab.cols + kNewCols; ++i)
    matrix.growth.cols.push_back({.source = i < slab.cols ? i : expand::AxisIndex::kNew});
  const auto rows = std::int64_t(matrix.growth.rows.size());
  const auto cols = std::int64_t(matrix.growth.cols.size());
  const std::string name = slab.name.toStdString();
  matrix.growth.factor = 1.25;
  matrix.growth.before = ParameterInfo{
      .name = name,
      .shape = {Dimension{{Axis::Key, slab.rows}}, Dimension{{Axis::Hidden, slab.cols}}},
      .initial = {},
      .tag = {}};
  matrix.growth.after =
      ParameterInfo{.name = name,
                    .shape = {Dimension{{Axis::Key, rows}}, Dimension{{Axis::Hidden, cols}}},
                    .initial = {},
                    .tag = {}};
  matrix.before = slab.values;
  std::vector<float> after(std::size_t(rows * cols));
  for (std::size_t i = 0; i < after.size(); ++i)
    if (matrix.growth.entry(std::int64_t(i) / cols, std::int64_t(i) % cols) != expand::Entry::Zero)
      after[i] = std::sin(0.21f * static_cast<float>(i));
  matrix.after = std::move(after);
  return matrix;
}

/// A growth of about a second, drawn without a pause, several times over: each frame counts as its
/// fastest, so that what else the machine does is left out.
template <class Paint>
void measureGrowth(MatrixWall& wall, const Paint& paint) {
  std::vector<expand::GrownMatrix> growth;
  std::vector<MatrixSlab> after = wall.slabs();
  std::size_t cells = 0;
  for (MatrixSlab& slab : after) {
    growth.push_back(grownFrom(slab));
    slab.rows = int(growth.back().growth.after.rows());
    slab.cols = int(growth.back().growth.after.cols());
    slab.values = growth.back().after;
    cells += slab.values.size();
  }
  QElapsedTimer timer;
  const auto elapsed = [&timer] { return static_cast<double>(timer.nsecsElapsed()) / 1e6; };
  timer.start();
  wall.setGrowth(std::move(after), growth);
  paint();
  std::printf("%-24s %7.2f ms to %zu cells\n", "growth is set", elapsed(), cells);
  std::vector<double> fastest(kFrames, std::numeric_limits<double>::max());
  double first = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    wall.setGrowthProgress(0);
    paint();
    for (int i = 0; i < kFrames; ++i) {
      timer.restart();
      wall.setGrowthProgress(double(i + 1) / kFrames);
      paint();
      auto& frame = fastest[static_cast<std::size_t>(i)];
      frame = std::min(frame, elapsed());
      if (turn == 0) first = std::max(first, elapsed());
    }
  }
  const auto slowest = std::ranges::max_element(fastest);
  std::printf("%-24s slowest %.2f ms at %.2f of the way; %.2f ms when played first\n", "growth",
              *slowest, double(slowest - fastest.begin() + 1) / kFrames, first);
  std::ranges::sort(fastest);
  const double median = fastest[kFrames / 2];
  std::printf("%-24s %7.2f ms/frame %7.1f frames/s (median)\n", "growth", median, 1000 / median);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  Style style(application);
  style.setMotion(false);
  MatrixWall wall(style);
  wall.resize(960, 900);
  std::vector<MatrixSlab> slabs;
  for (int i = 0; i < kMatrices; ++i)
    slabs.push_back({.name = QStringLiteral("matrix %1").arg(i),
                     .site = {Stack::Encoder, i / 2},
                     .rows = kRows,
                     .cols = kCols,
                     .values = wave(i)});
  wall.setSlabs(std::move(slabs));
  std::printf("%d cells, 960 x 900, %s\n", kMatrices * kRows * kCols,
              qPrintable(wall.rendererName()));

  QImage screen(wall.size(), QImage::Format_RGB32);
  const auto paint = [&] { wall.render(&screen); };
  const auto turn = [&](int i) {
    Camera camera = wall.camera();
    camera.azimuth = static_cast<float>(i - kFrames / 2);
    wall.setCamera(camera);
  };
  const std::vector<float> first = wave(0), second = wave(1);
  measure("orbit", [&](int i) {
    turn(i);
    paint();
  });
  measure("recolour all", [&](int i) {
    for (int slab = 0; slab < kMatrices; ++slab) wall.setValues(slab, i % 2 ? first : second);
    paint();
  });
  measure("recolour all and orbit", [&](int i) {
    for (int slab = 0; slab < kMatrices; ++slab) wall.setValues(slab, i % 2 ? first : second);
    turn(i);
    paint();
  });
  measure("overlay only", [&](int) { paint(); });
  measureGrowth(wall, paint);
  return 0;
}
