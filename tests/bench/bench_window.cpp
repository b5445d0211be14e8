// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the window is. What watching costs training: steps a second with a screen in view and
// with the window hidden, turn by turn. How long Flow takes to open, to preview the number under
// the pointer and to explain one that is clicked, each until it is painted: of the model that the
// window begins with, and of one of 12 layers, 768 wide. bench_window [training|flow|large];
// without a word all. Prints numbers and asserts nothing: they depend on the machine.
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/base/median.h"
#include "core/model/presets.h"
#include "tests/tour/robot.h"
#include "tests/ui/window/window_bench.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_view.h"

namespace {

using namespace tfm::ui;

constexpr int kTurns = 7;
constexpr double kSettle = 0.3;  // seconds
constexpr double kTurn = 1.5;    // seconds

struct Seen {
  Screen screen;
  const char* name;
};

constexpr std::array kSeen{Seen{kTrain, "Train"}, Seen{kAttention, "Attention"},
                           Seen{kMatrices, "Matrices"}, Seen{kFlow, "Flow"}};

constexpr double kPatience = 120.0;  // seconds
constexpr int kOpenings = 7;
constexpr int kNumbers = 200;  // that are pointed at

double stepsPerSecond(const ModelDocument& document) {
  Robot::wait(kSettle);
  QElapsedTimer time;
  time.start();
  const std::int64_t from = document.training().step();
  Robot::wait(kTurn);
  return double(document.training().step() - from) / (double(time.nsecsElapsed()) / 1e9);
}

void trainWatched() {
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
}

/// Milliseconds until some work is done and painted.
template <class Work>
double timeOf(const Work& work) {
  QElapsedTimer clock;
  clock.start();
  work();
  // What was laid out anew, and then what is to be painted.
  for (int i = 0; i < 3; ++i) QApplication::processEvents();
  return double(clock.nsecsElapsed()) / 1e6;
}

void print(const char* what, std::vector<double> milliseconds) {
  std::ranges::sort(milliseconds);
  std::printf("  %-28s %7.1f ms (%.1f to %.1f, %zu times)\n", what, tfm::median(milliseconds),
              milliseconds.front(), milliseconds.back(), milliseconds.size());
}

double open(MainWindow& window) {
  FlowView& flow = window.flow();
  return timeOf([&] {
    window.showScreen(kFlow);
    Robot::waitUntil([&] { return flow.isReady(); }, kPatience);
  });
}

/// Points at numbers all over the diagram, then clicks them.
void pointAndClick(MainWindow& window, const char* what) {
  FlowDiagram& diagram = *window.flow().parts().diagram;
  QWidget& page = *diagram.viewport();
  std::vector<double> previews, clicks;
  for (int turn = 0; turn < kNumbers; ++turn) {
    const int item = int(std::int64_t(diagram.itemCount() - 1) * (turn + 1) / kNumbers);
    if (!diagram.numberOf(item)) continue;
    const QPointF place = diagram.itemRect(item).center();
    for (auto [bar, by] : {std::pair{diagram.horizontalScrollBar(), place.x() - page.width() / 2},
                           std::pair{diagram.verticalScrollBar(), place.y() - page.height() / 2}})
      bar->setValue(bar->value() + int(by));
    QApplication::processEvents();
    const QPoint at = diagram.itemRect(item).center().toPoint();
    previews.push_back(timeOf([&] { Robot::hover(page, at); }));
    clicks.push_back(timeOf([&] { Robot::click(page, at); }));
    Robot::press(diagram, Qt::Key_Escape);
    Robot::hover(page, {1, 1});
  }
  std::printf("%s\n", what);
  print("from pointing to a preview", std::move(previews));
  print("from a click to why", std::move(clicks));
}

void openEverything(FlowView& flow) {
  FlowOpen open;
  for (const auto& node : flow.run()->map().nodes) open.paths.insert(node.path);
  FlowShown opened = flow.state();
  opened.opened.open = open;
  flow.setState(opened);
}

void useFlow() {
  WindowBench bench;
  std::vector<double> first, again;
  for (int turn = 0; turn < kOpenings; ++turn) {
    bench.restart();
    bench.showActive();
    Robot::wait(kSettle);
    first.push_back(open(bench.window()));
    bench.window().showScreen(kTrain);
    Robot::wait(kSettle);
    again.push_back(open(bench.window()));
  }
  print("Flow opens", std::move(first));
  print("and again", std::move(again));
  pointAndClick(bench.window(), "as it opens");
  openEverything(bench.window().flow());
  pointAndClick(bench.window(), "with all parts open");
}

void useLargeFlow() {
  WindowBench bench;
  MainWindow& window = bench.window();
  bench.showActive();
  const tfm::Preset& small = tfm::presetNamed("character-model");
  tfm::ModelConfig config = small.config();
  config.hidden = 768;
  config.target_length = 128;
  tfm::setUniform(config, 0, 12, {12, 64, 64, 3072, 1e-5});
  bench.document().start(config, tfm::data::defaultTaskConfig(std::string(small.task)), {});
  Robot::wait(20.0);  // the other screens have what they show
  print("Flow opens, 12 layers of 768", {open(window)});
  std::vector<double> again;
  for (int turn = 0; turn < kOpenings; ++turn) {
    window.showScreen(kTrain);
    Robot::wait(kSettle);
    again.push_back(open(window));
  }
  print("and again", std::move(again));
  pointAndClick(window, "as it opens");
  openEverything(window.flow());
  pointAndClick(window, "with all parts open");
}

void changeLook() {
  WindowBench bench;
  bench.showActive();
  for (const int screen : screens()) {
    bench.window().showScreen(Screen(screen));
    Robot::wait(kSettle);
  }
  for (const int screen : screens()) {
    bench.window().showScreen(Screen(screen));
    Robot::wait(kSettle);
    std::vector<double> themes, sizes;
    for (int turn = 0; turn < kOpenings; ++turn) {
      for (const Theme theme : {Theme::Light, Theme::Dark})
        themes.push_back(timeOf([&] { bench.style().setTheme(theme); }));
      for (const double scale : {1.25, 1.0})
        sizes.push_back(timeOf([&] { bench.style().setScale(scale); }));
    }
    std::printf("%s\n", screenName(screen));
    print("another theme", std::move(themes));
    print("another size", std::move(sizes));
  }
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  const std::string_view only = argc > 1 ? argv[1] : "";
  const auto wanted = [&](const char* part) { return only.empty() || only == part; };
  if (wanted("training")) trainWatched();
  if (wanted("flow")) useFlow();
  if (wanted("large")) useLargeFlow();
  if (wanted("look")) changeLook();
  return 0;
}
