// SPDX-License-Identifier: GPL-3.0-or-later
// How long a growth's preview takes in the window, from the mouse's press on a card until the
// preview is painted: bench_growth [FILE.safetensors [EXPANSION]]; without a file of the model that
// the window begins with. Prints numbers and asserts nothing: they depend on the machine.
#include <QAbstractButton>
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/base/median.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/growth_desk.h"
#include "ui/tour/robot.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"

namespace {

using namespace tfm;
using namespace tfm::ui;

constexpr int kTurns = 15;
constexpr double kPatience = 20.0;  // seconds

struct Row {
  expand::Kind kind;
  const char* name;
};

constexpr std::array kRows{Row{expand::Kind::FeedForward, "feed-forward width"},
                           Row{expand::Kind::Heads, "heads"},
                           Row{expand::Kind::ValueSize, "head output width"},
                           Row{expand::Kind::KeySize, "key width"},
                           Row{expand::Kind::Hidden, "hidden width"},
                           Row{expand::Kind::Layers, "layers"}};

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  WindowBench bench;
  MainWindow& window = bench.window();
  window.setUnattended(true);
  if (argc > 1 && !window.openFile(QString::fromLocal8Bit(argv[1]))) return 1;
  window.show();
  window.showScreen(MainWindow::kGrow);
  GrowView& grow = window.grow();
  GrowthDesk& desk = grow.desk();
  auto* cards = qobject_cast<GrowthCards*>(grow.cards());
  Robot::waitUntil([&] { return desk.preview() != nullptr; }, kPatience);
  for (const Row& row : kRows) {
    if (argc > 2 && row.name != std::string_view(argv[2])) continue;
    std::vector<double> milliseconds;
    for (int turn = 0; turn < kTurns; ++turn) {
      desk.setPlan({});
      Robot::wait(0.3);
      QAbstractButton* card = cards->card(row.kind);
      QElapsedTimer clock;
      clock.start();
      Robot::click(*card, QRectF(card->rect()).center());
      Robot::waitUntil([&] { return desk.isCurrent(); }, kPatience);
      QApplication::processEvents();
      milliseconds.push_back(double(clock.nsecsElapsed()) / 1e6);
    }
    const auto [fastest, slowest] = std::ranges::minmax(milliseconds);
    std::printf("%-20s preview after %6.1f ms (median of %d; fastest %.1f, slowest %.1f)\n",
                row.name, tfm::median(milliseconds), kTurns, fastest, slowest);
  }
  return 0;
}
