// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the 3-D scene. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

namespace {

using namespace tfm;
using namespace tfm::ui;

constexpr int kRows = 256;
constexpr int kCols = 1024;
constexpr int kMatrices = 6;
constexpr int kFrames = 40;

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
      .shape = {Dimension{{Axis::Key, slab.rows}}, Dimension{{Axis::Hidden, slab.cols}}}};
  matrix.growth.after = ParameterInfo{
      .name = name, .shape = {Dimension{{Axis::Key, rows}}, Dimension{{Axis::Hidden, cols}}}};
  matrix.before = slab.values;
  matrix.after.resize(std::size_t(rows * cols));
  for (std::size_t i = 0; i < matrix.after.size(); ++i)
    if (matrix.growth.entry(std::int64_t(i) / cols, std::int64_t(i) % cols) != expand::Entry::Zero)
      matrix.after[i] = std::sin(0.21f * static_cast<float>(i));
  return matrix;
}

/// A growth of about a second, drawn without a pause.
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
  timer.start();
  wall.setGrowth(std::move(after), growth);
  paint();
  std::printf("%-24s %7.2f ms to %zu cells\n", "first frame of a growth",
              static_cast<double>(timer.nsecsElapsed()) / 1e6, cells);
  double longest = 0;
  timer.restart();
  for (int i = 1; i <= kFrames; ++i) {
    QElapsedTimer frame;
    frame.start();
    wall.setGrowthProgress(double(i) / kFrames);
    paint();
    longest = std::max(longest, static_cast<double>(frame.nsecsElapsed()) / 1e6);
  }
  const double mean = static_cast<double>(timer.nsecsElapsed()) / 1e6 / kFrames;
  std::printf("%-24s %7.2f ms/frame %7.1f frames/s, longest %.2f ms\n", "growth", mean, 1000 / mean,
              longest);
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
                     .layer = i / 2,
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
