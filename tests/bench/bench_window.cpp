// SPDX-License-Identifier: GPL-3.0-or-later
// What watching costs training: steps a second with a screen in view and with the window hidden,
// turn by turn. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <array>
#include <cstdio>
#include <vector>

#include "core/base/median.h"
#include "tests/ui/window/window_bench.h"
#include "ui/tour/robot.h"

namespace {

using namespace tfm::ui;

constexpr int kTurns = 7;
constexpr double kSettle = 0.3;  // seconds
constexpr double kTurn = 1.5;    // seconds

struct Seen {
  MainWindow::Screen screen;
  const char* name;
};

constexpr std::array kSeen{Seen{MainWindow::kTrain, "Train"},
                           Seen{MainWindow::kAttention, "Attention"},
                           Seen{MainWindow::kMatrices, "Matrices"}};

double stepsPerSecond(const ModelDocument& document) {
  Robot::wait(kSettle);
  QElapsedTimer time;
  time.start();
  const std::int64_t from = document.training().step();
  Robot::wait(kTurn);
  return double(document.training().step() - from) / (double(time.nsecsElapsed()) / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  WindowBench bench;  // its document trains on one thread: the other cores are the window's
  MainWindow& window = bench.window();
  ModelDocument& document = bench.document();
  window.setUnattended(true);
  window.show();
  document.changes().reset();
  tfm::train::TrainConfig endless = document.training().config();
  endless.stop = {};
  document.training().setConfig(endless);
  document.training().play();
  for (const Seen& seen : kSeen) {
    window.showScreen(seen.screen);
    std::vector<double> in_view, hidden, cost;
    for (int turn = 0; turn < kTurns; ++turn) {
      window.show();
      in_view.push_back(stepsPerSecond(document));
      window.hide();
      hidden.push_back(stepsPerSecond(document));
      cost.push_back(100.0 * (1.0 - in_view.back() / hidden.back()));
    }
    std::printf("%-10s in view %7.1f steps/s, hidden %7.1f steps/s, watching costs %5.1f %%\n",
                seen.name, tfm::median(in_view), tfm::median(hidden), tfm::median(cost));
  }
  document.training().pause();
  return 0;
}
