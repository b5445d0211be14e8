// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of the 3-D scene. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <cmath>
#include <cstdio>
#include <functional>

#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"

namespace {

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
  return 0;
}
