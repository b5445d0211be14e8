// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tour/tour.h"

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QScreen>
#include <QTextStream>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/backend/registry.h"
#include "tests/tour/robot.h"
#include "ui/document/model_document.h"
#include "ui/figure/exporter.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/plots/plot_stack.h"
#include "ui/scene/matrix_wall.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_forms.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/experiment/device_chooser.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/views/train/learning_curves.h"
#include "ui/views/train/train_view.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kMaxSteps = 8000;

double lastAccuracy(const ModelDocument& document) {
  const auto& evaluations = document.training().history().evaluations;
  return evaluations.empty() ? 0.0 : evaluations.back().accuracy;
}

}  // namespace

Tour::Tour(MainWindow& window, ModelDocument& document, Style& style, const QString& folder,
           double startup_milliseconds)
    : window_(window), document_(document), style_(style), folder_(folder) {
  folder_.mkpath(".");
  measure("startup_milliseconds", startup_milliseconds);
}

const std::vector<Tour::Stop>& Tour::stops() {
  static const std::vector<Stop> kStops{
      {"open a trained model", &Tour::openTrained},
      {"retrain", &Tour::retrain},
      {"watch training", &Tour::watchTraining},
      {"look at attention", &Tour::lookAtAttention},
      {"follow one cell", &Tour::followOneCell},
      {"follow a number", &Tour::followANumber},
      {"compare two steps", &Tour::compareSteps},
      {"ask what if", &Tour::askWhatIf},
      {"walk through the matrices", &Tour::walkMatrices},
      {"answer words", &Tour::answerWords},
      {"grow the trained model", &Tour::growTrained},
      {"answer words again", &Tour::answerWords},
      {"break a rule", &Tour::breakARule},
      {"change the look", &Tour::changeLooks},
      {"export figures", &Tour::exportFigures},
      {"train the grown model", &Tour::trainGrown},
      {"save and reopen", &Tour::saveAndReopen},
      {"train a nested model", &Tour::trainNested},
      {"move the widths", &Tour::moveWidths},
      {"map the front", &Tour::mapFront},
      {"train the sizes separately", &Tour::compareTwins},
      {"extract a submodel", &Tour::extractChoice},
      {"see a sequence shrink", &Tour::seeFunnel},
      {"see blocks swell", &Tour::seeDelight},
      {"open a source document", &Tour::openSources},
      {"choose where to compute", &Tour::lookForDevices},
      {"open a model as large as GPT-2", &Tour::openLarge},
  };
  return kStops;
}

int Tour::play(const QString& only) {
  QTextStream out(stdout);
  for (const Stop& stop : stops()) {
    if (!only.isEmpty() && only != stop.name) continue;
    out << stop.name << Qt::endl;
    (this->*stop.visit)();
  }
  QJsonObject report{{"passed", failures_.isEmpty()}, {"checks", checks_},
                     {"failures", failures_},         {"pictures", pictures_},
                     {"measured", measured_},         {"platform", QApplication::platformName()}};
  QFile file(folder_.filePath("tour.json"));
  if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(report).toJson()) < 0) {
    out << "cannot write " << file.fileName() << Qt::endl;
    return 1;
  }
  for (const QJsonValue& failure : failures_) out << "failed: " << failure.toString() << Qt::endl;
  out << checks_ << " checks, " << failures_.size() << " failed, " << pictures_.size()
      << " pictures in " << folder_.absolutePath() << Qt::endl;
  return failures_.isEmpty() ? 0 : 1;
}

void Tour::lookForDevices() {
  NewRunDialog dialog(style_, document_, {}, &window_);
  dialog.open();
  DeviceChooser& chooser = dialog.device();
  await("devices are found", [&] { return !chooser.device().empty(); });
  check(chooser.device() == chosenDevice(), "the device in use is chosen");
  const std::vector<FoundDevice> found = findDevices();
  check(chooser.box().count() == int(found.size()), "every device is listed");
  for (const FoundDevice& device : found)
    check(chooser.obstacles().text().contains(QString::fromStdString(device.obstacle)),
          QString::fromStdString(device.name) + " says why it cannot run here");
  if (found.size() == 1) check(chooser.obstacles().isVisible(), "it is said that nothing else is");
  await("the run can start", [&] { return dialog.startButton().isEnabled(); });
  picture("new-run-devices", dialog);
  dialog.reject();
}

void Tour::picture(const QString& name) { picture(name, window_); }

void Tour::picture(const QString& name, QWidget& window) {
  Robot::wait(0.4);  // for animations and the next repaint
  const QString file = QString("%1-%2.png").arg(pictures_.size() + 1, 2, 10, QChar('0')).arg(name);
  check(window.width() <= window.screen()->size().width(), name + " fits the screen");
  check(window.grab().save(folder_.filePath(file)), "picture " + file + " is saved");
  pictures_.append(file);
}

void Tour::check(bool holds, const QString& what) {
  ++checks_;
  if (!holds) failures_.append(what);
}

void Tour::await(const QString& what, const std::function<bool()>& done, double seconds) {
  check(Robot::waitUntil(done, seconds), what);
}

void Tour::measure(const QString& name, double value) { measured_[name] = value; }

bool Tour::waitForLook(std::int64_t step) {
  return Robot::waitUntil(
      [&] {
        return document_.observing().snapshot() && document_.observing().snapshot()->step >= step;
      },
      kPatience);
}

void Tour::openTrained() {
  window_.showScreen(kAttention);
  check(document_.isOpen(), "the window opens with a model");
  check(waitForLook(1), "the trained model is seen inside at once");
  check(lastAccuracy(document_) > 0.95, "the first model is trained");
  picture("opening");
}

void Tour::retrain() {
  document_.observing().setQuestion("there");
  const std::int64_t trained = document_.training().step();
  check(Robot::shortcut(window_, Qt::Key_Space), "Space is a shortcut");
  await(
      "Space retrains the model",
      [&] { return document_.training().isRunning() && document_.training().step() < trained; },
      20.0);
  check(document_.training().speed() > 0, "it begins slowly");
  for (int i = 0; i < 6 && document_.training().speed() > 0; ++i)
    Robot::shortcut(window_, Qt::Key_BraceRight);  // nobody is watching
  window_.showScreen(kAttention);
  Robot::waitUntil([&] { return document_.training().step() >= 300; }, kPatience);
  document_.training().pause();
  waitForLook(300);
  picture("attention-early");
  document_.moments().pin(Pin::A);
  document_.training().play();
}

void Tour::watchTraining() {
  window_.showScreen(kTrain);
  QElapsedTimer time;
  time.start();
  const std::int64_t from = document_.training().step();
  Robot::waitUntil(
      [&] { return document_.training().step() >= 450 || !document_.training().isRunning(); },
      kPatience);
  if (const std::int64_t done = document_.training().step() - from; done > 0)
    measure("steps_per_second_while_watched", double(done) / (double(time.nsecsElapsed()) / 1e9));
  picture("learning");
  measureClicks();
  awaitFirstRightAnswer();
  window_.showScreen(kTrain);
  await(
      "training continues",
      [&] { return lastAccuracy(document_) >= 0.995 || document_.training().step() >= kMaxSteps; },
      4 * kPatience);
  document_.training().pause();
  Robot::waitUntil([&] { return !document_.training().isRunning(); }, 10.0);
  measure("steps_until_learned", double(document_.training().step()));
  measure("accuracy", lastAccuracy(document_));
  check(lastAccuracy(document_) >= 0.995, "rot13 is learned");
  picture("learned");
}

void Tour::measureClicks() {
  window_.showScreen(kAttention);
  auto* map = window_.attention().findChild<HeatMapView*>();
  if (map == nullptr) return check(false, "there is a large map while training");
  Robot::wait(0.5);
  std::vector<double> milliseconds;
  for (int i = 0; i < 9; ++i) {
    milliseconds.push_back(Robot::click(*map->viewport(), map->cellRect(i % 3, i / 3).center()));
    Robot::wait(0.05);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  measure("median_click_while_training_milliseconds", milliseconds[milliseconds.size() / 2]);
  measure("slowest_click_while_training_milliseconds", milliseconds.back());
  Robot::press(*map, Qt::Key_Escape);
}

void Tour::awaitFirstRightAnswer() {
  window_.showScreen(kAttention);
  Robot::waitUntil(
      [&] {
        return !document_.training().isRunning() ||
               (document_.observing().snapshot() &&
                document_.observing().snapshot()->probe.answer == "gurer");
      },
      kPatience);
  measure("first_right_answer_step", double(document_.observing().snapshot()->step));
}

void Tour::lookAtAttention() {
  document_.observing().setQuestion("there");
  window_.showScreen(kAttention);
  check(waitForLook(document_.training().step()), "the trained model is seen inside");
  Robot::wait(0.3);
  check(window_.attention().lock({2, 0, 0}, std::nullopt), "there is a cross-attention");
  picture("attention");
}

void Tour::followOneCell() {
  auto* map = window_.attention().findChild<HeatMapView*>();
  check(map != nullptr && map->isVisible(), "there is a large map");
  if (map == nullptr) return;
  Robot::click(*map->viewport(), map->cellRect(1, 1).center());
  check(map->lockedCell().has_value(), "a click locks a cell");
  picture("attention-cell");
  Robot::press(*map, Qt::Key_Right);
  check(map->lockedCell().has_value() && map->lockedCell()->col == 2, "an arrow key walks on");
  Robot::press(*map, Qt::Key_Escape);
  check(!map->lockedCell().has_value(), "Esc frees the cell");
}

void Tour::compareSteps() {
  // The encoder: its rows stand for the same characters at every step.
  check(window_.attention().lock({0, 0, 0}, std::nullopt), "there is an encoder");
  Robot::wait(0.3);
  auto* map = window_.attention().findChild<HeatMapView*>();
  const std::vector<float> now = map->map().values;
  check(Robot::shortcut(window_.attention(), Qt::Key_D), "D shows the difference from the pin");
  await("the difference from an early step shows what was learned", [&] {
    const std::vector<float>& difference = map->map().values;
    return difference != now &&
           std::ranges::any_of(difference, [](float x) { return std::abs(x) > 0.1F; });
  });
  picture("attention-difference");
  Robot::shortcut(window_.attention(), Qt::Key_D);
  document_.moments().unpin(Pin::A);
  check(window_.attention().lock({2, 0, 0}, std::nullopt), "there is a cross-attention");
  document_.training().stepOnce();
  check(waitForLook(document_.training().step() + 1), "one step is one step");
}

void Tour::walkMatrices() {
  window_.showScreen(kMatrices);
  MatrixWall& wall = window_.matrices().wall();
  Robot::wait(1.5);
  check(wall.slabs().size() == document_.moments().layout().parameters.size(),
        "every parameter is a slab");
  picture("matrices");
  std::optional<CellRef> seen;
  for (int y = 1; y < 40 && !seen; ++y)
    for (int x = 1; x < 40 && !seen; ++x)
      seen = wall.cellAt(QPointF(wall.width() * x / 40.0, wall.height() * y / 40.0));
  check(seen.has_value(), "a cell can be found in the scene");
  if (!seen) return;
  wall.setPickedCell(seen);
  const ParameterInfo& p = document_.moments().layout().parameters[std::size_t(seen->slab)];
  Robot::waitUntil(
      [&] { return document_.observing().snapshot() && document_.observing().snapshot()->state; },
      10.0);
  const MatrixSlab& slab = wall.slabs()[std::size_t(seen->slab)];
  const float value = document_.observing().snapshot()->state->parameters[std::size_t(
      p.offset + seen->row * slab.cols + seen->col)];
  check(slab.value(seen->row, seen->col) == value, "a slab shows the parameter's own numbers");
  wall.approachSlab(seen->slab);
  Robot::wait(1.5);
  picture("matrices-close");
  wall.goHome();
}

void Tour::answerWords() {
  constexpr std::array kWords{std::pair{"hey", "url"}, std::pair{"there", "gurer"},
                              std::pair{"ma", "zn"}, std::pair{"dood", "qbbq"}};
  window_.showScreen(kAttention);
  for (const auto& [word, rot13] : kWords) {
    document_.observing().setQuestion(word);
    const bool answered = Robot::waitUntil(
        [&, word = word] {
          return document_.observing().snapshot() &&
                 document_.observing().snapshot()->probe.question == word;
        },
        10.0);
    check(answered && document_.observing().snapshot()->probe.answer == rot13,
          QString("%1 becomes %2").arg(word, rot13));
  }
  document_.observing().setQuestion("there");
  Robot::wait(0.3);
}

void Tour::exportFigures() {
  exportAll("loss", window_.train().curves().plots());
  exportAll("attention", window_.attention().forms());
  exportAll("matrices", window_.matrices().wall());
}

void Tour::exportAll(const QString& name, const Figure& figure) {
  for (const char* ending : {"png", "svg", "pdf", "csv"}) {
    const QString path = folder_.filePath(QString("%1.%2").arg(name, ending));
    exportFigure(figure, path);
    check(QFile(path).size() > 0, path + " is written");
  }
}

void Tour::saveAndReopen() {
  const QString path = folder_.filePath("rot13.safetensors");
  const std::int64_t step = document_.training().step();
  const std::size_t measured = document_.training().history().steps.size();
  document_.save(path);
  check(!document_.files().isModified(), "a saved document is not modified");
  check(window_.openFile(path), "the saved document opens");
  check(document_.training().step() == step &&
            document_.training().history().steps.size() == measured,
        "the reopened document stands where it was");
}

}  // namespace tfm::ui
