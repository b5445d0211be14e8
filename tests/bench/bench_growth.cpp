// SPDX-License-Identifier: GPL-3.0-or-later
// How long a growth takes in the window: its preview from the mouse's press on a card until it is
// painted, its proof until it is there, and applying it until the model is larger (the animation
// runs on). bench_growth [FILE.safetensors [EXPANSION]]; without a file of the model that the
// window begins with. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <QPushButton>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/base/median.h"
#include "tests/tour/robot.h"
#include "tests/ui/window/window_bench.h"
#include "ui/document/growth_planner.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/proof_panel.h"

namespace {

using namespace tfm;
using namespace tfm::ui;

constexpr int kTurns = 15;
constexpr double kPatience = 20.0;  // seconds
constexpr double kAnimation = 1.5;  // seconds, with what follows it

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

/// Milliseconds from a click until something holds and is painted.
template <class Done>
double timeOf(QWidget& button, const Done& done) {
  QElapsedTimer clock;
  clock.start();
  Robot::click(button, QRectF(button.rect()).center());
  Robot::waitUntil(done, kPatience);
  QApplication::processEvents();
  return double(clock.nsecsElapsed()) / 1e6;
}

void print(const char* what, const std::vector<double>& milliseconds) {
  const auto [fastest, slowest] = std::ranges::minmax(milliseconds);
  std::printf("  %s %6.1f ms (%.1f to %.1f)", what, tfm::median(milliseconds), fastest, slowest);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  WindowBench bench;
  MainWindow& window = bench.window();
  window.setUnattended(true);
  if (argc > 1 && !window.openFile(QString::fromLocal8Bit(argv[1]))) return 1;
  window.show();
  window.showScreen(kGrow);
  GrowView& grow = window.grow();
  GrowthPlanner& planner = *grow.parts().planner;
  ModelDocument& document = bench.document();
  auto* cards = qobject_cast<GrowthCards*>(grow.left());
  Robot::waitUntil([&] { return planner.preview() != nullptr; }, kPatience);
  const std::int64_t parameters = document.moments().layout().total;
  const auto has_grown = [&] { return document.moments().layout().total > parameters; };
  for (const Row& row : kRows) {
    if (argc > 2 && row.name != std::string_view(argv[2])) continue;
    std::vector<double> previews, proofs, applied;
    for (int turn = 0; turn < kTurns; ++turn) {
      Robot::wait(0.3);
      previews.push_back(timeOf(*cards->card(row.kind), [&] { return planner.isCurrent(); }));
      proofs.push_back(
          timeOf(*grow.parts().proof->proveButton(), [&] { return planner.proof() != nullptr; }));
      applied.push_back(timeOf(*grow.parts().proof->applyButton(), has_grown));
      Robot::wait(kAnimation);
      document.changes().undo();
      Robot::waitUntil([&] { return !has_grown() && planner.preview() != nullptr; }, kPatience);
    }
    std::printf("%-20s", row.name);
    print("preview", previews);
    print("proof", proofs);
    print("applied", applied);
    std::printf("  medians of %d\n", kTurns);
  }
  return 0;
}
