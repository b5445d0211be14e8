// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QStringList>
#include <array>

#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/figure/exporter.h"
#include "ui/growth/growth_pair.h"
#include "ui/growth/motion.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_cards.h"
#include "ui/views/grow/growth_export.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

struct GrowthStop {
  expand::Kind kind;
  const char* picture;
};

/// In this order every expansion is applied to a model grown by the previous ones.
constexpr std::array kGrowths{GrowthStop{expand::Kind::FeedForward, "grow-feed-forward"},
                              GrowthStop{expand::Kind::Heads, "grow-heads"},
                              GrowthStop{expand::Kind::ValueSize, "grow-value-size"},
                              GrowthStop{expand::Kind::KeySize, "grow-key-size"},
                              GrowthStop{expand::Kind::Hidden, "grow-hidden"},
                              GrowthStop{expand::Kind::Layers, "grow-layers"}};

bool planned(const GrowthPlanner& planner) {
  return planner.isCurrent() && !planner.problem() && !planner.plan().empty();
}

}  // namespace

void Tour::growTrained() {
  window_.showScreen(kGrow);
  GrowView& grow = window_.grow();
  GrowthPlanner& planner = *grow.parts().planner;
  await("the Grow screen shows the model's matrices", [&] { return planner.preview() != nullptr; });
  picture("grow");
  auto* cards = qobject_cast<GrowthCards*>(grow.left());
  for (const GrowthStop& stop : kGrowths) {
    const std::int64_t before = document_.moments().layout().total;
    QAbstractButton* card = cards->card(stop.kind);
    QElapsedTimer clock;
    clock.start();
    Robot::click(*card);
    await(QString("%1 is planned").arg(stop.picture), [&] { return planned(planner); });
    measure(QString("%1_preview_milliseconds").arg(stop.picture),
            double(clock.nsecsElapsed()) / 1e6);
    Robot::click(*grow.parts().proof->proveButton());
    await(QString("%1 is proved").arg(stop.picture), [&] { return planner.proof() != nullptr; });
    if (!planner.proof()) continue;
    const expand::Verdict& verdict = planner.proof()->verdict;
    check(verdict.exact, QString("%1 changes nothing").arg(stop.picture));
    measure(QString("%1_difference_double").arg(stop.picture), verdict.max_difference_double);
    measure(QString("%1_prove_milliseconds").arg(stop.picture), 1e3 * planner.proof()->seconds);
    picture(stop.picture);
    const QString figure = folder_.filePath(QString("%1.svg").arg(stop.picture));
    exportFigure(*grow.parts().files->beforeAndAfter(), figure);
    check(QFile(figure).size() > 0, figure + " is written");
    if (stop.kind == expand::Kind::FeedForward) onProjector("grow-proved-in-class");
    if (stop.kind == expand::Kind::KeySize) seeLooks();
    Robot::click(*grow.parts().proof->applyButton());
    await(QString("%1 is applied").arg(stop.picture),
          [&] { return document_.moments().layout().total > before; });
    grow.parts().animation->finish();
    await(QString("%1 leaves a new model on the screen").arg(stop.picture),
          [&] { return planner.preview() && planner.plan().empty(); });
  }
  check(document_.changes().canUndo(), "growth can be undone");
}

void Tour::seeLooks() {
  GrowView& grow = window_.grow();
  grow.showLook(GrowView::Look::One);
  picture("grow-one-matrix");
  grow.showLook(GrowView::Look::Space);
  Robot::wait(1.0);
  check(grow.parts().pictures->space().showsGrowth(), "growth is seen in three dimensions");
  picture("grow-space");
  grow.showLook(GrowView::Look::All);
}

void Tour::breakARule() {
  window_.showScreen(kGrow);
  GrowView& grow = window_.grow();
  GrowthPlanner& planner = *grow.parts().planner;
  grow.parts().editor->choose(expand::Kind::KeySize);
  await("a growth to break is planned", [&] { return planned(planner); });
  expand::Plan plan = planner.plan();
  plan.front().broken = expand::Break::NoKeyRescale;
  planner.setPlan(plan);
  planner.prove();
  await("the broken rule is tried", [&] { return planner.proof() != nullptr; });
  check(planner.proof() && !planner.proof()->verdict.exact &&
            planner.proof()->verdict.max_difference > 1e-3,
        "a broken rule is seen");
  picture("grow-broken");
  planner.setPlan({});
}

void Tour::trainGrown() {
  train::TrainConfig training = document_.training().config();
  training.stop = {};  // it has been reached
  document_.training().setConfig(training);
  const std::int64_t step = document_.training().step();
  document_.training().play();
  await("the grown model trains on", [&] { return document_.training().step() >= step + 200; });
  document_.training().pause();
  Robot::waitUntil([&] { return !document_.training().isRunning(); }, kPatience);
  window_.showScreen(kTrain);
  picture("grown-trains-on");
}

}  // namespace tfm::ui
