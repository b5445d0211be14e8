// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tour/lesson_robot.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <algorithm>

#include "core/expand/kinds.h"
#include "core/lesson/live_values.h"
#include "core/lesson/targets.h"
#include "core/model/submodel.h"
#include "tests/tour/robot.h"
#include "ui/document/model_document.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/task_column.h"
#include "ui/views/experiment/what_if_form.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/lesson/lesson_panel.h"
#include "ui/widgets/path_row.h"
#include "ui/window/lesson_guide.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

namespace {

constexpr double kSeconds = 60.0;

}  // namespace

/// How each check is brought about in the window.
struct Deeds {
  using Words = lesson::Words;

  struct Row {
    std::string_view pattern;  ///< of lesson::CheckKind
    void (*perform)(LessonRobot& robot, const lesson::Check& check);
  };

  static void showScreen(LessonRobot& robot, const lesson::Check& check) {
    const auto& all = lesson::screens();
    const auto place = std::ranges::find(all, check.words[0]) - all.begin();
    Robot::shortcut(robot.window_, QKeySequence(Qt::Key(Qt::Key_1 + int(place))));
  }

  /// Presses Play until the check holds, and stops.
  static void train(LessonRobot& robot, const lesson::Check& check) {
    Training& training = robot.document_.training();
    QWidget& play = *robot.window_.lessons().targetWidget(*lesson::targetNamed("Play"));
    training.setSpeed(0);
    // A stop rule may end it; then it is pressed again.
    Robot::waitUntil(
        [&] {
          if (!training.isRunning() && !robot.holds(check)) Robot::click(play);
          return robot.holds(check);
        },
        kSeconds);
    training.pause();
    Robot::waitUntil([&] { return !training.isRunning(); }, kSeconds);
  }

  static void startOver(LessonRobot& robot, const lesson::Check&) {
    Robot::shortcut(robot.window_, QKeySequence(QStringLiteral("Ctrl+R")));
  }

  static void type(LessonRobot& robot, const std::string& text) {
    robot.document_.observing().setQuestion(QString::fromStdString(text));
  }

  /// Clicks a cell of the large map, in the first group of maps that the check is about.
  static void lockCell(LessonRobot& robot, const lesson::Check& check, const Cell& cell) {
    AttentionView& view = robot.window_.attention();
    constexpr int kGroups = 3;
    for (int group = 0; group < kGroups && !robot.holds(check); ++group) {
      if (!Robot::waitUntil([&] { return view.lock({group, 0, 0}, std::nullopt); }, 2.0)) continue;
      auto* map = view.findChild<HeatMapView*>();
      Robot::wait(0.1);  // until it is laid out
      if (map != nullptr)
        Robot::click(*map->viewport(), map->cellRect(cell.row, cell.col).center());
    }
  }

  static void chooseStage(LessonRobot& robot, const lesson::Check& check) {
    constexpr std::array<std::string_view, 4> kStages{"scores", "scaled", "masked", "softmax"};
    AttentionShown shown = robot.window_.attention().state();
    shown.stage = AttentionStage(std::ranges::find(kStages, check.words[0]) - kStages.begin());
    robot.window_.attention().setState(shown);
  }

  /// Flow, as soon as the model has run.
  static FlowView& flow(LessonRobot& robot) {
    robot.window_.showScreen(kFlow);
    FlowView& view = robot.window_.flow();
    Robot::waitUntil([&] { return view.isReady(); }, kSeconds);
    return view;
  }

  static void changeFlow(LessonRobot& robot, const std::function<void(FlowShown&)>& change) {
    FlowView& view = flow(robot);
    FlowShown shown = view.state();
    change(shown);
    view.setState(shown);
  }

  /// Fills in the form that a menu of a part opens.
  static void intervene(LessonRobot& robot, const std::string& what) {
    Interventions& changes = robot.document_.interventions();
    changes.clear();
    changes.propose(observe::interventionFromText(what));
    if (auto* form = robot.window_.findChild<WhatIfForm*>()) form->accept();
  }

  static void grow(LessonRobot& robot, const lesson::Check& check, bool proved) {
    robot.window_.showScreen(kGrow);
    GrowView& grow = robot.window_.grow();
    GrowthPlanner& planner = *grow.parts().planner;
    const auto kinds = expand::kinds();
    const auto kind = std::ranges::find(kinds, check.words[0], &expand::KindRow::words);
    Robot::waitUntil([&] { return planner.preview() != nullptr; }, kSeconds);
    grow.parts().editor->choose(expand::Kind(kind - kinds.begin()));
    Robot::waitUntil(
        [&] { return planner.isCurrent() && !planner.problem() && !planner.plan().empty(); },
        kSeconds);
    if (proved) {
      Robot::click(*grow.parts().proof->proveButton());
      Robot::waitUntil([&] { return planner.proof() != nullptr; }, kSeconds);
    }
    Robot::click(*grow.parts().proof->applyButton());
    Robot::waitUntil([&] { return robot.holds(check); }, kSeconds);
  }

  static void pin(LessonRobot& robot, Pin slot) {
    Moments& moments = robot.document_.moments();
    if (slot == Pin::A) moments.show(0);
    moments.pin(slot);
    Robot::waitUntil([&] { return moments.pinned(slot).has_value(); }, kSeconds);
    moments.showNow();
  }

  static void openPreset(LessonRobot& robot, const char* name) {
    for (QAction* action : robot.window_.findChildren<QAction*>())
      if (action->text() == QLatin1String(name)) return action->trigger();
  }

  static void learnOwnText(LessonRobot& robot, const lesson::Check&) {
    Robot::shortcut(robot.window_, QKeySequence::New);
    auto* dialog = robot.window_.findChild<NewRunDialog*>();
    if (dialog == nullptr) return;
    QComboBox& tasks = dialog->task().tasks();
    tasks.setCurrentIndex(tasks.findText(QStringLiteral("text")));
    emit tasks.activated(tasks.currentIndex());
    dialog->task().path("path").editor().setText(robot.own_text_);
    emit dialog->task().path("path").editor().editingFinished();
    Robot::waitUntil([&] { return dialog->startButton().isEnabled(); }, kSeconds);
    dialog->startButton().click();
  }

  static void chooseSmaller(LessonRobot& robot, const lesson::Check& check) {
    ElasticView& elastic = robot.window_.elastic();
    Submodel half{fullWidths(robot.document_.training().model()), {}};
    for (std::int64_t& width : half.widths) width /= 2;
    // The screen may still be opening the model.
    Robot::waitUntil(
        [&] {
          ElasticShown shown = elastic.state();
          shown.submodel = half;
          elastic.setState(shown);
          return robot.holds(check);
        },
        kSeconds);
  }

  static std::span<const Row> rows();
};

std::span<const Deeds::Row> Deeds::rows() {
  using Check = lesson::Check;
  static const Row kRows[] = {
      {"the <screen> screen is open", &showScreen},
      {"at least <whole> steps of training", &train},
      {"no steps of training", &startOver},
      {"held-out accuracy at least <number>", &train},
      {"held-out loss at most <number>", &train},
      {"the text is <text>", [](LessonRobot& r, const Check& c) { type(r, c.words[0]); }},
      {"the text is not <text>",
       [](LessonRobot& r, const Check& c) {
         type(r, {c.words[0].rbegin(), c.words[0].rend()});
       }},
      {"a cell of a <attention> map is locked",
       [](LessonRobot& r, const Check& c) {
         lockCell(r, c, {1, 1});
       }},
      {"the cell in row <whole>, column <whole> of a <attention> map is locked",
       [](LessonRobot& r, const Check& c) {
         lockCell(r, c, {std::stoi(c.words[0]) - 1, std::stoi(c.words[1]) - 1});
       }},
      {"the cells are <stage>", &chooseStage},
      {"a number of Flow is locked", [](LessonRobot& r, const Check&) { flow(r).askWhy(1); }},
      {"a token that the model reads is locked",
       [](LessonRobot& r, const Check&) {
         FlowView& view = flow(r);
         view.askWhy(1);
         view.traceToInput();
       }},
      {"the number <text> is locked",
       [](LessonRobot& r, const Check& c) {
         FlowView& view = flow(r);
         view.go(observe::placeNamed(view.run()->program(), c.words[0]));
       }},
      {"the logit lens is shown",
       [](LessonRobot& r, const Check&) {
         changeFlow(r, [](FlowShown& shown) { shown.lens = true; });
       }},
      {"gradients are shown",
       [](LessonRobot& r, const Check&) {
         changeFlow(r, [](FlowShown& shown) { shown.choose(FlowShown::Numbers::Gradients); });
       }},
      {"<text> is in force", [](LessonRobot& r, const Check& c) { intervene(r, c.words[0]); }},
      {"head <whole> is off",
       [](LessonRobot& r, const Check& c) {
         const auto heads =
             observe::unitsOf(r.document_.training().model(), observe::UnitKind::Heads);
         intervene(r, heads.at(std::stoul(c.words[0]) - 1).target + "=0");
       }},
      {"a What-if change is in force",
       [](LessonRobot& r, const Check&) {
         // Where the open lesson has no Attention, as in Training, What if.
         if (!r.window_.whyLocked(kAttention).isEmpty())
           return intervene(r, "encoder.layers.0=from \"hello\"");
         r.window_.showScreen(kAttention);
         Robot::waitUntil([&] { return r.window_.attention().lock({2, 0, 0}, std::nullopt); }, 5.0);
         Robot::shortcut(r.window_.attention(), Qt::Key_O);
       }},
      {"a weight is changed",
       [](LessonRobot& r, const Check&) { intervene(r, "output.weight[0, 0]=0.5"); }},
      {"a part is taken from another text",
       [](LessonRobot& r, const Check&) { intervene(r, "encoder.layers.0=from \"hello\""); }},
      {"<expansion> was grown", [](LessonRobot& r, const Check& c) { grow(r, c, false); }},
      {"<expansion> was grown and proved",
       [](LessonRobot& r, const Check& c) { grow(r, c, true); }},
      {"pin <pin> is set",
       [](LessonRobot& r, const Check& c) { pin(r, c.words[0] == "A" ? Pin::A : Pin::B); }},
      {"the difference of the pins is shown",
       [](LessonRobot& r, const Check&) { r.document_.moments().compare(Comparison::Difference); }},
      {"an earlier moment is shown",
       [](LessonRobot& r, const Check&) { r.document_.moments().show(0); }},
      {"the model learns from a file of one's own", &learnOwnText},
      {"a nested model is open",
       [](LessonRobot& r, const Check&) { r.window_.elastic().parts().example->click(); }},
      {"a smaller size is chosen", &chooseSmaller},
      {"a Funnel model is open",
       [](LessonRobot& r, const Check&) { openPreset(r, "funnel-tagger"); }},
      {"a DeLighT model is open",
       [](LessonRobot& r, const Check&) { openPreset(r, "delight-sequence"); }},
  };
  return kRows;
}

LessonRobot::LessonRobot(MainWindow& window, ModelDocument& document, QString own_text)
    : window_(window), document_(document), own_text_(std::move(own_text)) {}

QStringList LessonRobot::missingDeeds() {
  QStringList missing;
  for (const lesson::CheckKind& kind : lesson::checkKinds())
    if (std::ranges::find(Deeds::rows(), kind.pattern, &Deeds::Row::pattern) == Deeds::rows().end())
      missing += QString::fromUtf8(kind.pattern);
  return missing;
}

bool LessonRobot::holds(const lesson::Check& check) const {
  bool holds = false;
  window_.lessons().panel().withSource(
      [&](const lesson::ValueSource& source) { holds = lesson::holds(check, source.situation); });
  return holds;
}

QString LessonRobot::answerQuestions(bool predictions) {
  LessonPanel& panel = window_.lessons().panel();
  const auto& question = predictions ? panel.page().prediction : panel.page().question;
  if (!question) return {};
  LessonQuestion& form = predictions ? panel.prediction() : panel.question();
  std::optional<std::string> right;
  if (predictions) {
    right = question->choices.empty() ? "1" : question->choices.back();
  } else {
    Robot::waitUntil(
        [&] {
          panel.withSource([&](const lesson::ValueSource& source) {
            right = lesson::knownAnswer(question, source);
          });
          return right.has_value();
        },
        kSeconds);
    if (!right) return "the right answer is not known";
  }
  const QString answer = QString::fromStdString(*right);
  for (auto* choice : form.findChildren<QRadioButton*>())
    if (choice->accessibleName() == answer) choice->click();
  if (question->choices.empty()) form.findChild<QLineEdit*>()->setText(answer);
  form.findChild<QPushButton*>()->click();
  const lesson::PageProgress& progress = panel.pageProgress();
  const std::string& given = predictions ? progress.prediction : progress.answer;
  return given == *right ? QString() : "the answer '" + answer + "' was not taken";
}

QString LessonRobot::doPage() {
  LessonPanel& panel = window_.lessons().panel();
  const lesson::Page page = panel.page();
  if (!page.asks()) return {};
  if (panel.pageProgress().done) return "it was ticked before anything was done";
  if (const QString problem = answerQuestions(true); !problem.isEmpty()) return problem;
  for (const lesson::Check& check : page.checks) {
    const std::string_view pattern = lesson::checkKinds()[check.kind].pattern;
    std::ranges::find(Deeds::rows(), pattern, &Deeds::Row::pattern)->perform(*this, check);
    if (!Robot::waitUntil([&] { return holds(check); }, kSeconds))
      return "'" + QString::fromStdString(check.text) + "' does not hold after its deed";
  }
  if (const QString problem = answerQuestions(false); !problem.isEmpty()) return problem;
  return Robot::waitUntil([&] { return panel.pageProgress().done; }, kSeconds)
             ? QString()
             : QStringLiteral("the panel does not tick it");
}

}  // namespace tfm::ui
