// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QSpinBox>
#include <optional>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/document/studies.h"
#include "ui/document/submodel_explorer.h"
#include "ui/elastic/accuracy_scatter.h"
#include "ui/elastic/granularity_curves.h"
#include "ui/elastic/nested_frames.h"
#include "ui/elastic/width_bars.h"
#include "ui/elastic/width_slider.h"
#include "ui/style/style.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/elastic/mix_panel.h"
#include "ui/views/elastic/twins_panel.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kSteps = 3000;
constexpr int kTwinSteps = 100;  // too few to learn; enough to show the panel

}  // namespace

void Tour::trainNested() {
  train::TrainConfig training;
  training.batch_size = 325;  // half of the facts
  training.evaluate_every = 50;
  training.evaluation_size = 650;
  training.schedule.kind = train::ScheduleKind::WarmupCosine;
  training.schedule.learning_rate = 0.02;
  training.schedule.total_steps = kSteps;
  training.stop.steps = kSteps;
  document_.start(presetNamed("facts").config(), data::defaultTaskConfig("facts"), training);
  window_.showScreen(kElastic);
  ElasticView& elastic = window_.elastic();
  await("a plain model's parts are measured",
        [&] { return elastic.explorer().wholeScore() != nullptr; });
  picture("elastic-plain");
  Robot::click(*elastic.parts().nest);
  check(elastic.explorer().isNested(), "one click nests the model");
  document_.training().play();
  Robot::waitUntil([&] { return document_.training().step() >= kSteps / 3; }, kPatience);
  picture("elastic-training");
  await(
      "the nested model is trained", [&] { return !document_.training().isRunning(); },
      2 * kPatience);
  await("the trained model's granularities are measured", [&] {
    const TimedScore* whole = elastic.explorer().wholeScore();
    return whole->step == document_.training().step() && elastic.explorer().left() == 0;
  });
  measure("elastic_accuracy", elastic.explorer().wholeScore()->score.accuracy());
  const auto accuracy = [&](const matformer::Granularity& one) {
    return elastic.explorer().score(one.submodel)->score.accuracy();
  };
  const auto& sizes = elastic.explorer().granularities();
  check(accuracy(sizes.back()) > 0.7, "facts are remembered");
  check(accuracy(sizes.back()) > accuracy(sizes.front()) + 0.1, "more of them with more width");
  const auto& evaluations = document_.training().history().evaluations;
  check(!evaluations.empty() && evaluations.back().granularities.size() == 4,
        "training measures every granularity");
}

void Tour::moveWidths() {
  ElasticView& elastic = window_.elastic();
  SubmodelExplorer& explorer = elastic.explorer();
  QElapsedTimer clock;
  clock.start();
  Robot::click(elastic.parts().pictures->slider(),
               QPointF(elastic.parts().pictures->slider().placeOf(24), 10));
  await("another width is measured", [&] { return explorer.choiceScore() != nullptr; });
  measure("elastic_first_score_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  await("another width is measured whole", [&] { return explorer.choiceScore()->complete; });
  measure("elastic_score_milliseconds", double(clock.nsecsElapsed()) / 1e6);
  picture("elastic-between");
  Robot::press(elastic.parts().pictures->slider(), Qt::Key_PageDown);
  check(explorer.choiceName() == "M", "a key goes to the next granularity");
  const auto& granularities = explorer.granularities();
  for (const matformer::Granularity& one : granularities) {
    const TimedScore* score = explorer.score(one.submodel);
    const QString name = QString::fromStdString(one.name);
    if (score == nullptr) return check(false, name + " is measured");
    measure("elastic_accuracy_" + name, score->score.accuracy());
    measure("elastic_agreement_" + name, score->score.agreement);
  }
  const auto parameters = [&](std::size_t place) {
    return explorer.score(granularities[place].submodel)->score.cost.parameters;
  };
  check(parameters(0) < parameters(1) && parameters(3) == document_.moments().layout().total,
        "smaller widths have fewer parameters, the whole has all");
  check(explorer.wholeScore()->score.agreement == 1.0, "the whole agrees with itself");
  await("all granularities answer", [&] { return explorer.answers().answers.size() >= 4; });
  onProjector("elastic-in-class");
}

void Tour::mapFront() {
  ElasticView& elastic = window_.elastic();
  SubmodelExplorer& explorer = elastic.explorer();
  Robot::click(*elastic.parts().inspector->mixes().frontButton());
  await("the front is measured", [&] { return explorer.left() == 0; });
  check(explorer.mixes().size() == 12, "two layers of four widths have twelve mixes");
  Robot::click(*elastic.parts().inspector->mixes().budgetButton());
  await("a submodel within a budget is measured",
        [&] { return explorer.left() == 0 && explorer.choiceScore() != nullptr; });
  picture("elastic");
  elastic.parts().scatter->showTable();
  picture("elastic-table");
  elastic.parts().scatter->setCostAxis(CostAxis::Parameters);
  elastic.parts().pictures->showLook(ElasticPictures::Look::Space);
  Robot::wait(1.0);
  picture("elastic-space");
  elastic.parts().pictures->showLook(ElasticPictures::Look::Matrices);
  inOtherLooks([this](const QString& look) { picture("elastic-" + look); });
  exportAll("frames", elastic.parts().pictures->frames());
  exportAll("accuracy", *elastic.parts().scatter);
  exportAll("granularities", *elastic.parts().curves);
}

void Tour::compareTwins() {
  ElasticView& elastic = window_.elastic();
  const BackgroundStudy& study = elastic.explorer().study();
  elastic.parts().setup->twins().steps().setValue(kTwinSteps);
  elastic.parts().setup->twins().seeds().setValue(2);
  Robot::click(*elastic.parts().setup->twins().startButton());
  check(study.isRunning(), "one click trains every size alone");
  check(Robot::waitUntil([&] { return !study.isRunning(); }, kPatience) && !study.problem(),
        "the sizes are trained separately");
  check(elastic.parts().setup->twins().outcome().contains("XL"),
        "nested and separate stand side by side");
  picture("elastic-twins");
}

void Tour::extractChoice() {
  SubmodelExplorer& explorer = window_.elastic().explorer();
  const QString path = folder_.filePath("submodel.safetensors");
  std::optional<std::optional<Error>> outcome;
  explorer.extract(path, [&](const std::optional<Error>& problem) { outcome = problem; });
  check(Robot::waitUntil([&] { return outcome.has_value(); }, kPatience) && !*outcome,
        "the chosen submodel is saved");
  const std::int64_t parameters = explorer.choiceScore()->score.cost.parameters;
  check(window_.openFile(path), "the submodel opens as a document");
  check(document_.moments().layout().total == parameters,
        "the submodel has the parameters it was said to");
}

}  // namespace tfm::ui
